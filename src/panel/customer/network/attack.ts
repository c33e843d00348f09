// Converts the API's anomalies into attacks: time, strength, kind and null route.
import type { AnomalyEvent } from '#sdk/v2.ts';
import { t } from '../../text/text.ts';

export interface Point {
  /** Unix seconds, like all times in this file. */
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
  /** The detector's classification, such as `UDP flood`. */
  readonly kind: string;
  readonly start: number;
  /** Undefined while the attack is ongoing. */
  readonly end: number | undefined;
  readonly nullroute: { readonly from: number; readonly until: number | undefined } | undefined;
  readonly bits: Peak;
  readonly packets: Peak;
  readonly points: readonly Point[];
  /** Bits per second by protocol at the peak, largest first, without protocols that were not seen. */
  readonly protocols: readonly { readonly name: string; readonly bits: number }[];
}

type Log = AnomalyEvent['logs']['result'][number];
const protocols = [
  ['UDP', 'd_udpbits', 's_udpbits'],
  ['TCP', 'd_tcpbits', 's_tcpbits'],
  ['ICMP', 'd_icmpbits', 's_icmpbits'],
] as const;

export function toAttack(event: AnomalyEvent): Attack {
  const records = event.detail.result;
  const isOutgoing = records.length > 0 && records.every(({ rule_direction }) => rule_direction === 'outgoing');
  const logs = event.logs.result;
  const points = logs.map((log) => ({
    at: Number(log.activity),
    bits: Number(isOutgoing ? log.s_totalbits : log.d_totalbits),
    packets: Number(isOutgoing ? log.s_total : log.d_total),
  }));
  const bits = findPeak(event, points, 'bits');
  const strongest = logs[points.findIndex(({ at }) => at === bits.at)];
  return {
    id: event.anomaly_id,
    service: event.internal_service,
    device: event.internal_device,
    address: event.target_ip,
    direction: isOutgoing ? 'outgoing' : 'incoming',
    kind: attackKindText(records.map(({ filters }) => filters).find((filters) => filters !== '') ?? ''),
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
    packets: findPeak(event, points, 'packets'),
    points,
    protocols: strongest === undefined ? [] : listProtocols(strongest, isOutgoing),
  };
}

/** Returns the attacks, newest first. */
export function listAttacks(events: Readonly<Record<string, AnomalyEvent>>): Attack[] {
  return Object.values(events)
    .map(toAttack)
    .toSorted((left, right) => right.start - left.start || Number(right.id) - Number(left.id));
}

/**
 * Returns the highest rate. The time is known only for logged rates; a detector may have reported a higher rate in
 * between.
 */
function findPeak({ detail }: AnomalyEvent, points: readonly Point[], unit: 'bits' | 'packets'): Peak {
  const reported = detail.result.filter(({ rule_unit }) => rule_unit === `${unit}/s`).map(({ value }) => Number(value));
  const highest = points.reduce<Point | undefined>(
    (max, point) => (max === undefined || point[unit] > max[unit] ? point : max),
    undefined,
  );
  return { value: Math.max(0, highest?.[unit] ?? 0, ...reported), at: highest?.at };
}

function listProtocols(log: Log, isOutgoing: boolean): { name: string; bits: number }[] {
  return protocols
    .map(([name, inward, outward]) => ({ name, bits: Number(log[isOutgoing ? outward : inward]) }))
    .filter(({ bits }) => bits > 0)
    .toSorted((left, right) => right.bits - left.bits);
}

const acronyms = new Set(['udp', 'tcp', 'syn', 'icmp', 'dns', 'ntp', 'ack', 'gre', 'ssdp']);

/** Returns `UDP flood` for `udp_flood`. */
export function attackKindText(kind: string): string {
  if (kind === '') return t('Unusual traffic');
  const words = kind.split(/[_ ]/).map((word) => (acronyms.has(word.toLowerCase()) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return t('under a minute');
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours < 48) return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  return t('{count} days', { count: Math.round(hours / 24) });
}
