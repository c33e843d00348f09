// Periodic work on attacks: ends those whose detector has gone silent, and logs the switch port traffic of the others
// at the same rate as the detector's figures.
import { hasKey, type PortCounters } from '#drivers/switch/driver.ts';
import { identifyPort } from '#equipment/ports.ts';
import { ApiError } from '#lib/api-error.ts';
import { attackLock, attackLogFill, attacksOpen, type Attack, attackFigures } from '#store/network/attacks.ts';
import { portsOfService, type Port } from '#store/network/switches.ts';
import type { Figures } from '#protocols/fastnetmon/figures.ts';
import { endAttack, logIntervalMs, logSlot } from './attack-measures.ts';
import { listDetectors } from './detectors.ts';
import type { App } from '../app.ts';

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

/** Remembers the last reading of each port; the first one only starts the measurement. */
export function createAttackWatch(app: App): (signal: AbortSignal) => Promise<number> {
  const lastReadings = new Map<number, Reading>();
  return async (signal) => {
    const open = await endSilentAttacks(app);
    const rates = new Map<number, Rate | undefined>();
    for (const attack of open) {
      if (signal.aborted) break;
      await logPorts(attack, rates);
    }
    for (const port of lastReadings.keys()) if (!rates.has(port)) lastReadings.delete(port);
    return open.length;
  };

  /** Reads a port once per run, however many attacks its service has: two readings need some time in between. */
  async function logPorts(attack: Attack, rates: Map<number, Rate | undefined>): Promise<void> {
    if (attack.account_id === null || attack.service_id === null) return;
    const figures: { -readonly [Name in keyof Figures]: Figures[Name] } = {};
    let hasRate = false;
    for (const port of await portsOfService(app.store.queries, attack.account_id, attack.service_id)) {
      if (!rates.has(port.id)) rates.set(port.id, await rateOf(port));
      const rate = rates.get(port.id);
      if (rate === undefined) continue;
      hasRate = true;
      figures.d_totalbits = (figures.d_totalbits ?? 0) + rate.towards;
      figures.s_totalbits = (figures.s_totalbits ?? 0) + rate.from;
    }
    const slot = logSlot(attack, app.clock.now());
    if (hasRate && slot !== undefined)
      await attackLogFill(app.store.queries, {
        attack_id: attack.id,
        at: slot,
        figures: attackFigures.encode(figures),
      });
  }

  /** Rate since the last reading. Outbound at the switch port is towards the service. */
  async function rateOf(port: Port): Promise<Rate | undefined> {
    const current = await readCounters(app, port);
    const previous = lastReadings.get(port.id);
    if (current === undefined) return undefined;
    lastReadings.set(port.id, current);
    const seconds = previous === undefined ? 0 : (current.at - previous.at) / 1000;
    // Not a rate of this slot, or the counters were reset.
    if (previous === undefined || seconds <= 0 || seconds > (2 * logIntervalMs) / 1000) return undefined;
    if (current.inOctets < previous.inOctets || current.outOctets < previous.outOctets) return undefined;
    const rate = (octets: bigint): number => Math.round((Number(octets) * 8) / seconds);
    return { towards: rate(current.outOctets - previous.outOctets), from: rate(current.inOctets - previous.inOctets) };
  }
}

async function readCounters(app: App, port: Port): Promise<Reading | undefined> {
  try {
    const at = app.clock.now();
    // A port that cannot be identified has no rate; the poll raises the alarm.
    if (port.problem !== null) return undefined;
    const key = await identifyPort(app, port);
    const { ports } = await app.switches.use(port.switch, (device, { pollMs }) =>
      device.counters([key], AbortSignal.timeout(pollMs / 2)),
    );
    const counters = ports.filter((candidate) => hasKey(candidate, key));
    return counters.length === 1 ? { ...counters[0]!, at } : undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
}

/** Ends attacks of silent detectors and returns the others. */
async function endSilentAttacks(app: App): Promise<Attack[]> {
  const { store, clock } = app;
  const open = await attacksOpen(store.queries);
  if (open.length === 0) return open;
  const detectors = new Map(
    (await listDetectors(app, store.queries)).map(({ name, silentMinutes }) => [name, silentMinutes]),
  );
  const isSilent = ({ detector, seen_at }: Attack): boolean =>
    seen_at + (detectors.get(detector) ?? defaultSilentMinutes) * minuteMs <= clock.now();
  for (const attack of open.filter(isSilent)) {
    const routes = await store.transaction(async (queries) => {
      // It may have been reported again since the list was read.
      const current = await attackLock(queries, attack.id);
      return current !== undefined && isSilent(current) && endAttack(app, queries, current, clock.now());
    });
    if (routes) app.router.requestSync();
  }
  return open.filter((attack) => !isSilent(attack));
}
