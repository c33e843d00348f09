// An attack as the pages tell of it, out of an anomaly of the interface: when, how strong, of which kind, and its null-route.
import type { AnomalyEvent } from '#sdk/v2.ts';

export interface Point {
  /** Seconds since 1970, as all moments here. */
  readonly at: number;
  readonly bits: number;
  readonly packets: number;
}
export interface Peak {
  readonly value: number;
  readonly at: number | undefined;
}
export interface Attack {
  readonly id: string;
  readonly service: string;
  readonly device: string;
  readonly address: string;
  readonly direction: 'incoming' | 'outgoing';
  /** What the detector takes it for, such as `UDP flood`. */
  readonly kind: string;
  readonly start: number;
  /** Undefined while it goes on. */
  readonly end: number | undefined;
  readonly nullroute: { readonly from: number; readonly until: number | undefined } | undefined;
  readonly bits: Peak;
  readonly packets: Peak;
  readonly points: readonly Point[];
  /** Bits per second by protocol at the peak, the largest first, without those that were not seen. */
  readonly protocols: readonly { readonly name: string; readonly bits: number }[];
}

type Log = AnomalyEvent['logs']['result'][number];
const protocols = [
  ['UDP', 'd_udpbits', 's_udpbits'],
  ['TCP', 'd_tcpbits', 's_tcpbits'],
  ['ICMP', 'd_icmpbits', 's_icmpbits'],
] as const;

export function attackOf(event: AnomalyEvent): Attack {
  const records = event.detail.result;
  const isOutgoing = records.length > 0 && records.every(({ rule_direction }) => rule_direction === 'outgoing');
  const logs = event.logs.result;
  const points = logs.map((log) => ({
    at: Number(log.activity),
    bits: Number(isOutgoing ? log.s_totalbits : log.d_totalbits),
    packets: Number(isOutgoing ? log.s_total : log.d_total),
  }));
  const bits = peakOf(event, points, 'bits');
  const strongest = logs[points.findIndex(({ at }) => at === bits.at)];
  return {
    id: event.anomaly_id,
    service: event.internal_service,
    device: event.internal_device,
    address: event.target_ip,
    direction: isOutgoing ? 'outgoing' : 'incoming',
    kind: kindText(records.map(({ filters }) => filters).find((filters) => filters !== '') ?? ''),
    start: Number(event.start),
    end: event.active === '1' ? undefined : Number(event.end),
    nullroute:
      event.nullroute_start === null
        ? undefined
        : {
            from: Number(event.nullroute_start),
            until: event.nullroute_end === null ? undefined : Number(event.nullroute_end),
          },
    bits,
    packets: peakOf(event, points, 'packets'),
    points,
    protocols: strongest === undefined ? [] : protocolsOf(strongest, isOutgoing),
  };
}

/** The newest first. */
export function attacksOf(events: Readonly<Record<string, AnomalyEvent>>): Attack[] {
  return Object.values(events)
    .map(attackOf)
    .toSorted((one, other) => other.start - one.start || Number(other.id) - Number(one.id));
}

/** What was logged is known with its moment; a detector may have told of a higher value in between. */
function peakOf({ detail }: AnomalyEvent, points: readonly Point[], unit: 'bits' | 'packets'): Peak {
  const told = detail.result.filter(({ rule_unit }) => rule_unit === `${unit}/s`).map(({ value }) => Number(value));
  const highest = points.reduce<Point | undefined>(
    (most, point) => (most === undefined || point[unit] > most[unit] ? point : most),
    undefined,
  );
  return { value: Math.max(0, highest?.[unit] ?? 0, ...told), at: highest?.at };
}

function protocolsOf(log: Log, isOutgoing: boolean): { name: string; bits: number }[] {
  return protocols
    .map(([name, inward, outward]) => ({ name, bits: Number(log[isOutgoing ? outward : inward]) }))
    .filter(({ bits }) => bits > 0)
    .toSorted((one, other) => other.bits - one.bits);
}

const initials = new Set(['udp', 'tcp', 'syn', 'icmp', 'dns', 'ntp', 'ack', 'gre', 'ssdp']);

/** `udp_flood` becomes `UDP flood`. */
export function kindText(kind: string): string {
  if (kind === '') return 'Unusual traffic';
  const words = kind.split(/[_ ]/).map((word) => (initials.has(word.toLowerCase()) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return 'under a minute';
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours < 48) return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  return `${Math.round(hours / 24)} days`;
}
