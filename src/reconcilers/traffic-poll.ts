// Reads the counters of every port once a minute and turns them into five-minute samples. So many switches at once, each
// within its own time, and more are begun while some are still waited for: one that is slow delays no other. What was missed
// is a gap, never a peak.
import { setTimeout as pause } from 'node:timers/promises';
import type { PortState, Switch, SwitchCounters } from '#drivers/switch/driver.ts';
import type { Switches } from '#equipment/switches.ts';
import { addTraffic } from '#equipment/traffic.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import { readMeter, type CounterReading, type Meter } from '#kernel/traffic/meter.ts';
import type { Queries, Store } from '#store/store.ts';
import {
  portDescribe,
  portsOfSwitch,
  switchesToPoll,
  switchPolled,
  type Port,
  type SwitchRow,
} from '#store/network/switches.ts';
import { metersOf, metersPut, type MeterTable } from '#store/network/traffic.ts';
import type { Reconciler } from './reconciler.ts';

export interface TrafficPollParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly switches: Switches;
}

const everySeconds = 5;
const betweenPollsMs = 60_000;
const jitterMs = 2000;
const switchesInARun = 200;
const switchesAtOnce = 40;
const pollMs = 20_000;
const lookAgainMs = 1000;
/** A run takes on no more after this, and so ends well before its deadline. */
const takesOnMs = 60_000;
const hourMs = 3_600_000;

export function trafficPoll(parts: TrafficPollParts): Reconciler {
  return {
    name: 'traffic-poll',
    everySeconds,
    deadlineSeconds: 120,
    async run(signal) {
      const underWay = new Map<string, Promise<void>>();
      const untilMs = performance.now() + takesOnMs;
      let waiting = 0;
      do {
        const due = await switchesToPoll(parts.store.queries, parts.clock.now(), switchesInARun);
        const idle = due.filter(({ name }) => !underWay.has(name));
        const room = performance.now() < untilMs && !signal.aborted ? switchesAtOnce - underWay.size : 0;
        waiting = Math.max(0, idle.length - room);
        for (const device of idle.slice(0, room)) {
          const { name } = device;
          underWay.set(
            name,
            poll(parts, device, signal).finally(() => underWay.delete(name)),
          );
        }
        if (underWay.size > 0) {
          await Promise.race([...underWay.values(), pause(lookAgainMs, undefined, { ref: false })]);
        }
      } while (underWay.size > 0);
      return { backlog: waiting };
    },
  };
}

/** Whatever is wrong with one switch is written down at that switch and is no matter of the others. */
async function poll(parts: TrafficPollParts, device: SwitchRow, signal: AbortSignal): Promise<void> {
  const { store, clock, log } = parts;
  const { name } = device;
  // From the time that was planned, so that polls do not drift; jittered, so that switches do not fall into step.
  const planned = Math.max(clock.now() + betweenPollsMs / 2, device.next_poll_at + betweenPollsMs);
  const next_poll_at = Math.round(planned + Math.random() * jitterMs);
  try {
    const { atMs, counters, states } = await ask(parts, device, signal);
    await store.transaction(async (queries) => {
      await describe(queries, await portsOfSwitch(queries, name), states);
      await meter(queries, await portsOfSwitch(queries, name), counters, atMs);
      await switchPolled(queries, name, { next_poll_at, last_poll_at: atMs, poll_error: null });
    });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Fault)) log.warn({ err: error, switch: name }, 'switch could not be polled');
    await switchPolled(store.queries, name, {
      next_poll_at,
      poll_error: error instanceof Fault ? error.code : 'internal_error',
    });
  }
}

interface Asked {
  /** Before the first answer, which holds the switch's own time: a table that takes long to read does not shift it. */
  readonly atMs: number;
  readonly counters: SwitchCounters;
  readonly states: readonly PortState[];
}

async function ask(
  { clock, switches }: TrafficPollParts,
  { name, last_poll_at }: SwitchRow,
  signal: AbortSignal,
): Promise<Asked> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(pollMs)]);
  return switches.use(name, async (device) => {
    const atMs = clock.now();
    const counters = await device.counters(limit);
    const isNewHour = last_poll_at === null || Math.floor(last_poll_at / hourMs) !== Math.floor(atMs / hourMs);
    return { atMs, counters, states: isNewHour ? await statesOf(device, limit) : [] };
  });
}

/** Names and speeds can wait for the next hour; the counters that were read cannot. */
async function statesOf(device: Switch, limit: AbortSignal): Promise<readonly PortState[]> {
  try {
    return await device.ports(limit);
  } catch (error) {
    if (error instanceof Fault) return [];
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
    const { meter: after, samples } = readMeter(before === undefined ? undefined : meterOf(before), reading, kind);
    meters.push({ port_id: port.id, meter: meterText(after) });
    if (samples.length > 0) await addTraffic(queries, port.id, samples);
  }
  await metersPut(queries, meters);
}

/** Counters are larger than JSON's numbers, so they stand as text. */
function meterText(meter: Meter): string {
  return JSON.stringify(meter, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
function meterOf(text: string): Meter {
  const meter = JSON.parse(text) as Meter & { last: { inOctets: string; outOctets: string } };
  return {
    ...meter,
    last: { ...meter.last, inOctets: BigInt(meter.last.inOctets), outOctets: BigInt(meter.last.outOctets) },
  };
}
