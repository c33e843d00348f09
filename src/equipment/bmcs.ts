// Sessions with the BMCs of dedicated servers, by server name. Callers that change something also take the device's lock
// (device-command.ts).
import type { Bmc, BmcDriver, PowerState } from '#drivers/bmc/driver.ts';
import type { OpenBmcDrivers } from '#drivers/bmc/registry.ts';
import { pduDrivers } from '#drivers/pdu/registry.ts';
import { ApiError } from '#lib/api-error.ts';
import { randomPassword } from '#lib/random.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { serverFind, serverOutlets, type Server } from '#store/devices/servers.ts';
import { connections, type ConnectionParts, type Connections } from './connections.ts';
import { commandTimeout, isUnreachable } from './device-command.ts';
import { openPdus, readOutlets, setOutlets, type Pdus } from './pdus.ts';
import { defaultWaits, longestWaits, waitsOf } from './waits.ts';
import { driverSettings } from '#store/driver-settings.ts';

export interface Bmcs extends Connections<Bmc> {
  /**
   * Reads the power through the BMC. If that does not respond, the outlets of the server can still prove that it is off;
   * otherwise its state is unknown, and this throws.
   */
  powerState(server: string, signal: AbortSignal): Promise<PowerState>;
  /** Sets the power through the BMC, or through the server's outlets if its BMC is silent. Returns which. */
  setPower(server: string, state: PowerState, signal: AbortSignal): Promise<'bmc' | 'outlets'>;
  /** Returns whether the outlets of a server with a silent BMC may cut its power. */
  canUseOutlets(server: string, signal: AbortSignal): Promise<boolean>;
  /** Switches on the outlets of a server that are off. */
  restoreOutlets(server: string, signal: AbortSignal): Promise<void>;
  readonly pdus: Pdus;
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
    return {
      revision: server.bmc_revision,
      waits: () => waitsOf(store.queries, { ...settingsOf(server), model: server.bmc_model }),
      open: (waits) => driverFor(server).open(settingsOf(server) as never, { ...known, waits }),
    };
  });

  const pdus = openPdus({ store, clock, secrets, drivers: pduDrivers });
  const outletsOf = async (name: string) =>
    serverOutlets.decode((await serverFind(store.queries, name))?.outlets ?? '[]');

  /** One lost response is no reason to take the BMC's power too: it must have been silent at the last check as well. */
  const isKnownSilent = async (name: string) => (await serverRow(name)).power_error === 'bmc_unreachable';

  /** Returns the error of a BMC that does not respond, or undefined if it does. Other errors are thrown. */
  async function silenceOf(name: string, signal: AbortSignal): Promise<ApiError | undefined> {
    try {
      await bmcs.use(name, ({ power }, { checkMs }) => power.state(commandTimeout(signal, checkMs)));
      return undefined;
    } catch (error) {
      if (error instanceof ApiError && isUnreachable(error) && !signal.aborted) return error;
      throw error;
    }
  }

  return {
    ...bmcs,
    pdus,
    longestCommandMs: () => bmcs.longestCommandMs() + pdus.longestCommandMs() - defaultWaits.commandMs,
    async waits(name) {
      const waits = await bmcs.waits(name);
      // A command may have to switch the outlets after the BMC has not responded.
      const strips = await Promise.all((await outletsOf(name)).map(({ pdu }) => pdus.waits(pdu)));
      const slowestMs = Math.max(defaultWaits.commandMs, ...strips.map(({ commandMs }) => commandMs));
      const commandMs = waits.commandMs + slowestMs - defaultWaits.commandMs;
      return { ...waits, commandMs: Math.min(commandMs, longestWaits.commandMs) };
    },
    async canUseOutlets(name, signal) {
      const outlets = await outletsOf(name);
      if (outlets.length === 0 || !(await isKnownSilent(name))) return false;
      return readOutlets(pdus, outlets, signal).then(
        () => true,
        () => false,
      );
    },
    restoreOutlets: async (name, signal) => setOutlets(pdus, await outletsOf(name), 'on', signal),
    async powerState(name, signal) {
      const outlets = await outletsOf(name);
      const silence = outlets.length === 0 ? undefined : await silenceOf(name, signal);
      if (silence === undefined) return bmcs.use(name, ({ power }) => power.state(signal));
      const states = await readOutlets(pdus, outlets, signal).catch(() => []);
      if (states.length > 0 && states.every((state) => state === 'off')) return 'off';
      throw silence;
    },
    async setPower(name, state, signal) {
      const outlets = await outletsOf(name);
      const silence = outlets.length === 0 ? undefined : await silenceOf(name, signal);
      if (silence === undefined) {
        await bmcs.use(name, ({ power }) => power.set(state, signal));
        return 'bmc';
      }
      const before = await readOutlets(pdus, outlets, signal);
      if (state === 'on') {
        // With power, it may be on or off.
        if (before.every((outlet) => outlet === 'on')) throw silence;
        await setOutlets(pdus, outlets, 'on', signal);
        throw new ApiError('bmc_unreachable', {
          message: 'The server has power again, and its IPMI is starting. Try again in a few minutes.',
        });
      }
      if (before.includes('on') && !(await isKnownSilent(name))) throw silence;
      await setOutlets(pdus, outlets, 'off', signal);
      return 'outlets';
    },
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
      const waits = await bmcs.waits(name);
      await using bmc = await driverFor(server).open(withPassword(settingsOf(server), password) as never, { waits });
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
      await pdus.close();
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
