// Power, what the next boot is from, and the drive for images. libvirt knows no boot "this once": the choice is kept as the
// order in which the devices are tried, and as soon as the machine runs the usual order is put back, both for its next start
// and in the emulator, which would else boot from the same device again when the system inside reboots.
import { Fault } from '#kernel/fault.ts';
import { errorCode } from '#wire/libvirt/error.ts';
import {
  domainCreate,
  domainDestroyFlags,
  domainReset,
  domainShutdownFlags,
  domainUpdateDeviceFlags,
  qemuDomainMonitorCommand,
  type Domain,
} from '#wire/libvirt/procedures.ts';
import type { MachineBoot, MachineBootTarget, MachineMedia, MachinePower } from '../driver.ts';
import { aliasOf, device, fileIn, firstInOrder, lastInOrder, putBootOrder, putFile } from './domain.ts';
import { isOn, isRefusal, type Session } from './session.ts';
import { writeXml } from './xml.ts';

const update = { live: 1, kept: 2, force: 4 } as const;

export function powerOf(session: Session): MachinePower {
  const start = async (name: string, signal: AbortSignal): Promise<void> => {
    const dom = await session.domain(name, signal);
    const first = firstInOrder(await session.describe(dom, 'kept', signal));
    await ignoring(errorCode.operationInvalid, session.call(domainCreate, { dom }, signal));
    if (first !== 'disk') await usualOrderAgain(session, dom, first, signal);
  };
  const stop = (dom: Domain, signal: AbortSignal): Promise<void> =>
    ignoring(errorCode.operationInvalid, session.call(domainDestroyFlags, { dom, flags: 0 }, signal));
  return {
    state: async (name, signal) => (isOn(await session.domain(name, signal)) ? 'on' : 'off'),
    async set(name, state, signal) {
      const dom = await session.domain(name, signal);
      if (isOn(dom) === (state === 'on')) return;
      await (state === 'on' ? start(name, signal) : stop(dom, signal));
      if (isOn(await session.domain(name, signal)) !== (state === 'on'))
        throw new Fault('node_error', { message: 'The node took the command, but the power has not followed.' });
    },
    requestShutdown: async (name, signal) => {
      const dom = await session.domain(name, signal);
      if (isOn(dom)) await session.call(domainShutdownFlags, { dom, flags: 0 }, signal);
    },
    async reset(name, signal) {
      const dom = await session.domain(name, signal);
      if (!isOn(dom)) throw new Fault('state_conflict', { message: 'The machine is off: there is nothing to reset.' });
      // A machine that runs tries its devices in the order with which it was started.
      if (firstInOrder(await session.describe(dom, 'kept', signal)) === 'disk')
        return session.call(domainReset, { dom, flags: 0 }, signal);
      await stop(dom, signal);
      return start(name, signal);
    },
  };
}

async function usualOrderAgain(
  session: Session,
  dom: Domain,
  first: MachineBootTarget,
  signal: AbortSignal,
): Promise<void> {
  const kept = await session.describe(dom, 'kept', signal);
  putBootOrder(kept, 'disk');
  await session.keep(kept, signal);
  const alias = aliasOf(await session.describe(dom, 'running', signal), first);
  const place = { path: `/machine/peripheral/${alias}`, property: 'bootindex', value: lastInOrder };
  const command = JSON.stringify({ execute: 'qom-set', arguments: place });
  const { result } = await session.call(qemuDomainMonitorCommand, { dom, command, flags: 0 }, signal);
  if (result.includes('"error"')) throw new Fault('node_error', { internal: `the boot order stays: ${result}` });
}

export function bootOf(session: Session): MachineBoot {
  return {
    async setNext(name, target, signal) {
      const kept = await session.describe(await session.domain(name, signal), 'kept', signal);
      if (firstInOrder(kept) === target) return;
      putBootOrder(kept, target);
      await session.keep(kept, signal);
    },
  };
}

export function mediaOf(
  session: Session,
  pathOf: (image: string, signal: AbortSignal) => Promise<string>,
): MachineMedia {
  const put = async (name: string, file: string | undefined, signal: AbortSignal): Promise<void> => {
    const dom = await session.domain(name, signal);
    const where = isOn(dom) ? (['running', 'kept'] as const) : (['kept'] as const);
    for (const which of where) {
      const drive = device(await session.describe(dom, which, signal), 'image');
      if (drive === undefined) throw new Fault('node_error', { internal: `${name} has no drive for images` });
      if (fileIn(drive) === file) continue;
      putFile(drive, file);
      const flags = which === 'running' ? update.live | update.force : update.kept;
      await session.call(domainUpdateDeviceFlags, { dom, xml: writeXml(drive), flags }, signal);
    }
  };
  return {
    insert: async (name, image, signal) => put(name, await pathOf(image, signal), signal),
    eject: (name, signal) => put(name, undefined, signal),
  };
}

/** What has come to be so meanwhile is what was wanted. */
async function ignoring(code: number, work: Promise<undefined>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isRefusal(error, code)) throw error;
  }
}
