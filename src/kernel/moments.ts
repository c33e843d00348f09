// How moments are written for callers. Always UTC.

export const unsetMoment = '0000-00-00 00:00:00';

export function dayText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

export function momentText(milliseconds: number): string {
  // By its fields: toISOString takes three times as long, and a list can hold thousands of moments.
  const moment = new Date(milliseconds);
  const day = `${moment.getUTCFullYear()}-${two(moment.getUTCMonth() + 1)}-${two(moment.getUTCDate())}`;
  return `${day} ${two(moment.getUTCHours())}:${two(moment.getUTCMinutes())}:${two(moment.getUTCSeconds())}`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}

/** Days since 1970, which is how days without a time are stored. */
export function dayNumber(text: string): number | undefined {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return undefined;
  const milliseconds = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(milliseconds) || dayText(milliseconds) !== text ? undefined : milliseconds / 86_400_000;
}

export function dayOf(milliseconds: number): number {
  return Math.floor(milliseconds / 86_400_000);
}

export function dayNumberText(day: number): string {
  return dayText(day * 86_400_000);
}
