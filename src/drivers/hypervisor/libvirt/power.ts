// Power, boot device and virtual media. libvirt has no one-time boot: the choice is stored as the boot order and reset
// to the default once the machine runs, both in the persistent description and in QEMU, which would otherwise boot from
// the same device again when the guest reboots.
import { ApiError, conflict } from '#lib/api-error.ts';
import { errorCode } from '#protocols/libvirt/error.ts';
import {
  domainCreate,
  domainDestroyFlags,
  domainReset,
  domainShutdownFlags,
  qemuDomainMonitorCommand,
  type Domain,
} from '#protocols/libvirt/procedures.ts';
import {
  missingCapability,
  type MachineBoot,
  type MachineBootTarget,
  type MachineMedia,
  type MachinePower,
} from '../driver.ts';
import {
  canChooseBoot,
  deviceAlias,
  findDisk,
  diskFile,
  firstBootTarget,
  lastBootIndex,
  setBootOrder,
  setDiskFile,
} from './domain.ts';
import { isOn, undefinedOnError, type Session } from './session.ts';
import type { Element } from './xml.ts';

export function createPower(session: Session): MachinePower {
  const start = async (name: string, signal: AbortSignal): Promise<void> => {
    const dom = await session.domain(name, signal);
    const first = firstBootTarget(await session.describe(dom, 'persistent', signal));
    // Rejected if it is already running.
    await undefinedOnError(errorCode.operationInvalid, session.call(domainCreate, { dom }, signal));
    if (first !== 'disk') await restoreBootOrder(session, dom, first, signal);
  };
  const stop = (dom: Domain, signal: AbortSignal): Promise<void> =>
    undefinedOnError(errorCode.operationInvalid, session.call(domainDestroyFlags, { dom, flags: 0 }, signal));
  return {
    state: async (name, signal) => (isOn(await session.domain(name, signal)) ? 'on' : 'off'),
    async set(name, state, signal) {
      const dom = await session.domain(name, signal);
      if (isOn(dom) === (state === 'on')) return;
      await (state === 'on' ? start(name, signal) : stop(dom, signal));
      if (isOn(await session.domain(name, signal)) !== (state === 'on'))
        throw new ApiError('node_error', {
          message: 'The hypervisor accepted the command, but the power state did not change.',
        });
    },
    requestShutdown: async (name, signal) => {
      const dom = await session.domain(name, signal);
      if (!isOn(dom)) return;
      // An agent that does not answer has got the request, and libvirt then presses the power button.
      await session.call(domainShutdownFlags, { dom, flags: 0 }, signal).catch((error: unknown) => {
        const isSent = error instanceof ApiError && error.code === 'node_unreachable';
        if (!isSent || !signal.aborted) throw error;
      });
    },
    async reset(name, signal) {
      const dom = await session.domain(name, signal);
      if (!isOn(dom)) throw conflict('The machine is off. Power it on instead of resetting it.');
      // A running machine keeps the boot order that it was started with, so another order needs a restart.
      if (firstBootTarget(await session.describe(dom, 'persistent', signal)) === 'disk')
        return session.call(domainReset, { dom, flags: 0 }, signal);
      await stop(dom, signal);
      return start(name, signal);
    },
  };
}

async function restoreBootOrder(
  session: Session,
  dom: Domain,
  first: MachineBootTarget,
  signal: AbortSignal,
): Promise<void> {
  const description = await session.describe(dom, 'persistent', signal);
  setBootOrder(description, 'disk');
  await session.define(description, signal);
  const alias = deviceAlias(await session.describe(dom, 'running', signal), first);
  const bootIndex = { path: `/machine/peripheral/${alias}`, property: 'bootindex', value: lastBootIndex };
  const command = JSON.stringify({ execute: 'qom-set', arguments: bootIndex });
  const { result } = await session.call(qemuDomainMonitorCommand, { dom, command, flags: 0 }, signal);
  if (result.includes('"error"'))
    throw new ApiError('node_error', { internal: `QEMU did not change the boot order: ${result}` });
}

export function createBoot(session: Session): MachineBoot {
  return {
    async setNext(name, target, signal) {
      const description = await session.describe(await session.domain(name, signal), 'persistent', signal);
      if (!canChooseBoot(description, target)) throw missingCapability('boot');
      if (firstBootTarget(description) === target) return;
      setBootOrder(description, target);
      await session.define(description, signal);
    },
  };
}

export function createMedia(
  session: Session,
  pathOf: (image: string, signal: AbortSignal) => Promise<string>,
): MachineMedia {
  const setImage = async (name: string, file: string | undefined, signal: AbortSignal): Promise<void> => {
    const edit = (description: Element): Element | undefined => {
      const drive = findDisk(description, 'image');
      if (drive === undefined) throw missingCapability('media', { internal: `${name} has no CD drive` });
      if (diskFile(drive) === file) return undefined;
      setDiskFile(drive, file);
      return drive;
    };
    await session.updateDrive(await session.domain(name, signal), edit, signal);
  };
  return {
    insert: async (name, image, signal) => setImage(name, await pathOf(image, signal), signal),
    eject: (name, signal) => setImage(name, undefined, signal),
    async isInserted(name, image, signal) {
      const dom = await session.domain(name, signal);
      const description = await session.describe(dom, isOn(dom) ? 'running' : 'persistent', signal);
      const file = diskFile(findDisk(description, 'image'));
      return file !== undefined && (image === undefined || file === (await pathOf(image, signal)));
    },
  };
}
