// Traffic to and from an address per second, by kind, as both of FastNetMon's formats report it. `d_` is towards the
// address, `s_` from it; without a suffix packets, with `bits` bits.

export const figureNames = [
  'd_total',
  'd_totalbits',
  's_total',
  's_totalbits',
  'd_tcp',
  'd_tcpbits',
  's_tcp',
  's_tcpbits',
  'd_syn',
  'd_synbits',
  's_syn',
  's_synbits',
  'd_udp',
  'd_udpbits',
  's_udp',
  's_udpbits',
  'd_icmp',
  'd_icmpbits',
  's_icmp',
  's_icmpbits',
] as const;
export type FigureName = (typeof figureNames)[number];
/** Integers; missing ones are unknown. */
export type Figures = Partial<Record<FigureName, number>>;

export const directions = [
  { mark: 'd', word: 'incoming' },
  { mark: 's', word: 'outgoing' },
] as const;
/** Our names to FastNetMon's. */
export const kinds = { total: 'total', tcp: 'tcp', syn: 'syn tcp', udp: 'udp', icmp: 'icmp' } as const;
