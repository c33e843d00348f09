// Figures of traffic for people: rates, packets and bytes, in steps of a thousand.
const units = ['', 'k', 'M', 'G', 'T', 'P'] as const;

export function rateText(bitsPerSecond: number): string {
  return `${scaled(bitsPerSecond)}bit/s`;
}
export function packetsText(packetsPerSecond: number): string {
  return `${scaled(packetsPerSecond).trim()} packets/s`;
}
export function bytesText(bytes: number): string {
  return `${scaled(bytes)}B`;
}

function scaled(value: number): string {
  let unit = 0;
  let rest = value;
  // What would be rounded to a thousand is one of the next unit already.
  while (rest >= 999.5 && unit < units.length - 1) {
    rest /= 1000;
    unit++;
  }
  const digits = rest >= 100 || Number.isInteger(rest) ? String(Math.round(rest)) : rest.toFixed(1);
  return `${digits} ${units[unit]}`;
}
