// What staff see of a switch: every few minutes, all its ports with their averages since the previous report. A counter that fell
// or is missing, and a restart in between, make an average unknown, never zero.
import type { Neighbour, PortErrors, SwitchCounters, SwitchInspection } from '#drivers/switch/driver.ts';
import { pickDefined } from '#lib/defined.ts';
import { hasRecentErrors, type ReportedPort, type SwitchReport } from '#store/network/switch-reports.ts';

const reportMs = 300_000;
/** A poll that is a little early is not put off by a minute. */
const earlyMs = 10_000;
/** Averages over longer say nothing about now. */
const longestSpanMs = 3 * reportMs;

/** The first report has no averages, so the second follows at the next poll. */
export function isReportDue(report: SwitchReport | undefined, now: number): boolean {
  if (report === undefined) return true;
  const hasAverages = report.ports.some(({ inRate }) => inRate !== undefined);
  return now < report.readAt || now >= reportDueAt(report) || !hasAverages;
}

export function reportDueAt({ readAt }: SwitchReport): number {
  return readAt + reportMs - earlyMs;
}

export interface ReportReading {
  readonly atMs: number;
  readonly counters: SwitchCounters;
  readonly inspection: SwitchInspection;
  /** Undefined if they were not read; those of the previous report stay. */
  readonly neighbours: readonly Neighbour[] | undefined;
}

export function reportOf(before: SwitchReport | undefined, reading: ReportReading): SwitchReport {
  const { atMs, inspection } = reading;
  const upSeconds = Math.floor(inspection.upTimeTicks / 100);
  const spanMs = before === undefined ? 0 : atMs - before.readAt;
  const isComparable = spanMs > 0 && spanMs <= longestSpanMs && upSeconds >= before!.summary.upSeconds;
  const known = new Map(before?.ports.map((port) => [port.index, port]));
  const counters = new Map(reading.counters.ports.map((port) => [port.ifIndex, port]));
  const neighbours = new Map(reading.neighbours?.map((neighbour) => [neighbour.ifIndex, neighbour]));
  const ports = inspection.ports.map((state): ReportedPort => {
    const former = known.get(state.ifIndex);
    // Under another name, its counters are those of another port.
    const previous = former?.name === state.name ? former : undefined;
    const octets = counters.get(state.ifIndex);
    const current = {
      ...(octets && { octets: { in: String(octets.inOctets), out: String(octets.outOctets) } }),
      ...presentErrors(state),
    };
    const neighbour =
      reading.neighbours === undefined ? previous?.neighbour : neighbourOf(neighbours.get(state.ifIndex));
    return {
      index: state.ifIndex,
      name: state.name,
      alias: state.alias,
      admin: state.adminStatus,
      oper: state.operStatus,
      speed: state.speedBitsPerSecond,
      ...current,
      ...(isComparable && previous !== undefined && averagesOf(previous, current, spanMs, atMs)),
      ...(neighbour && { neighbour }),
    };
  });
  return {
    readAt: atMs,
    summary: {
      description: inspection.description,
      upSeconds,
      ports: ports.length,
      portsUp: ports.filter(({ oper }) => oper === 'up').length,
      portsWithErrors: ports.filter((port) => hasRecentErrors(port, atMs)).length,
    },
    ports,
  };
}

const errorNames = ['inErrors', 'outErrors', 'inDiscards', 'outDiscards'] as const;
type CountedErrors = Partial<Record<(typeof errorNames)[number], number>>;
type Counted = Pick<ReportedPort, 'octets'> & CountedErrors;

function presentErrors({ inErrors, outErrors, inDiscards, outDiscards }: PortErrors): CountedErrors {
  return pickDefined({ inErrors, outErrors, inDiscards, outDiscards });
}

function averagesOf(before: ReportedPort, now: Counted, spanMs: number, atMs: number): Partial<ReportedPort> {
  const bits = (direction: 'in' | 'out'): number | undefined => {
    if (before.octets === undefined || now.octets === undefined) return undefined;
    const octets = BigInt(now.octets[direction]) - BigInt(before.octets[direction]);
    return octets < 0n ? undefined : Math.round((Number(octets) * 8000) / spanMs);
  };
  const perMinute = (...names: (typeof errorNames)[number][]): number | undefined => {
    const rises = names.map((name) => riseOf(before[name], now[name])).filter((rise) => rise !== undefined);
    return rises.length === 0 ? undefined : (rises.reduce((sum, rise) => sum + rise, 0) * 60_000) / spanMs;
  };
  const averages = {
    inRate: bits('in'),
    outRate: bits('out'),
    errorRate: perMinute('inErrors', 'outErrors'),
    discardRate: perMinute('inDiscards', 'outDiscards'),
  };
  const hasRisen = (averages.errorRate ?? 0) > 0 || (averages.discardRate ?? 0) > 0;
  return pickDefined({ ...averages, errorAt: hasRisen ? atMs : before.errorAt });
}

function riseOf(before: number | undefined, now: number | undefined): number | undefined {
  return before === undefined || now === undefined || now < before ? undefined : now - before;
}

function neighbourOf(neighbour: Neighbour | undefined): ReportedPort['neighbour'] {
  return neighbour && { system: neighbour.system ?? '', port: neighbour.port ?? '', macs: neighbour.macs };
}
