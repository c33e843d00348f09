// The IPMI driver: adapts our IPMI client (src/protocols/ipmi) to the BMC driver interface.
import { Type } from 'typebox';
import { SiteWaits } from '#contract/site/waits.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import type { Bmc as IpmiBmc } from '#protocols/ipmi/bmc.ts';
import { completion, IpmiError } from '#protocols/ipmi/error.ts';
import type { FruInventory } from '#protocols/ipmi/fru.ts';
import type { Fleet } from '#protocols/ipmi/fleet.ts';
import type { BmcUser } from '#protocols/ipmi/user-admin.ts';
import {
  missingCapability,
  translateErrors,
  type Bmc,
  type BmcCapability,
  type BmcDriver,
  type Boot,
  type Consoles,
  type Controller,
  type Inventory,
  type Log,
  type Power,
  type PowerState,
  type Sensors,
  type Serial,
  type ServerHints,
  type Users,
} from './driver.ts';
import { describeSensors, sensorKind } from './ipmi-sensors.ts';
import { withRedfish } from './redfish-media.ts';
import { RedfishSettings } from './redfish/settings.ts';
import { waitUntilShown } from './wait-until-shown.ts';

export const IpmiSettings = Type.Object(
  {
    address: Type.String({ format: 'ip', 'x-reason': 'must be an IPv4 or IPv6 address' }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, 'x-reason': 'must be a port' })),
    username: Type.String({ minLength: 1, maxLength: 16, 'x-reason': 'must be 1 to 16 characters' }),
    password: Type.String({ 'x-secret': true, maxLength: 20, 'x-reason': 'must be at most 20 characters' }),
    kg: Type.Optional(Type.String({ 'x-secret': true, maxLength: 20, 'x-reason': 'must be at most 20 characters' })),
    /** The Redfish service of the same BMC, for virtual media and the web console. */
    redfish: Type.Optional(RedfishSettings),
    waits: Type.Optional(SiteWaits),
  },
  { additionalProperties: false },
);

/** One socket serves all BMCs; it opens with the first one. */
export function ipmiDriver(fleet: () => Promise<Fleet>): BmcDriver<typeof IpmiSettings> {
  return {
    settings: IpmiSettings,
    // Some BMCs store only 16 bytes of a longer password.
    maxPasswordLength: 16,
    async open({ address, port, username, password, kg, redfish }, server = {}) {
      const bmc = (await fleet()).bmc({
        address,
        username,
        password,
        ...(port === undefined ? {} : { port }),
        ...(kg === undefined ? {} : { kg: Buffer.from(kg, 'latin1') }),
        ...pickDefined({ waits: server.waits }),
      });
      const ipmiParts = createBmc(bmc, server);
      return redfish === undefined ? ipmiParts : withRedfish(ipmiParts, redfish, server);
    },
  };
}

function createBmc(bmc: IpmiBmc, { firmware = 'bios' }: ServerHints): Bmc {
  return {
    power: withApiErrors<Power>('power', {
      state: (signal) => readPowerState(bmc, signal),
      async set(state, signal) {
        await bmc.power(state, signal);
        // A read before the power supplies have followed would look like another change.
        await waitUntilShown(
          async () => (await readPowerState(bmc, signal)) === state,
          signal,
          'The BMC accepted the command, but the power state did not change. Check the power state.',
        );
      },
      async reset(signal) {
        // BMCs reject this differently, and some silently power the server on instead.
        if ((await readPowerState(bmc, signal)) === 'off')
          throw conflict('The device is off: there is nothing to reset.');
        await bmc.power('reset', signal);
      },
      requestShutdown: (signal) => bmc.power('soft', signal),
    }),
    boot: withApiErrors<Boot>('boot', {
      setNext: (device, signal) => bmc.setBootDevice({ device, lasts: 'once', firmware }, signal),
    }),
    users: withApiErrors('users', createUsers(bmc)),
    serial: withApiErrors<Serial>('serial', {
      open: ({ onData, onEnd }, whenTaken, signal) => bmc.openConsole({ onData, onEnd, whenTaken }, signal),
    }),
    inventory: withApiErrors<Inventory>('inventory', {
      read: async (signal) => describeFru(await bmc.fru(signal)),
      async firmware(signal) {
        const { firmware, auxiliary } = await bmc.deviceId(signal);
        return { bmc: auxiliary.some((byte) => byte !== 0) ? `${firmware} ${auxiliary.toString('hex')}` : firmware };
      },
    }),
    sensors: withApiErrors<Sensors>('sensors', {
      read: async (signal) => describeSensors(await bmc.sensors(signal, (record) => sensorKind(record) !== undefined)),
    }),
    log: withApiErrors<Log>('log', {
      async read(after, signal) {
        const { entries, ...page } = await bmc.log(after, signal);
        const at = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1000);
        return { entries: entries.map(({ seconds, ...entry }) => ({ ...entry, at: at(seconds) })), ...page };
      },
    }),
    controller: withApiErrors<Controller>('controller', { reset: (signal) => bmc.coldReset(signal) }),
    consoles: withApiErrors<Consoles>('consoles', { reset: (signal) => bmc.endConsole(signal) }),
    [Symbol.asyncDispose]: () => bmc.close(),
  };
}

