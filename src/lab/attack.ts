// A past attack in the lab's sample data.

const minuteMs = 60_000;

export const labAttack = {
  detector: 'lab',
  account: 1,
  service: 1001,
  device: 'dc01r01ds01',
  address: '203.0.113.10',
  network: '203.0.113.10/32',
  beforeMs: 2 * 86_400_000,
  lastsMs: 30 * minuteMs,
  nullroutedAfterMs: 4 * minuteMs,
  packetsPerSecond: 412_000,
  bitsPerSecond: 3_296_000_000,
};

const bitsPerPacket = 8000;

/** Returns the traffic at a point in the attack, from 0 to 1: it rises, holds and fades. */
export function labAttackFigures(progress: number): Record<string, number> {
  const strength = Math.min(1, progress * 5, (1 - progress) * 10 + 0.1);
  const udp = Math.round(labAttack.packetsPerSecond * strength);
  const tcp = 1800;
  const syn = 40;
  const icmp = 12;
  const total = udp + tcp + icmp;
  return {
    d_total: total,
    d_totalbits: total * bitsPerPacket,
    d_udp: udp,
    d_udpbits: udp * bitsPerPacket,
    d_tcp: tcp,
    d_tcpbits: tcp * bitsPerPacket,
    d_syn: syn,
    d_synbits: syn * 480,
    d_icmp: icmp,
    d_icmpbits: icmp * 672,
    s_total: 2300,
    s_totalbits: 2300 * bitsPerPacket,
    s_tcp: 2300,
    s_tcpbits: 2300 * bitsPerPacket,
  };
}
