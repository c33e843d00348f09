// Reads the counters of every port once a minute and turns them into five-minute samples. So many switches at once, each
// within its own time: one that is slow delays no other. What was missed is a gap, never a peak.
import type { Switches } from '#equipment/switches.ts';
import { addTraffic } from '#equipment/traffic.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import { readMeter, type CounterReading, type Meter } from '#kernel/traffic/meter.ts';
import type { SwitchCounters } from '#drivers/switch/driver.ts';
import type { Queries, Store } from '#store/store.ts';
import { portsOfSwitch, switchesToPoll, switchPolled, type Port, type SwitchRow } from '#store/switches.ts';
import { metersOf, metersPut, type MeterTable } from '#store/traffic.ts';
import type { Reconciler } from './reconciler.ts';

export interface TrafficPollParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly switches: Switches;
}

const everySeconds = 5;
const betweenPollsMs = 60_000;
const switchesInARun = 200;
const switchesAtOnce = 40;
const pollMs = 20_000;

export function trafficPoll(parts: TrafficPollParts): Reconciler {
  return {
    name: 'traffic-poll',
    everySeconds,
    deadlineSeconds: 120,
    async run(signal) {
      const due = await switchesToPoll(parts.store.queries, parts.clock.now(), switchesInARun);
      const waiting = due.values();
      const lane = async (): Promise<void> => {
        for (const device of waiting) if (!signal.aborted) await poll(parts, device, signal);
      };
      await Promise.all(Array.from({ length: Math.min(switchesAtOnce, due.length) }, lane));
      return { backlog: due.length === switchesInARun ? switchesInARun : 0 };
    },
  };
}

async function poll(
  { store, clock, switches }: TrafficPollParts,
  device: SwitchRow,
  signal: AbortSignal,
): Promise<void> {
  const { name } = device;
  // From the time that was planned, so that polls do not drift; jittered, so that switches do not fall into step.
  const next = Math.max(clock.now() + betweenPollsMs / 2, device.next_poll_at + betweenPollsMs) + Math.random() * 2000;
  const next_poll_at = Math.round(next);
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(pollMs)]);
    const counters = await switches.use(name, (each) => each.counters(limit));
    const at = clock.now();
    await store.transaction(async (queries) => {
      await meter(queries, await portsOfSwitch(queries, name), counters, at);
      await switchPolled(queries, name, { next_poll_at, last_poll_at: at, poll_error: null });
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await switchPolled(store.queries, name, { next_poll_at, poll_error: error.code });
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
