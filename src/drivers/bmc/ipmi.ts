// The IPMI driver: our own protocol (wire/ipmi) behind the parts that every controller driver offers.
import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { Fault } from '#kernel/fault.ts';
import type { Bmc as IpmiBmc } from '#wire/ipmi/bmc.ts';
import { completion, IpmiError } from '#wire/ipmi/error.ts';
import type { FruInventory } from '#wire/ipmi/fru.ts';
import type { Fleet } from '#wire/ipmi/fleet.ts';
import {
  missing,
  type Bmc,
  type BmcCapability,
  type BmcDriver,
  type KnownServer,
  type PowerState,
  type SerialListener,
  type Users,
} from './driver.ts';
import { mediaBeside } from './redfish-beside.ts';
import { RedfishSettings } from './redfish/settings.ts';

export const IpmiSettings = Type.Object(
  {
    address: Type.String({ format: 'ip', 'x-reason': 'must be an IPv4 or IPv6 address' }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, 'x-reason': 'must be a port' })),
    username: Type.String({ minLength: 1, maxLength: 16, 'x-reason': 'must be 1 to 16 characters' }),
    password: Type.String({ 'x-secret': true, maxLength: 20, 'x-reason': 'must be at most 20 characters' }),
    kg: Type.Optional(Type.String({ 'x-secret': true, maxLength: 20, 'x-reason': 'must be at most 20 characters' })),
    /** Where the same controller speaks Redfish: virtual media come from there. */
    redfish: Type.Optional(RedfishSettings),
  },
  { additionalProperties: false },
);

/** One socket serves the whole fleet; it is opened with the first controller. */
export function ipmiDriver(fleet: () => Promise<Fleet>): BmcDriver<typeof IpmiSettings> {
  return {
    name: 'ipmi',
    settings: IpmiSettings,
    // Some controllers keep only sixteen bytes of a longer one.
    longestPassword: 16,
    async open({ address, port, username, password, kg, redfish }, server = {}) {
      const bmc = (await fleet()).bmc({
        address,
        username,
        password,
        ...(port === undefined ? {} : { port }),
        ...(kg === undefined ? {} : { kg: Buffer.from(kg, 'latin1') }),
      });
      const parts = partsOf(bmc, server);
      return redfish === undefined ? parts : mediaBeside(parts, redfish);
    },
  };
}

function partsOf(bmc: IpmiBmc, { firmware = 'bios' }: KnownServer): Bmc {
  return {
    power: {
      state: (signal) => told('power', () => stateOf(bmc, signal)),
      set: (state, signal) =>
        told('power', async () => {
          await bmc.power(state, signal);
          await followed(bmc, state, signal);
        }),
      reset: (signal) =>
        told('power', async () => {
          // Controllers refuse it in ways of their own; some say nothing and switch the server on.
          if ((await stateOf(bmc, signal)) === 'off')
            throw new Fault('state_conflict', { message: 'The device is off: there is nothing to reset.' });
          await bmc.power('reset', signal);
        }),
      requestShutdown: (signal) => told('power', () => bmc.power('soft', signal)),
    },
    boot: {
      setNext: (device, signal) => told('boot', () => bmc.setBootDevice({ device, lasts: 'once', firmware }, signal)),
    },
    users: usersOf(bmc),
    serial: {
      open: (listener, whenTaken, signal) =>
        told('serial', () => bmc.openConsole({ ...bound(listener), whenTaken }, signal)),
    },
    inventory: { read: (signal) => told('inventory', async () => parts(await bmc.fru(signal))) },
    controller: { reset: (signal) => told('controller', () => bmc.coldReset(signal)) },
    [Symbol.asyncDispose]: () => bmc.close(),
  };
}

async function stateOf(bmc: IpmiBmc, signal: AbortSignal): Promise<PowerState> {
  return (await bmc.chassisStatus(signal)).isPowerOn ? 'on' : 'off';
}

const lookAgainMs = 250;

