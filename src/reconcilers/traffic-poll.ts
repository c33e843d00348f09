// Reads the counters of every port once a minute and turns them into five-minute samples. A missed reading is a gap, never a
// peak. Ports are identified each time, so that a switch that renumbers them does not mix up customers.
import { hasKey, portLabel } from '#drivers/switch/driver.ts';
import type { Neighbour, PortCounters, PortKey, PortNames, PortState } from '#drivers/switch/driver.ts';
import type { Switch, SwitchCounters } from '#drivers/switch/driver.ts';
import { findMiscabled } from '#equipment/cabling.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { bindPort, isAssigned, keyOf } from '#equipment/port-binding.ts';
import { storeBinding } from '#equipment/ports.ts';
import type { Switches } from '#equipment/switches.ts';
import type { Waits } from '#equipment/waits.ts';
import { hasNewMarks, meterMemory, type MeterMemory } from '#equipment/device-meters.ts';
import { fromStoredMeter, toStoredMeter } from '#equipment/traffic.ts';
import { ApiError } from '#lib/api-error.ts';
import { readMeter, safePollMs, shortestPollMs, type Meter } from '#traffic/meter.ts';
import type { MemberSample } from '#traffic/sample-block.ts';
import type { Queries } from '#store/store.ts';
import {
  portBind,
  portDescribe,
  portsOfSwitch,
  switchesToPoll,
  switchPollSet,
  type Port,
  type SwitchRow,
} from '#store/network/switches.ts';
import { metersOf, metersRemove, portMeter, switchMeters } from '#store/network/traffic.ts';
import { nextPollAt, pollingReconciler, pollIntervalMs } from './poll.ts';
import { failureLog, type FailureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';

export interface TrafficPollParts extends ReconcilerParts {
  readonly switches: Switches;
}

const hourMs = 3_600_000;

export function trafficPoll(parts: TrafficPollParts): Reconciler {
  const failures = failureLog(parts.log, 'could not poll a switch');
  const memory = meterMemory('port', switchMeters, toStoredMeter, fromStoredMeter);
  return pollingReconciler(
    'traffic-poll',
    (limit) => switchesToPoll(parts.store.queries, parts.clock.now(), limit),
    (device, signal) => poll(parts, memory, failures, device, signal),
  );
}

/** Records an error with the switch; it does not affect the others. */
async function poll(
  parts: TrafficPollParts,
  memory: MeterMemory<Meter>,
  failures: FailureLog,
  device: SwitchRow,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = parts;
  const { name } = device;
  const known = await portsOfSwitch(store.queries, name);
  const next_poll_at = nextPollAt(clock.now(), device.next_poll_at, pollIntervalOf(known));
  try {
    const reading = await readSwitch(parts, device, known, signal);
    const counted = await store.transaction((queries) => identifyPorts(parts, queries, name, reading));
    await readMeters(parts, memory, name, counted, reading);
    await switchPollSet(store.queries, name, { next_poll_at, last_poll_at: reading.atMs, poll_error: null });
    failures.succeeded(name);
  } catch (error) {
    if (signal.aborted) return;
    await switchPollSet(store.queries, name, { next_poll_at, poll_error: failures.failed(name, error) });
  }
}

interface SwitchReading {
  /** Taken before the first response, which has the switch's own time: a table that is slow to read does not shift it. */
  readonly atMs: number;
  readonly counters: SwitchCounters;
  /** Empty unless an hour has passed, or a port is not known yet or has no counters. */
  readonly states: readonly PortState[];
  /** Undefined unless an hour has passed. */
  readonly neighbours: readonly Neighbour[] | undefined;
}

async function readSwitch(
  { clock, switches }: TrafficPollParts,
  { name, revision, last_poll_at }: SwitchRow,
  known: readonly Port[],
  signal: AbortSignal,
): Promise<SwitchReading> {
  const keys = known.map(keyOf);
  const read = async (device: Switch, { pollMs }: Waits): Promise<SwitchReading> => {
    const limit = commandTimeout(signal, pollMs);
    const atMs = clock.now();
    const isNewHour = last_poll_at === null || Math.floor(last_poll_at / hourMs) !== Math.floor(atMs / hourMs);
    const wanted = keys.filter((key) => key !== undefined);
    const counters = await device.counters(wanted, limit);
    const isCounted = (key: PortKey): boolean => counters.ports.some((port) => hasKey(port, key));
    const needsStates = isNewHour || wanted.length < keys.length || !wanted.every(isCounted);
    return {
      atMs,
      counters,
      states: (needsStates ? await orNothing(device.ports(limit)) : undefined) ?? [],
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

/** Stores where each port is now, and returns those that have counters. A port that cannot be identified is not counted. */
async function identifyPorts(
  { log }: TrafficPollParts,
  queries: Queries,
  name: string,
  { counters, states, neighbours }: SwitchReading,
): Promise<CountedPort[]> {
  const counted: CountedPort[] = [];
  const identified: { port: Port; ifIndex: number }[] = [];
  const present: readonly PortNames[] = states.length > 0 ? states : counters.ports;
  const stored = await portsOfSwitch(queries, name);
  for (const port of stored) {
    // A port is learned from the states: the counters may lack some ports.
    if (keyOf(port) === undefined && states.length === 0) continue;
    const binding = bindPort(port, present, stored);
    if (await storeBinding(queries, port, binding)) {
      const { if_index: ifIndex, current_index: before, key } = port;
      const now = 'problem' in binding ? binding.problem : binding.found.ifIndex;
      if (key !== null && isAssigned(port))
        log.warn({ switch: name, ifIndex, key, before, now }, 'a switch port moved');
    }
    if ('problem' in binding) continue;
    const { key, found } = binding;
    identified.push({ port, ifIndex: found.ifIndex });
    const state = states.find(({ ifIndex }) => ifIndex === found.ifIndex);
    if (state !== undefined && (portLabel(state) !== port.alias || state.speedBitsPerSecond !== port.speed))
      await portDescribe(queries, port.id, portLabel(state), state.speedBitsPerSecond);
    const [octets, ...others] = counters.ports.filter((candidate) => hasKey(candidate, key));
    if (octets === undefined || others.length > 0) continue;
    if (octets.counterBits !== port.counter_bits)
      await portBind(queries, port.id, { counter_bits: octets.counterBits });
    const speed = state?.speedBitsPerSecond ?? port.speed;
    counted.push([{ ...port, key_by: key.by, key: key.value, speed }, octets]);
  }
  if (neighbours !== undefined) await checkCables(queries, name, identified, neighbours);
  return counted;
}

async function checkCables(
  queries: Queries,
  name: string,
  identified: readonly { port: Port; ifIndex: number }[],
  neighbours: readonly Neighbour[],
): Promise<void> {
  const miscabled = await findMiscabled(queries, name, identified, neighbours);
  for (const { port } of identified) {
    const cabled_to = miscabled.get(port.id) ?? null;
    if (cabled_to !== port.cabled_to) await portBind(queries, port.id, { cabled_to });
  }
}

async function readMeters(
  { store }: TrafficPollParts,
  memory: MeterMemory<Meter>,
  device: string,
  counted: readonly CountedPort[],
  { atMs, counters: { upTimeTicks } }: SwitchReading,
): Promise<void> {
  const known = await memory.load(store.queries, device);
  const added = counted.map(([{ id }]) => id).filter((id) => !known.byMember.has(id));
  const former = await metersOf(store.queries, added);
  const byMember = new Map(known.byMember);
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
    byMember.set(port.id, result.meter);
    // Until the end of the interval, 32-bit counters may wrap unnoticed.
    mustStore ||= counterBits === 32 || hasNewMarks(before, result.meter);
    samples.push(...result.samples.map((sample) => ({ ...sample, member: port.id, series: 0 })));
  }
  await memory.keep(
    store,
    device,
    { ...known, byMember },
    {
      samples,
      added,
      mustStore,
      onAdd: (queries) => metersRemove(queries, added),
    },
  );
}

/** Returns a meter of a release that stored them by port. */
function formerMeter(stored: string | undefined, run: string): Meter | undefined {
  if (stored === undefined) return undefined;
  const meter = fromStoredMeter(portMeter.decode(stored));
  return { ...meter, last: { ...meter.last, run } };
}

/** A port with 32-bit counters is read before they can wrap twice, as far as that is possible. */
function pollIntervalOf(ports: readonly Port[]): number {
  const limits = ports
    .filter((port) => isAssigned(port) && port.counter_bits === 32)
    .map(({ speed }) => safePollMs(speed));
  return Math.max(shortestPollMs, Math.min(pollIntervalMs, ...limits));
}
