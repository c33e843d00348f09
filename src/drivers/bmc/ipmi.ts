// The IPMI driver: adapts our IPMI client (src/protocols/ipmi) to the BMC driver interface.
import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { ApiError } from '#lib/api-error.ts';
import type { Bmc as IpmiBmc } from '#protocols/ipmi/bmc.ts';
import { completion, IpmiError } from '#protocols/ipmi/error.ts';
import type { FruInventory } from '#protocols/ipmi/fru.ts';
import type { Fleet } from '#protocols/ipmi/fleet.ts';
import {
  missingCapability,
  type Bmc,
  type BmcCapability,
  type BmcDriver,
  type ServerHints,
  type PowerState,
  type SerialListener,
  type Users,
} from './driver.ts';
import { withRedfishMedia } from './redfish-media.ts';
import { RedfishSettings } from './redfish/settings.ts';

export const IpmiSettings = Type.Object(
  {
    address: Type.String({ format: 'ip', 'x-reason': 'must be an IPv4 or IPv6 address' }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, 'x-reason': 'must be a port' })),
    username: Type.String({ minLength: 1, maxLength: 16, 'x-reason': 'must be 1 to 16 characters' }),
    password: Type.String({ 'x-secret': true, maxLength: 20, 'x-reason': 'must be at most 20 characters' }),
    kg: Type.Optional(Type.String({ 'x-secret': true, maxLength: 20, 'x-reason': 'must be at most 20 characters' })),
    /** The Redfish service of the same BMC, for virtual media. */
    redfish: Type.Optional(RedfishSettings),
  },
  { additionalProperties: false },
);

/** One socket serves all BMCs; it opens with the first one. */
export function ipmiDriver(fleet: () => Promise<Fleet>): BmcDriver<typeof IpmiSettings> {
  return {
    name: 'ipmi',
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
      });
      const parts = createBmc(bmc, server);
      return redfish === undefined ? parts : withRedfishMedia(parts, redfish);
    },
  };
}

function createBmc(bmc: IpmiBmc, { firmware = 'bios' }: ServerHints): Bmc {
  return {
    power: {
      state: (signal) => translateErrors('power', () => readPowerState(bmc, signal)),
      set: (state, signal) =>
        translateErrors('power', async () => {
          await bmc.power(state, signal);
          await waitForPower(bmc, state, signal);
        }),
      reset: (signal) =>
        translateErrors('power', async () => {
          // BMCs reject this differently, and some silently power the server on instead.
          if ((await readPowerState(bmc, signal)) === 'off')
            throw new ApiError('state_conflict', { message: 'The device is off: there is nothing to reset.' });
          await bmc.power('reset', signal);
        }),
      requestShutdown: (signal) => translateErrors('power', () => bmc.power('soft', signal)),
    },
    boot: {
      setNext: (device, signal) =>
        translateErrors('boot', () => bmc.setBootDevice({ device, lasts: 'once', firmware }, signal)),
    },
    users: createUsers(bmc),
    serial: {
      open: (listener, whenTaken, signal) =>
        translateErrors('serial', () => bmc.openConsole({ ...bindListener(listener), whenTaken }, signal)),
    },
    inventory: { read: (signal) => translateErrors('inventory', async () => describeFru(await bmc.fru(signal))) },
    controller: { reset: (signal) => translateErrors('controller', () => bmc.coldReset(signal)) },
    [Symbol.asyncDispose]: () => bmc.close(),
  };
}

async function readPowerState(bmc: IpmiBmc, signal: AbortSignal): Promise<PowerState> {
  return (await bmc.chassisStatus(signal)).isPowerOn ? 'on' : 'off';
}

const pollIntervalMs = 250;

/**
 * Waits until the BMC reports the state: it may respond before the power supplies have followed, and a read at that
 * time would look like another change.
 */
async function waitForPower(bmc: IpmiBmc, state: PowerState, signal: AbortSignal): Promise<void> {
  while ((await readPowerState(bmc, signal)) !== state) {
    await pause(pollIntervalMs, undefined, { signal }).catch((cause: unknown) => {
      throw new ApiError('bmc_error', {
        message: 'The BMC accepted the command, but the power state did not change. Check the power state.',
        cause,
      });
    });
  }
}

/** Slot 1 is the anonymous user, which must not be used. */
const firstUserSlot = 2;

function createUsers(bmc: IpmiBmc): Users {
  const slotOf = async (name: string, signal: AbortSignal): Promise<number> => {
    const user = (await bmc.users(signal)).find((candidate) => candidate.name === name);
    if (user === undefined) throw new ApiError('not_found');
    return user.id;
  };
  return {
    list: (signal) =>
      translateErrors('users', async () =>
        (await bmc.users(signal)).filter(({ name }) => name !== '').map(({ name }) => name),
      ),
    create: (name, password, signal) =>
      translateErrors('users', async () => {
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
      }),
    setPassword: (name, password, signal) =>
      translateErrors('users', async () => bmc.setUserPassword(await slotOf(name, signal), password, signal)),
    remove: (name, signal) =>
      translateErrors('users', async () => {
        const user = (await bmc.users(signal)).find((candidate) => candidate.name === name);
        if (user !== undefined) await bmc.deleteUser(user.id, signal);
      }),
  };
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

function bindListener({ onData, onEnd }: SerialListener): { onData(data: Buffer): void; onEnd(reason: Error): void } {
  return { onData: (data) => onData(data), onEnd: (reason) => onEnd(reason) };
}

async function translateErrors<T>(capability: BmcCapability, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof IpmiError)) throw error;
    throw toApiError(error, capability);
  }
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