async function readPowerState(bmc: IpmiBmc, signal: AbortSignal): Promise<PowerState> {
  return (await bmc.chassisStatus(signal)).isPowerOn ? 'on' : 'off';
}

/** Slot 1 is the anonymous user, which must not be used. */
const firstUserSlot = 2;

function createUsers(bmc: IpmiBmc): Users {
  async function labels(signal: AbortSignal): Promise<Map<string, number>> {
    const users = await bmc.users(signal);
    const names = users.map(({ name }) => name).filter((name) => name !== '');
    const hasDuplicates = new Set(names).size < names.length;
    const own = hasDuplicates ? await bmc.ownSlot(signal) : undefined;
    return new Map(users.map((user) => [labelOf(user, users, own), user.id]));
  }
  const findSlot = async (name: string, signal: AbortSignal): Promise<number | undefined> =>
    (await labels(signal)).get(name);
  return {
    list: async (signal) => [...(await labels(signal)).keys()].filter((label) => label !== ''),
    async create(name, password, signal) {
      const users = await bmc.users(signal);
      // A slot that already has the name is an interrupted creation, which is completed.
      const slot =
        users.find((user) => user.name === name)?.id ??
        users.find((user) => user.name === '' && user.id >= firstUserSlot)?.id;
      if (slot === undefined)
        throw new ApiError('nothing_free', { message: 'The BMC has no free slot for another user.' });
      await bmc.setUserName(slot, name, signal);
      await bmc.setUserPassword(slot, password, signal);
      await bmc.setUserPrivilege(slot, 'operator', signal);
      await bmc.enableUser(slot, signal);
    },
    setPassword: async (name, password, signal) =>
      bmc.setUserPassword(requireFound(await findSlot(name, signal)), password, signal),
    async setEnabled(name, isEnabled, signal) {
      const slot = requireFound(await findSlot(name, signal));
      await (isEnabled ? bmc.enableUser(slot, signal) : bmc.disableUser(slot, signal));
    },
    async remove(name, signal) {
      const slot = await findSlot(name, signal);
      if (slot !== undefined) await bmc.deleteUser(slot, signal);
    },
  };
}

/**
 * Root on the server can add users without a name, or with the provider's name and another password. They are listed by
 * their slots, so that they are not overlooked.
 */
function labelOf(user: BmcUser, users: readonly BmcUser[], own: number | undefined): string {
  const { id, name, privilege, isEnabled, hasMessaging } = user;
  const isUsable = isEnabled !== false && hasMessaging && privilege !== 'none';
  if (name === '') return isUsable ? `slot ${id}` : '';
  const sameName = users.filter((other) => other.name === name);
  return user === (sameName.find((other) => other.id === own) ?? sameName[0]) ? name : `slot ${id}`;
}

function describeFru({ chassis, board, product }: FruInventory): Record<string, string[]> {
  const describe = (...texts: readonly (string | undefined)[]): string[] => {
    const text = texts.filter((part) => part !== undefined && part !== '').join(' ');
    return text === '' ? [] : [text];
  };
  return {
    Motherboard: describe(board?.manufacturer, board?.product, board?.partNumber, board && `serial ${board.serial}`),
    Product: describe(product?.manufacturer, product?.product, product?.version, product && `serial ${product.serial}`),
    Chassis: describe(chassis?.partNumber, chassis && `serial ${chassis.serial}`),
  };
}

function withApiErrors<Methods extends object>(capability: BmcCapability, part: Methods): Methods {
  return translateErrors(part, (error) => (error instanceof IpmiError ? toApiError(error, capability) : error));
}

function toApiError(error: IpmiError, capability: BmcCapability): ApiError {
  const { completionCode } = error;
  const detail = { cause: error, internal: error.message };
  if (error.outcome === 'unknown') {
    return new ApiError('bmc_unreachable', {
      ...detail,
      message:
        'The BMC stopped responding, and it is unknown whether the command ran. Check the power state before you try again.',
    });
  }
  switch (error.kind) {
    case 'timeout':
      return new ApiError('bmc_unreachable', detail);
    case 'auth':
      return new ApiError('bmc_refused', detail);
    case 'unsupported':
      // Without a completion code, it is the session that is not supported, not the command.
      return completionCode === undefined ? new ApiError('bmc_error', detail) : missingCapability(capability, detail);
    case 'rejected':
      if (capability === 'boot' && completionCode === completion.parameterUnsupported)
        return missingCapability(capability, detail);
      return completionCode === completion.notInPresentState
        ? new ApiError('state_conflict', {
            ...detail,
            message: 'The BMC rejects this in the current state of the server.',
          })
        : new ApiError('bmc_error', detail);
    case 'busy':
    case 'badResponse':
      return new ApiError('bmc_error', detail);
  }
}
