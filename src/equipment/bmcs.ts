// From the name of a server to its controller: settings out of the database, opened by their driver, kept open, guarded by
// a breaker. Whoever changes something takes the device's lock as well (locks.ts).
import type { Bmc, BmcDriver } from '#drivers/bmc/driver.ts';
import type { OpenBmcDrivers } from '#drivers/bmc/registry.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { SecretBox } from '#kernel/secrets.ts';
import { serverFind, type Server } from '#store/devices/servers.ts';
import type { Store } from '#store/store.ts';
import { connections } from './connections.ts';

export interface Bmcs {
  use<T>(server: string, work: (bmc: Bmc) => Promise<T>): Promise<T>;
  /** It was told to restart: callers wait for it, and its silence does not open its breaker. */
  expectSilence(server: string, milliseconds: number): void;
  driverOf(server: string): Promise<BmcDriver>;
  close(): Promise<void>;
}

export interface BmcsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly drivers: OpenBmcDrivers;
}

export function openBmcs(parts: BmcsParts): Bmcs {
  async function row(name: string): Promise<Server> {
    const server = await serverFind(parts.store.queries, name);
    if (server === undefined) {
      throw new Fault('capability_missing', { message: 'This server has no management controller.' });
    }
    return server;
  }

  function driverFor(server: Server): BmcDriver {
    const driver = parts.drivers.drivers[server.bmc_driver];
    if (driver === undefined) throw new Error(`server ${server.name} has an unknown driver ${server.bmc_driver}`);
    return driver;
  }

  const all = connections<Bmc>(parts.clock, 'bmc_unreachable', async (name) => {
    const server = await row(name);
    const settings = (): never => JSON.parse(parts.secrets.open(server.bmc_settings, bmcSealContext(name))) as never;
    const known = server.firmware === null ? {} : { firmware: server.firmware };
    return { revision: server.bmc_revision, open: () => driverFor(server).open(settings(), known) };
  });

  return {
    use: all.use,
    expectSilence: all.expectSilence,
    driverOf: async (name) => driverFor(await row(name)),
    async close() {
      await all.close();
      await parts.drivers.close();
    },
  };
}

/** Binds sealed settings to their server. */
export function bmcSealContext(server: string): string {
  return `bmc ${server}`;
}
