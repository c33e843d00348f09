// Sessions with power strips, by name, and the power of servers through their outlets.
import type { OutletState, Pdu, PduDriver } from '#drivers/pdu/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import { driverSettings } from '#store/driver-settings.ts';
import { pduFind } from '#store/devices/pdus.ts';
import { connections, type ConnectionParts, type Connections } from './connections.ts';
import { waitsOf, type DeviceModel } from './waits.ts';

export type Pdus = Omit<Connections<Pdu>, 'has' | 'expectSilence'>;
type PduDrivers = Readonly<Record<string, Pick<PduDriver<never>, 'open'>>>;

/** An outlet that a server is plugged into. */
export interface Outlet {
  readonly pdu: string;
  readonly outlet: string;
}

/** Binds sealed settings to their power strip. */
export function pduSealContext(name: string): string {
  return `pdu ${name}`;
}

export function openPdus({ store, clock, secrets, drivers }: ConnectionParts<PduDrivers>): Pdus {
  return connections<Pdu>(clock, 'bmc_unreachable', async (name) => {
    const row = await pduFind(store.queries, name);
    if (row === undefined) throw new ApiError('bmc_error', { internal: `power strip ${name} does not exist` });
    const driver = drivers[row.driver];
    if (driver === undefined) throw new Error(`power strip ${name} has an unknown driver ${row.driver}`);
    const settings = () => driverSettings.decode(secrets.open(row.settings, pduSealContext(name))) as DeviceModel;
    return {
      revision: row.revision,
      waits: () => waitsOf(store.queries, settings()),
      open: (waits) => driver.open(settings() as never, waits),
    };
  });
}

/** Throws if the state of an outlet is unknown: nothing may be concluded or switched then. */
export function readOutlets(pdus: Pdus, outlets: readonly Outlet[], signal: AbortSignal): Promise<OutletState[]> {
  return Promise.all(
    outlets.map(async ({ pdu, outlet }) => {
      const state = await pdus.use(pdu, (strip) => strip.state(outlet, signal));
      if (state !== 'unknown') return state;
      throw new ApiError('bmc_error', { internal: `power strip ${pdu} does not know the state of outlet ${outlet}` });
    }),
  );
}

/**
 * Switches all outlets, or none: a server with several power supplies is off only if all of its outlets are. If one cannot be
 * switched in time, the others are returned to their earlier state.
 */
export async function setOutlets(
  pdus: Pdus,
  outlets: readonly Outlet[],
  state: OutletState,
  signal: AbortSignal,
): Promise<void> {
  const before = await readOutlets(pdus, outlets, signal);
  const set = ({ pdu, outlet }: Outlet, wanted: OutletState, limit: AbortSignal) =>
    pdus.use(pdu, (strip) => strip.set(outlet, wanted, limit));
  const changes = outlets.filter((_, position) => before[position] !== state);
  const results = await Promise.allSettled(changes.map((outlet) => set(outlet, state, signal)));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure === undefined) return;
  // If the caller was stopped, another instance may be switching them.
  if (signal.aborted && (signal.reason as Error).name !== 'TimeoutError') throw failure.reason;
  const opposite = state === 'on' ? 'off' : 'on';
  // The caller's time may be over, and one that cannot be restored either is reported by the failure.
  await Promise.allSettled(
    changes.map(async (outlet) => {
      const { commandMs } = await pdus.waits(outlet.pdu);
      await set(outlet, opposite, AbortSignal.timeout(2 * commandMs));
    }),
  );
  throw failure.reason;
}
