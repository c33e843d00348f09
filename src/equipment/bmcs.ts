// Sessions with the BMCs of dedicated servers, by server name. Callers that change something also take the device's lock
// (device-command.ts).
import type { Bmc, BmcDriver } from '#drivers/bmc/driver.ts';
import type { OpenBmcDrivers } from '#drivers/bmc/registry.ts';
import { ApiError } from '#lib/api-error.ts';
import { serverFind, type Server } from '#store/devices/servers.ts';
import { connections, type ConnectionParts, type Connections } from './connections.ts';
import { driverSettings } from '#store/driver-settings.ts';

export interface Bmcs extends Connections<Bmc> {
  driverOf(server: string): Promise<BmcDriver>;
  /** Returns the names that Hostyard logs in with: a BMC with IPMI may have another one for Redfish. */
  userNames(server: string): Promise<readonly string[]>;
}

export function openBmcs({ store, clock, secrets, drivers }: ConnectionParts<OpenBmcDrivers>): Bmcs {
  async function serverRow(name: string): Promise<Server> {
    const server = await serverFind(store.queries, name);
    if (server === undefined) throw new ApiError('capability_missing', { message: 'This server has no IPMI.' });
    return server;
  }

  function driverFor(server: Server): BmcDriver {
    const driver = drivers.drivers[server.bmc_driver];
    if (driver === undefined) throw new Error(`server ${server.name} has an unknown driver ${server.bmc_driver}`);
    return driver;
  }

  const settingsOf = ({ name, bmc_settings }: Server) =>
    driverSettings.decode(secrets.open(bmc_settings, bmcSealContext(name)));

  const bmcs = connections<Bmc>(clock, 'bmc_unreachable', async (name) => {
    const server = await serverRow(name);
    const known = server.firmware === null ? {} : { firmware: server.firmware };
    return { revision: server.bmc_revision, open: () => driverFor(server).open(settingsOf(server) as never, known) };
  });

  return {
    ...bmcs,
    driverOf: async (name) => driverFor(await serverRow(name)),
    async userNames(name) {
      const { username, redfish } = settingsOf(await serverRow(name)) as {
        username: string;
        redfish?: { username: string };
      };
      return redfish === undefined ? [username] : [username, redfish.username];
    },
    async close() {
      await bmcs.close();
      await drivers.close();
    },
  };
}

/** Binds sealed settings to their server. */
export function bmcSealContext(server: string): string {
  return `bmc ${server}`;
}