/** A controller may answer before the supplies have followed; whoever looked then would see a change that was none. */
async function followed(bmc: IpmiBmc, state: PowerState, signal: AbortSignal): Promise<void> {
  while ((await stateOf(bmc, signal)) !== state) {
    await pause(lookAgainMs, undefined, { signal }).catch((cause: unknown) => {
      throw new Fault('bmc_error', {
        message: 'The controller took the command, but the power has not followed. Look at the power state again.',
        cause,
      });
    });
  }
}

/** Slot 1 belongs to the anonymous user, whom nobody shall be. */
const firstSlot = 2;

function usersOf(bmc: IpmiBmc): Users {
  const slotOf = async (name: string, signal: AbortSignal): Promise<number> => {
    const user = (await bmc.users(signal)).find((each) => each.name === name);
    if (user === undefined) throw new Fault('not_found');
    return user.id;
  };
  return {
    list: (signal) =>
      told('users', async () => (await bmc.users(signal)).filter(({ name }) => name !== '').map(({ name }) => name)),
    create: (name, password, signal) =>
      told('users', async () => {
        const users = await bmc.users(signal);
        // A slot that already has the name is a creation that was interrupted: it is finished, not made twice.
        const slot =
          users.find((user) => user.name === name)?.id ??
          users.find((user) => user.name === '' && user.id >= firstSlot)?.id;
        if (slot === undefined)
          throw new Fault('nothing_free', { message: 'The controller has no room for another user.' });
        await bmc.setUserName(slot, name, signal);
        await bmc.setUserPassword(slot, password, signal);
        await bmc.setUserPrivilege(slot, 'operator', signal);
        await bmc.enableUser(slot, signal);
      }),
    setPassword: (name, password, signal) =>
      told('users', async () => bmc.setUserPassword(await slotOf(name, signal), password, signal)),
    remove: (name, signal) =>
      told('users', async () => {
        const user = (await bmc.users(signal)).find((each) => each.name === name);
        if (user !== undefined) await bmc.deleteUser(user.id, signal);
      }),
  };
}

function parts({ chassis, board, product }: FruInventory): Record<string, string[]> {
  const described = (...texts: readonly (string | undefined)[]): string[] => {
    const text = texts.filter((part) => part !== undefined && part !== '').join(' ');
    return text === '' ? [] : [text];
  };
  return {
    Motherboard: described(board?.manufacturer, board?.product, board?.partNumber, board && `serial ${board.serial}`),
    Product: described(
      product?.manufacturer,
      product?.product,
      product?.version,
      product && `serial ${product.serial}`,
    ),
    Chassis: described(chassis?.partNumber, chassis && `serial ${chassis.serial}`),
  };
}

function bound({ onData, onEnd }: SerialListener): { onData(data: Buffer): void; onEnd(reason: Error): void } {
  return { onData: (data) => onData(data), onEnd: (reason) => onEnd(reason) };
}

/** In the caller's words: which of the controller's failures are whose fault. */
async function told<T>(capability: BmcCapability, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof IpmiError)) throw error;
    throw faultOf(error, capability);
  }
}

function faultOf(error: IpmiError, capability: BmcCapability): Fault {
  const { completionCode } = error;
  const detail = { cause: error, internal: error.message };
  if (error.outcome === 'unknown') {
    return new Fault('bmc_unreachable', {
      ...detail,
      message:
        'The controller fell silent; it is not known whether the command ran. Look at the power state before trying again.',
    });
  }
  switch (error.kind) {
    case 'timeout':
      return new Fault('bmc_unreachable', detail);
    case 'auth':
      return new Fault('bmc_refused', detail);
    case 'unsupported':
      // Without a code the controller has not spoken of the command at all, but of the way in.
      return completionCode === undefined ? new Fault('bmc_error', detail) : missing(capability, detail);
    case 'refused':
      if (capability === 'boot' && completionCode === completion.parameterUnsupported)
        return missing(capability, detail);
      return completionCode === completion.notInPresentState
        ? new Fault('state_conflict', {
            ...detail,
            message: 'The controller refuses this in the present state of the server.',
          })
        : new Fault('bmc_error', detail);
    case 'busy':
    case 'badAnswer':
      return new Fault('bmc_error', detail);
  }
}
