// The two address families: how their sortable texts start, and the sizes in which blocks are assigned and counted.
export const families = {
  ipv4: { mark: '4', bits: 32, lengths: [24, 25, 26, 27, 28, 29, 30, 32], unitLength: 32 },
  ipv6: { mark: '6', bits: 128, lengths: [64], unitLength: 64 },
} as const;
export type Family = keyof typeof families;
