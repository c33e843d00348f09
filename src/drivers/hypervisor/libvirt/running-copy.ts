// Copies a disk of a running machine. QEMU copies it while the machine writes, and finishes the copy at one moment; the file systems
// are frozen only then.
import { setTimeout as pause } from 'node:timers/promises';
import { conflict } from '#lib/api-error.ts';
import { errorCode } from '#protocols/libvirt/error.ts';
import {
  domainBlockCopy,
  domainBlockJobAbort,
  domainGetBlockJobInfo,
  type Domain,
  type StorageVolume,
} from '#protocols/libvirt/procedures.ts';
import { runWhileFrozen, thawGuest } from './agent.ts';
import { undefinedOnError, type Session } from './session.ts';
import { element, writeXml } from './xml.ts';

/** Copies only what the machine wrote on top of its template, to an existing file; a restart of the machine ends the copy. */
const copyFlags = 1 | 2 | 4;
const pollIntervalMs = 250;

/** Ends a copy that a process left behind, and thaws the machine. */
export async function endRunningCopy(session: Session, dom: Domain, path: string, signal: AbortSignal): Promise<void> {
  await finishCopy(session, dom, path, signal);
  await thawGuest(session, dom);
}

/** Returns true if the file systems were frozen. `path` is the target of the disk, such as vda. */
export async function copyRunningDisk(
  session: Session,
  dom: Domain,
  path: string,
  copy: StorageVolume,
  signal: AbortSignal,
): Promise<boolean> {
  await endRunningCopy(session, dom, path, signal);
  const file = element('source', { file: copy.key });
  const destination = writeXml(element('disk', { type: 'file' }, file, element('driver', { type: 'qcow2' })));
  const job = { dom, path, flags: 0 };
  await session.call(domainBlockCopy, { ...job, destination, params: [], flags: copyFlags }, signal);
  for (;;) {
    const { found, done, total } = await session.call(domainGetBlockJobInfo, job, signal);
    if (found === 0)
      throw conflict('The copy was interrupted, perhaps because the machine was powered off. Try again.');
    if (done === total && total > 0n) break;
    await pause(pollIntervalMs, undefined, { signal });
  }
  return runWhileFrozen(session, dom, () => finishCopy(session, dom, path, signal));
}

async function finishCopy({ call }: Session, dom: Domain, path: string, signal: AbortSignal): Promise<void> {
  // Rejected if there is none, or if the machine is off.
  const end = call(domainBlockJobAbort, { dom, path, flags: 0 }, signal);
  await undefinedOnError(errorCode.operationInvalid, undefinedOnError(errorCode.invalidArgument, end));
}
