// The IPMI driver: our own protocol (wire/ipmi) behind the parts that every controller driver offers.
import { Type } from 'typebox';
import { Fault } from '#kernel/fault.ts';
import type { Bmc as IpmiBmc } from '#wire/ipmi/bmc.ts';
import { completion, IpmiError } from '#wire/ipmi/error.ts';
import type { FruInventory } from '#wire/ipmi/fru.ts';
import type { Fleet } from '#wire/ipmi/fleet.ts';
import type { Bmc, BmcDriver, BootTarget, SerialListener, Users } from './driver.ts';

export const IpmiSettings = Type.Object(
  {
    address: Type.String({ format: 'ip', 'x-reason': 'must be an IPv4 or IPv6 address' }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, 'x-reason': 'must be a port' })),
    username: Type.String({ minLength: 1, maxLength: 16, 'x-reason': 'must be 1 to 16 characters' }),
    password: Type.String({ maxLength: 20, 'x-reason': 'must be at most 20 characters' }),
    kg: Type.Optional(Type.String({ maxLength: 20, 'x-reason': 'must be at most 20 characters' })),
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
    async open({ address, port, username, password, kg }) {
      const bmc = (await fleet()).bmc({
        address,
        username,
        password,
        ...(port === undefined ? {} : { port }),
        ...(kg === undefined ? {} : { kg: Buffer.from(kg, 'latin1') }),
      });
      return partsOf(bmc);
    },
  };
}

function partsOf(bmc: IpmiBmc): Bmc {
  return {
    power: {
      state: (signal) => told(async () => ((await bmc.chassisStatus(signal)).isPowerOn ? 'on' : 'off')),
      set: (state, signal) => told(() => bmc.power(state, signal)),
      reset: (signal) => told(() => bmc.power('reset', signal)),
      requestShutdown: (signal) => told(() => bmc.power('soft', signal)),
    },
    boot: {
      setNext: (device, signal) => told(() => bmc.setBootDevice({ device, lasts: 'once', firmware: 'bios' }, signal)),
      next: (signal) =>
        told(async () => {
          const { isValid, device } = await bmc.bootDevice(signal);
          return isValid && isTarget(device) ? device : 'none';
        }),
    },
    users: usersOf(bmc),
    serial: {
      open: (listener, whenTaken, signal) => told(() => bmc.openConsole({ ...bound(listener), whenTaken }, signal)),
    },
    inventory: { read: (signal) => told(async () => parts(await bmc.fru(signal))) },
    controller: { reset: (signal) => told(() => bmc.coldReset(signal)) },
    [Symbol.asyncDispose]: () => bmc.close(),
  };
}

const targets: readonly BootTarget[] = ['pxe', 'cdrom', 'bios', 'disk', 'none'];
function isTarget(device: string): device is BootTarget {
  return (targets as readonly string[]).includes(device);
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
      told(async () => (await bmc.users(signal)).filter(({ name }) => name !== '').map(({ name }) => name)),
    create: (name, password, signal) =>
      told(async () => {
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
      told(async () => bmc.setUserPassword(await slotOf(name, signal), password, signal)),
    remove: (name, signal) =>
      told(async () => {
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
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof IpmiError)) throw error;
    throw faultOf(error);
  }
}

function faultOf(error: IpmiError): Fault {
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
      return new Fault('capability_missing', detail);
    case 'refused':
      return error.completionCode === completion.notInPresentState
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
