// Sessions with the BMCs of dedicated servers, by server name. Callers that change something also take the device's lock
// (device-command.ts).
import type { Bmc, BmcDriver } from '#drivers/bmc/driver.ts';
import type { OpenBmcDrivers } from '#drivers/bmc/registry.ts';
import { ApiError } from '#lib/api-error.ts';
import { randomPassword } from '#lib/random.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { serverFind, type Server } from '#store/devices/servers.ts';
import { connections, type ConnectionParts, type Connections } from './connections.ts';
import { isUnreachable } from './device-command.ts';
import { driverSettings } from '#store/driver-settings.ts';

export interface Bmcs extends Connections<Bmc> {
  driverOf(server: string): Promise<BmcDriver>;
  /** Returns the address or name of the BMC. */
  addressOf(server: string): Promise<string>;
  /** Returns the names that Hostyard logs in with: a BMC with IPMI may have another one for Redfish. */
  userNames(server: string): Promise<readonly string[]>;
  /** Returns a random password for Hostyard's own user, sealed. */
  draftPassword(server: string): Promise<string>;
  /** Returns the password in plain text, and the settings to store once the BMC has it. */
  readDraft(server: string, sealed: string): Promise<PasswordChange>;
  /** Returns whether the BMC accepts this password of Hostyard's own user. Throws if the BMC does not respond. */
  accepts(server: string, password: string, signal: AbortSignal): Promise<boolean>;
}
export interface PasswordChange {
  readonly password: string;
  readonly settings: { readonly bmc_settings: string; readonly bmc_file_digest: string };
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
    async draftPassword(name) {
      const { maxPasswordLength } = driverFor(await serverRow(name));
      return secrets.seal(randomPassword(maxPasswordLength), nextPasswordContext(name));
    },
    async readDraft(name, sealed) {
      const server = await serverRow(name);
      const settings = settingsOf(server);
      const password = secrets.open(sealed, nextPasswordContext(name));
      const changed = JSON.stringify(withPassword(settings, password));
      return {
        password,
        settings: {
          bmc_settings: secrets.seal(changed, bmcSealContext(name)),
          bmc_file_digest: server.bmc_file_digest ?? settingsDigest(secrets, settings),
        },
      };
    },
    async accepts(name, password, signal) {
      const server = await serverRow(name);
      await using bmc = await driverFor(server).open(withPassword(settingsOf(server), password) as never);
      try {
        await bmc.power.state(signal);
        return true;
      } catch (error) {
        if (isUnreachable(error) || !(error instanceof ApiError)) throw error;
        return false;
      }
    },
    driverOf: async (name) => driverFor(await serverRow(name)),
    addressOf: async (name) => (settingsOf(await serverRow(name)) as { address: string }).address,
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

type Settings = Readonly<Record<string, unknown>>;

/** A login for Redfish with the same name and password is the same user of the BMC. */
function withPassword(settings: Settings, password: string): Settings {
  const redfish = settings['redfish'] as Settings | undefined;
  const isShared = (['username', 'password'] as const).every((name) => redfish?.[name] === settings[name]);
  return { ...settings, password, ...(isShared && { redfish: { ...redfish, password } }) };
}

/** Identifies the settings of a site file, in whatever order it lists them. */
export function settingsDigest(secrets: SecretBox, settings: object): string {
  const sorted = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : value;
  return secrets.digest(JSON.stringify(settings, sorted));
}

function nextPasswordContext(server: string): string {
  return `next BMC password ${server}`;
}

/** Binds sealed settings to their server. */
export function bmcSealContext(server: string): string {
  return `bmc ${server}`;
}
