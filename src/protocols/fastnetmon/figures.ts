// Traffic to and from an address per second, by kind, as both of FastNetMon's formats report it. `d_` is towards the
// address, `s_` from it; without a suffix packets, with `bits` bits.

/** Our marks of the directions to FastNetMon's words. */
const directions = { d: 'incoming', s: 'outgoing' } as const;
/** Our names of the kinds to FastNetMon's. */
const kinds = { total: 'total', tcp: 'tcp', syn: 'syn tcp', udp: 'udp', icmp: 'icmp' } as const;

export type FigureName = `${keyof typeof directions}_${keyof typeof kinds}${'' | 'bits'}`;
export const figureNames = Object.keys(kinds).flatMap((kind) =>
  Object.keys(directions).flatMap((mark) => [`${mark}_${kind}`, `${mark}_${kind}bits`]),
) as readonly FigureName[];
/** Integers; missing ones are unknown. */
export type Figures = Partial<Record<FigureName, number>>;

/** Looks up each figure by FastNetMon's label, such as `total incoming` or `outgoing syn tcp`. */
export function readFigures(
  packetsOf: (label: string) => number | undefined,
  bitsOf: (label: string) => number | undefined,
): Figures {
  const figures: Figures = {};
  for (const [mark, direction] of Object.entries(directions) as [keyof typeof directions, string][]) {
    for (const [name, kind] of Object.entries(kinds) as [keyof typeof kinds, string][]) {
      const label = kind === 'total' ? `total ${direction}` : `${direction} ${kind}`;
      const [packets, bits] = [packetsOf(label), bitsOf(label)];
      if (packets !== undefined) figures[`${mark}_${name}`] = packets;
      if (bits !== undefined) figures[`${mark}_${name}bits`] = bits;
    }
  }
  return figures;
}
