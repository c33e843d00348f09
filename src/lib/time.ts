// How times and days are written in responses, always in UTC.

export const dayMs = 86_400_000;
export const hourMs = 3_600_000;
export const unsetTime = '0000-00-00 00:00:00';

export function dayText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

export function monthText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 7);
}

export function timeText(milliseconds: number): string {
  // Formatted by hand: toISOString takes three times as long, and a list can contain thousands of times.
  const time = new Date(milliseconds);
  const day = `${time.getUTCFullYear()}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`;
  return `${day} ${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())}`;
}

/** Returns an empty text for a time that is not known, or has not come. */
export function optionalTimeText(milliseconds: number | null): string {
  return milliseconds === null ? '' : timeText(milliseconds);
}

function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}

/** Returns days since 1970, which is how dates without a time are stored, or undefined if the text is not a date. */
export function dayNumber(text: string): number | undefined {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return undefined;
  const milliseconds = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(milliseconds) || dayText(milliseconds) !== text ? undefined : milliseconds / dayMs;
}

export function dayOf(milliseconds: number): number {
  return Math.floor(milliseconds / dayMs);
}

/** Returns hours since 1970. */
export function hourOf(milliseconds: number): number {
  return Math.floor(milliseconds / hourMs);
}

export function dayNumberText(day: number): string {
  return dayText(day * dayMs);
}
