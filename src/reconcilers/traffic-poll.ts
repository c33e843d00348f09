// Reads the counters of every port every minute or two and turns them into five-minute samples. A missed reading is a gap, never a
// peak. Ports are identified each time, so that a switch that renumbers them does not mix up customers.
import { hasKey, portLabel } from '#drivers/switch/driver.ts';
import type { Neighbour, PortCounters, PortKey, PortNames, PortState } from '#drivers/switch/driver.ts';
import type { Switch, SwitchCounters, SwitchInspection } from '#drivers/switch/driver.ts';
import { findMiscabled } from '#equipment/cabling.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { bindPort, isAssigned, keyOf, type Binding } from '#equipment/port-binding.ts';
import { isBindingStored, storeBinding } from '#equipment/ports.ts';
import type { Switches } from '#equipment/switches.ts';
import type { Waits } from '#equipment/waits.ts';
import { hasNewMarks, meterMemory, type MeterForm, type MeterMemory } from '#equipment/device-meters.ts';
import { fromStoredMeter, toStoredMeter } from '#equipment/traffic.ts';
import { ApiError, operatorMessage } from '#lib/api-error.ts';
import { hourMs } from '#lib/time.ts';
import { readMeter, safePollMs, shortestPollMs, type Meter } from '#traffic/meter.ts';
import type { MemberSample } from '#traffic/sample-block.ts';
import type { Queries } from '#store/store.ts';
import {
  portBind,
  portDescribe,
  portsOfSwitch,
  portsOfSwitches,
  switchesToPoll,
  switchPollSet,
  type Port,
  type SwitchRow,
} from '#store/network/switches.ts';
import { switchReportFind, switchReportPut, type SwitchReport } from '#store/network/switch-reports.ts';
import { deviceMetersVersions } from '#store/network/sample-blocks.ts';
import { metersOf, metersRemove, portMeter, switchMeters, type StoredMeter } from '#store/network/traffic.ts';
import { combineReads, combineWrites } from './batching.ts';
import { nextPollAt, pollingReconciler, pollIntervalMs } from './poll.ts';
import { failureLog, type FailureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';
import { isReportDue, reportDueAt, reportOf } from './switch-report.ts';

export interface TrafficPollParts extends ReconcilerParts {
  readonly switches: Switches;
}

/** With more than a hundred switches on one instance, readings take turns, but there are at least two in a sample. */
const intervalPerSwitchMs = 600;
const longestIntervalMs = 120_000;

/** What polls share. */
interface PollMemory {
  readonly failures: FailureLog;
  readonly meters: MeterMemory<Meter>;
  /** Switches whose last report this process has read, and when it did and the next is due. */
  readonly reports: Map<string, { readonly readAt: number; readonly dueAt: number }>;
  readStored(name: string): Promise<StoredSwitch | undefined>;
  savePoll(poll: { readonly name: string } & Parameters<typeof switchPollSet>[2]): Promise<void>;
}

interface StoredSwitch {
  readonly ports: readonly Port[];
  readonly metersVersion: number;
}

const portForm: MeterForm<Meter, StoredMeter> = {
  column: switchMeters,
  encode: toStoredMeter,
  decode: fromStoredMeter,
  series: 1,
  split: (meter) => [meter],
  join: ([meter]) => meter!,
};

/** As long as most switches take to respond: those that are due together are written together. */
const collectMs = 500;

export function trafficPoll(parts: TrafficPollParts): Reconciler {
  const { store, clock, log } = parts;
  const memory: PollMemory = {
    failures: failureLog(log, 'could not poll a switch'),
    meters: meterMemory('port', portForm),
    // One entry per switch.
    reports: new Map(),
    readStored: combineReads(async (names) => {
      const ports = await portsOfSwitches(store.queries, names);
      const versions = await deviceMetersVersions(store.queries, 'port', names);
      return new Map(
        names.map((name) => [name, { ports: ports.get(name) ?? [], metersVersion: versions.get(name) ?? 0 }]),
      );
    }),
    savePoll: combineWrites(store, collectMs, async (queries, polls) => {
      // In the order of names, like other transactions that change several switches, so that none waits for another in a circle.
      for (const { name, ...poll } of polls.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
        await switchPollSet(queries, name, poll);
    }),
  };
  return pollingReconciler(
    'traffic-poll',
    (limit) => switchesToPoll(store.queries, clock.now(), limit),
    (device, signal) => poll(parts, memory, device, signal),
  );
}

/** Records an error with the switch; it does not affect the others. */
async function poll(
  parts: TrafficPollParts,
  memory: PollMemory,
  device: SwitchRow,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = parts;
  const { name } = device;
  const { ports, metersVersion } = (await memory.readStored(name))!;
  const next_poll_at = nextPollAt(clock.now(), device.next_poll_at, pollIntervalOf(ports, memory.reports.size));
  try {
    const report = await findDueReport(parts, memory, name);
    const reading = await readSwitch(parts, device, ports, report !== undefined, signal);
    const counted = await identifyPorts(parts, name, ports, reading);
    await readMeters(parts, memory.meters, { name, metersVersion }, counted, reading);
    if (reading.inspection !== undefined)
      await switchReportPut(
        store.queries,
        name,
        reportOf(report?.before, { ...reading, inspection: reading.inspection }),
      );
    const seen = { last_poll_at: reading.atMs, poll_error: null, error_text: '' };
    await memory.savePoll({ name, next_poll_at, ...seen });
    memory.failures.succeeded(name);
  } catch (error) {
    if (signal.aborted) return;
    const poll_error = memory.failures.failed(name, error);
    await memory.savePoll({ name, next_poll_at, poll_error, error_text: operatorMessage(error) });
  }
}

/** Returns the last report if the next one is due. */
async function findDueReport(
  { store, clock }: TrafficPollParts,
  { reports }: PollMemory,
  name: string,
): Promise<{ readonly before: SwitchReport | undefined } | undefined> {
  const now = clock.now();
  const last = reports.get(name);
  if (last !== undefined && now >= last.readAt && now < last.dueAt) return undefined;
  const before = await switchReportFind(store.queries, name);
  if (before === undefined || isReportDue(before, now)) return { before };
  reports.set(name, { readAt: now, dueAt: reportDueAt(before) });
  return undefined;
}

interface SwitchReading {
  /** Taken before the first response, which has the switch's own time: a table that is slow to read does not shift it. */
  readonly atMs: number;
  readonly counters: SwitchCounters;
  /** Empty unless an hour has passed, or a port is not known yet or has no counters. */
  readonly states: readonly PortState[];
  /** Undefined unless an hour has passed. */
  readonly neighbours: readonly Neighbour[] | undefined;
  /** Undefined unless a report is due. */
  readonly inspection: SwitchInspection | undefined;
}

async function readSwitch(
  { clock, switches }: TrafficPollParts,
  { name, revision, last_poll_at }: SwitchRow,
  ports: readonly Port[],
  isReportDue: boolean,
  signal: AbortSignal,
): Promise<SwitchReading> {
  const keys = ports.map(keyOf);
  const read = async (device: Switch, { pollMs }: Waits): Promise<SwitchReading> => {
    const limit = commandTimeout(signal, pollMs);
    const atMs = clock.now();
    const isNewHour = last_poll_at === null || Math.floor(last_poll_at / hourMs) !== Math.floor(atMs / hourMs);
    const wanted = keys.filter((key) => key !== undefined);
    const counters = await device.counters(wanted, limit);
    const isCounted = (key: PortKey): boolean => counters.ports.some((port) => hasKey(port, key));
    const needsStates = isNewHour || wanted.length < keys.length || !wanted.every(isCounted);
    const inspection = isReportDue ? await orNothing(device.inspect(limit)) : undefined;
    const states = inspection?.ports ?? (needsStates ? await orNothing(device.ports(limit)) : undefined);
    return {
      atMs,
      counters,
      inspection,
      states: states ?? [],
      neighbours: isNewHour ? await orNothing(device.neighbours(limit)) : undefined,
    };
  };
  return switches.use(name, read, revision);
}

/** Names, speeds and neighbours can wait for the next hour; the counters cannot. */
async function orNothing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

type CountedPort = readonly [port: Port, counters: PortCounters];

/** A stored port, and what the switch says about it. */
interface MatchedPort {
  readonly port: Port;
  readonly binding: Binding<PortNames>;
  /** Undefined if the states were not read. */
  readonly state: PortState | undefined;
  readonly octets: PortCounters | undefined;
}

function matchPorts(stored: readonly Port[], { counters, states }: SwitchReading): MatchedPort[] {
  const present: readonly PortNames[] = states.length > 0 ? states : counters.ports;
  // A port is learned from the states: the counters may lack some ports.
  const known = stored.filter((port) => keyOf(port) !== undefined || states.length > 0);
  return known.map((port) => {
    const binding = bindPort(port, present, stored);
    if ('problem' in binding) return { port, binding, state: undefined, octets: undefined };
    const { key, found } = binding;
    const [octets, ...others] = counters.ports.filter((candidate) => hasKey(candidate, key));
    return {
      port,
      binding,
      state: states.find(({ ifIndex }) => ifIndex === found.ifIndex),
      octets: others.length > 0 ? undefined : octets,
    };
  });
}

function isDescribed({ alias, speed }: Port, state: PortState): boolean {
  return portLabel(state) === alias && state.speedBitsPerSecond === speed;
}

function isStored({ port, binding, state, octets }: MatchedPort): boolean {
  if (!isBindingStored(port, binding)) return false;
  if (octets !== undefined && octets.counterBits !== port.counter_bits) return false;
  return state === undefined || isDescribed(port, state);
}

/**
 * Stores where each port is now, and returns those that have counters. A port that cannot be identified is not counted. Most
 * polls find nothing new, and need no transaction.
 */
async function identifyPorts(
  parts: TrafficPollParts,
  name: string,
  ports: readonly Port[],
  reading: SwitchReading,
): Promise<CountedPort[]> {
  const matches = matchPorts(ports, reading);
  if (reading.neighbours === undefined && matches.every(isStored)) return countedPorts(matches);
  return parts.store.transaction(async (queries) => {
    const current = matchPorts(await portsOfSwitch(queries, name), reading);
    for (const match of current) await storeMatch(parts, queries, match);
    if (reading.neighbours !== undefined) await checkCables(queries, name, current, reading.neighbours);
    return countedPorts(current);
  });
}

async function storeMatch({ log }: TrafficPollParts, queries: Queries, match: MatchedPort): Promise<void> {
  const { port, binding, state, octets } = match;
  if (await storeBinding(queries, port, binding)) {
    const { switch: name, if_index: ifIndex, current_index: before, key } = port;
    const now = 'problem' in binding ? binding.problem : binding.found.ifIndex;
    if (key !== null && isAssigned(port)) log.warn({ switch: name, ifIndex, key, before, now }, 'a switch port moved');
  }
  if (state !== undefined && !isDescribed(port, state))
    await portDescribe(queries, port.id, portLabel(state), state.speedBitsPerSecond);
  if (octets !== undefined && octets.counterBits !== port.counter_bits)
    await portBind(queries, port.id, { counter_bits: octets.counterBits });
}

function countedPorts(matches: readonly MatchedPort[]): CountedPort[] {
  return matches.flatMap(({ port, binding, state, octets }): CountedPort[] => {
    if ('problem' in binding || octets === undefined) return [];
    const { by: key_by, value: key } = binding.key;
    return [[{ ...port, key_by, key, speed: state?.speedBitsPerSecond ?? port.speed }, octets]];
  });
}

async function checkCables(
  queries: Queries,
  name: string,
  matches: readonly MatchedPort[],
  neighbours: readonly Neighbour[],
): Promise<void> {
  const identified = matches.flatMap(({ port, binding }) =>
    'problem' in binding ? [] : [{ port, ifIndex: binding.found.ifIndex }],
  );
  const miscabled = await findMiscabled(queries, name, identified, neighbours);
  for (const { port } of identified) {
    const cabled_to = miscabled.get(port.id) ?? null;
    if (cabled_to !== port.cabled_to) await portBind(queries, port.id, { cabled_to });
  }
}

async function readMeters(
  { store }: TrafficPollParts,
  memory: MeterMemory<Meter>,
  { name, metersVersion }: { readonly name: string; readonly metersVersion: number },
  counted: readonly CountedPort[],
  { atMs, counters: { upTimeTicks } }: SwitchReading,
): Promise<void> {
  const known = await memory.load(store.queries, name, metersVersion);
  const added = counted.map(([{ id }]) => id).filter((id) => !known.byMember.has(id));
  const former = await metersOf(store.queries, added);
  const meters = memory.collect(known.byMember);
  const samples: MemberSample[] = [];
  let mustStore = false;
  for (const [port, { inOctets, outOctets, counterBits }] of counted) {
    // Under another key, its counters are those of another port.
    const run = `${port.key_by} ${port.key}${counterBits === 32 ? ', 32-bit' : ''}`;
    const before = known.byMember.get(port.id) ?? formerMeter(former.get(port.id), run);
    const result = readMeter(
      before,
      { atMs, upTimeTicks, run, inOctets, outOctets },
      { counterBits, speedBitsPerSecond: port.speed },
    );
    meters.set(port.id, result.meter);
    // Until the end of the interval, 32-bit counters may wrap unnoticed.
    mustStore ||= counterBits === 32 || hasNewMarks(before, result.meter);
    samples.push(...result.samples.map((sample) => ({ ...sample, member: port.id, series: 0 })));
  }
  await memory.keep(store, name, known.version, meters, {
    samples,
    added,
    mustStore,
    onAdd: (queries) => metersRemove(queries, added),
  });
}

/** Returns a meter of a release that stored them by port. */
function formerMeter(stored: string | undefined, run: string): Meter | undefined {
  if (stored === undefined) return undefined;
  const meter = fromStoredMeter(portMeter.decode(stored));
  return { ...meter, last: { ...meter.last, run } };
}

/** A port with 32-bit counters is read before they can wrap twice, as far as that is possible. */
function pollIntervalOf(ports: readonly Port[], switches: number): number {
  const limits = ports
    .filter((port) => isAssigned(port) && port.counter_bits === 32)
    .map(({ speed }) => safePollMs(speed));
  const steadyMs = Math.min(longestIntervalMs, Math.max(pollIntervalMs, switches * intervalPerSwitchMs));
  return Math.max(shortestPollMs, Math.min(steadyMs, ...limits));
}
