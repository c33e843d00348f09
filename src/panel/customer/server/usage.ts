// `<used> / <total>`, as the interface writes what a machine uses, as a share.
const units: Readonly<Record<string, number>> = { B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

/** In percent, at most 100; undefined where it cannot be told. */
export function shareOf(text: string): number | undefined {
  const [used, total] = text.split(' / ').map(bytesOf);
  if (used === undefined || total === undefined || total === 0) return undefined;
  return Math.min(100, (used / total) * 100);
}

function bytesOf(text: string): number | undefined {
  const [number = '', unit = ''] = text.split(' ');
  const bytes = Number(number) * (units[unit] ?? Number.NaN);
  return number === '' || !Number.isFinite(bytes) ? undefined : bytes;
}
