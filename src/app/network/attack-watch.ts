// What is done about attacks while nobody reports anything: those whose detector has fallen silent are ended, and what passes
// at the switch ports of the others is logged at the same rate as the detector's own figures.
import type { PortCounters } from '#drivers/switch/driver.ts';
import { Fault } from '#kernel/fault.ts';
import { attackLogFill, attacksOpen, type Attack } from '#store/network/attacks.ts';
import { portsOfService, type Port } from '#store/network/switches.ts';
import type { Figures } from '#wire/fastnetmon/figures.ts';
import { attackOver, logEveryMs, logSlot } from './attack-measures.ts';
import { detectorsAll } from './detectors.ts';
import type { Yard } from '../yard.ts';

const readMs = 10_000;
const minuteMs = 60_000;
const defaultSilentMinutes = 60;

interface Reading extends PortCounters {
  readonly at: number;
}

/** Bits per second. */
interface Rate {
  readonly towards: number;
  readonly from: number;
}

/** A watch remembers the last reading of each port; the first of an attack only begins to count. */
export function attackWatch(yard: Yard): (signal: AbortSignal) => Promise<number> {
  const last = new Map<number, Reading>();
  return async (signal) => {
    const open = await endSilent(yard);
    const rates = new Map<number, Rate | undefined>();
    for (const attack of open) {
      if (signal.aborted) break;
      await logPorts(attack, rates);
    }
    for (const port of last.keys()) if (!rates.has(port)) last.delete(port);
    return open.length;
  };

  /** A port is read once, however many attacks there are on its service: between two readings there must be some time. */
  async function logPorts(attack: Attack, rates: Map<number, Rate | undefined>): Promise<void> {
    if (attack.account_id === null || attack.service_id === null) return;
    const figures: { -readonly [Name in keyof Figures]: Figures[Name] } = {};
    let known = false;
    for (const port of await portsOfService(yard.store.queries, attack.account_id, attack.service_id)) {
      if (!rates.has(port.id)) rates.set(port.id, await rateOf(port));
      const rate = rates.get(port.id);
      if (rate === undefined) continue;
      known = true;
      figures.d_totalbits = (figures.d_totalbits ?? 0) + rate.towards;
      figures.s_totalbits = (figures.s_totalbits ?? 0) + rate.from;
    }
    const slot = logSlot(attack, yard.clock.now());
    if (known && slot !== undefined)
      await attackLogFill(yard.store.queries, { attack_id: attack.id, at: slot, figures: JSON.stringify(figures) });
  }

  /** Since the last reading. What a switch port sends goes towards the service. */
  async function rateOf(port: Port): Promise<Rate | undefined> {
    const now = await readingOf(yard, port);
    const before = last.get(port.id);
    if (now === undefined) return undefined;
    last.set(port.id, now);
    const seconds = before === undefined ? 0 : (now.at - before.at) / 1000;
    // Not a rate of this slot, or counters that began anew.
    if (before === undefined || seconds <= 0 || seconds > (2 * logEveryMs) / 1000) return undefined;
    if (now.inOctets < before.inOctets || now.outOctets < before.outOctets) return undefined;
    const rate = (octets: bigint): number => Math.round((Number(octets) * 8) / seconds);
    return { towards: rate(now.outOctets - before.outOctets), from: rate(now.inOctets - before.inOctets) };
  }
}

async function readingOf(yard: Yard, port: Port): Promise<Reading | undefined> {
  try {
    const at = yard.clock.now();
    const { ports } = await yard.switches.use(port.switch, (device) => device.counters(AbortSignal.timeout(readMs)));
    const own = ports.find(({ ifIndex }) => ifIndex === port.if_index);
    return own && { ...own, at };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return undefined;
  }
}

/** Answers those that go on. */
async function endSilent(yard: Yard): Promise<Attack[]> {
  const { store, clock } = yard;
  const open = await attacksOpen(store.queries);
  if (open.length === 0) return open;
  const detectors = new Map((await detectorsAll(yard, store.queries)).map((each) => [each.name, each.silentMinutes]));
  const isSilent = ({ detector, seen_at }: Attack): boolean =>
    seen_at + (detectors.get(detector) ?? defaultSilentMinutes) * minuteMs <= clock.now();
  for (const attack of open.filter(isSilent)) {
    const routes = await store.transaction((queries) => attackOver(yard, queries, attack, clock.now()));
    if (routes) yard.router.poke();
  }
  return open.filter((attack) => !isSilent(attack));
}
