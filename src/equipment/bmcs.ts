// From the name of a server to its controller: settings out of the database, opened by their driver, kept open, guarded by
// a breaker. Whoever changes something takes the device's lock as well (locks.ts).
import type { Bmc, BmcDriver } from '#drivers/bmc/driver.ts';
import type { OpenBmcDrivers } from '#drivers/bmc/registry.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { SecretBox } from '#kernel/secrets.ts';
import { serverFind, type Server } from '#store/servers.ts';
import type { Store } from '#store/store.ts';
import { breaker, type Breaker } from './breaker.ts';

export interface Bmcs {
  use<T>(server: string, work: (bmc: Bmc) => Promise<T>): Promise<T>;
  driverOf(server: string): Promise<BmcDriver>;
  close(): Promise<void>;
}

export interface BmcsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly drivers: OpenBmcDrivers;
}

interface Open {
  readonly revision: number;
  readonly bmc: Promise<Bmc>;
}

export function openBmcs(parts: BmcsParts): Bmcs {
  const open = new Map<string, Open>();
  const breakers = new Map<string, Breaker>();

  async function row(name: string): Promise<Server> {
    const server = await serverFind(parts.store.queries, name);
    if (server === undefined)
      throw new Fault('capability_missing', { message: 'This server has no management controller.' });
    return server;
  }

  function driverFor(server: Server): BmcDriver {
    const driver = parts.drivers.drivers[server.bmc_driver];
    if (driver === undefined) throw new Error(`server ${server.name} has an unknown driver ${server.bmc_driver}`);
    return driver;
  }

  async function bmcOf(server: Server): Promise<Bmc> {
    const kept = open.get(server.name);
    if (kept?.revision === server.bmc_revision) return kept.bmc;
    const driver = driverFor(server);
    const settings: unknown = JSON.parse(parts.secrets.open(server.bmc_settings, bmcSealContext(server.name)));
    const bmc = driver.open(settings as never);
    open.set(server.name, { revision: server.bmc_revision, bmc });
    bmc.catch(() => open.delete(server.name));
    if (kept !== undefined) void kept.bmc.then((old) => old[Symbol.asyncDispose]()).catch(() => {});
    return bmc;
  }

  function breakerOf(name: string): Breaker {
    let own = breakers.get(name);
    if (own === undefined) breakers.set(name, (own = breaker(parts.clock)));
    return own;
  }

  return {
    async use(name, work) {
      const server = await row(name);
      return breakerOf(name).guard(async () => work(await bmcOf(server)));
    },
    driverOf: async (name) => driverFor(await row(name)),
    async close() {
      const all = [...open.values()];
      open.clear();
      await Promise.allSettled(all.map(async ({ bmc }) => (await bmc)[Symbol.asyncDispose]()));
      await parts.drivers.close();
    },
  };
}

/** Binds sealed settings to their server. */
export function bmcSealContext(server: string): string {
  return `bmc ${server}`;
}
