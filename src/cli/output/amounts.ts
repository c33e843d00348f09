// Formats rates, byte counts and times.
const units = ['', 'k', 'M', 'G', 'T', 'P'] as const;

export function rateText(bitsPerSecond: number): string {
  return `${scale(bitsPerSecond, 1000)}bit/s`;
}

export function bytesText(bytes: number): string {
  return `${scale(bytes, 1000)}B`;
}

/** Formats a Unix timestamp in UTC. */
export function timeText(seconds: string | number): string {
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

function scale(value: number, step: number): string {
  let unit = 0;
  let rest = value;
  while (rest >= step && unit < units.length - 1) {
    rest /= step;
    unit++;
  }
  return `${rest >= 100 || Number.isInteger(rest) ? Math.round(rest) : rest.toFixed(1)} ${units[unit]}`;
}
