// Formats rates, byte counts and times.
const units = ['', 'k', 'M', 'G', 'T', 'P'] as const;

export function rateText(bitsPerSecond: number): string {
  return `${scale(bitsPerSecond)}bit/s`;
}

export function bytesText(bytes: number): string {
  return `${scale(bytes)}B`;
}

/** Formats a Unix timestamp in UTC. */
export function timeText(seconds: string | number): string {
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

function scale(value: number): string {
  let unit = 0;
  let rest = value;
  while (rest >= 1000 && unit < units.length - 1) {
    rest /= 1000;
    unit++;
  }
  return `${rest >= 100 || Number.isInteger(rest) ? Math.round(rest) : rest.toFixed(1)} ${units[unit]}`;
}
