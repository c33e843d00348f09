// Reads the counters of every port once a minute and turns them into five-minute samples. A missed reading is a gap, never a
// peak.
import type { PortState, Switch, SwitchCounters } from '#drivers/switch/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import type { Switches } from '#equipment/switches.ts';
import { addTraffic, fromStoredMeter, toStoredMeter } from '#equipment/traffic.ts';
import { ApiError } from '#lib/api-error.ts';
import { readMeter, type CounterReading } from '#traffic/meter.ts';
import type { Queries } from '#store/store.ts';
import {
  portDescribe,
  portsOfSwitch,
  switchesToPoll,
  switchPollSet,
  type Port,
  type SwitchRow,
} from '#store/network/switches.ts';
import { metersOf, metersPut, portMeter } from '#store/network/traffic.ts';
import { nextPollAt, pollingReconciler, pollTimeoutMs } from './poll.ts';
import { failureLog, type FailureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';
import type { MeterTable } from '#store/network/tables.ts';

export interface TrafficPollParts extends ReconcilerParts {
  readonly switches: Switches;
}

const hourMs = 3_600_000;

export function trafficPoll(parts: TrafficPollParts): Reconciler {
  const failures = failureLog(parts.log, 'could not poll a switch');
  return pollingReconciler(
    'traffic-poll',
    (limit) => switchesToPoll(parts.store.queries, parts.clock.now(), limit),
    (device, signal) => poll(parts, failures, device, signal),
  );
}

/** Records an error with the switch; it does not affect the others. */
async function poll(
  parts: TrafficPollParts,
  failures: FailureLog,
  device: SwitchRow,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = parts;
  const { name } = device;
  const next_poll_at = nextPollAt(clock.now(), device.next_poll_at);
  try {
    const { atMs, counters, states } = await readSwitch(parts, device, signal);
    await store.transaction(async (queries) => {
      await describe(queries, await portsOfSwitch(queries, name), states);
      await meter(queries, await portsOfSwitch(queries, name), counters, atMs);
      await switchPollSet(queries, name, { next_poll_at, last_poll_at: atMs, poll_error: null });
    });
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
  readonly states: readonly PortState[];
}

async function readSwitch(
  { clock, switches }: TrafficPollParts,
  { name, last_poll_at }: SwitchRow,
  signal: AbortSignal,
): Promise<SwitchReading> {
  const limit = commandTimeout(signal, pollTimeoutMs);
  return switches.use(name, async (device) => {
    const atMs = clock.now();
    const counters = await device.counters(limit);
    const isNewHour = last_poll_at === null || Math.floor(last_poll_at / hourMs) !== Math.floor(atMs / hourMs);
    return { atMs, counters, states: isNewHour ? await readPortStates(device, limit) : [] };
  });
}

/** Names and speeds can wait for the next hour; the counters cannot. */
async function readPortStates(device: Switch, limit: AbortSignal): Promise<readonly PortState[]> {
  try {
    return await device.ports(limit);
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

async function describe(queries: Queries, ports: readonly Port[], states: readonly PortState[]): Promise<void> {
  const stateOf = new Map(states.map((state) => [state.ifIndex, state]));
  for (const { id, if_index, alias, speed } of ports) {
    const state = stateOf.get(if_index);
    if (state === undefined || (state.alias === alias && state.speedBitsPerSecond === speed)) continue;
    await portDescribe(queries, id, state.alias, state.speedBitsPerSecond);
  }
}

async function meter(queries: Queries, ports: readonly Port[], counters: SwitchCounters, atMs: number): Promise<void> {
  const known = await metersOf(
    queries,
    ports.map(({ id }) => id),
  );
  const counted = new Map(counters.ports.map((port) => [port.ifIndex, port]));
  const meters: MeterTable[] = [];
  for (const port of ports) {
    const octets = counted.get(port.if_index);
    if (octets === undefined) continue;
    const reading: CounterReading = {
      atMs,
      upTimeTicks: counters.upTimeTicks,
      inOctets: octets.inOctets,
      outOctets: octets.outOctets,
    };
    const before = known.get(port.id);
    const kind = { counterBits: counters.counterBits, speedBitsPerSecond: port.speed };
    const { meter: after, samples } = readMeter(
      before === undefined ? undefined : fromStoredMeter(portMeter.decode(before)),
      reading,
      kind,
    );
    meters.push({ port_id: port.id, meter: portMeter.encode(toStoredMeter(after)) });
    if (samples.length > 0) await addTraffic(queries, port.id, samples);
  }
  await metersPut(queries, meters);
}
