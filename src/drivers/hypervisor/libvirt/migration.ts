// Migration between two libvirt hypervisors. A running machine moves peer to peer: the daemons connect to each other, and QEMU
// copies disks and memory. A machine that is off is copied through Hostyard. Either way the source keeps its definition and
// disks, off, until Hostyard removes them.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '#lib/api-error.ts';
import { errorCode } from '#protocols/libvirt/error.ts';
import {
  domainAbortJob,
  domainGetJobInfo,
  domainGetXmlDesc,
  domainMigratePerform3Params,
  nwfilterDefineXml,
  type Domain,
} from '#protocols/libvirt/procedures.ts';
import type { CopyProgress, MachineMigration } from '../migration.ts';
import { copyFiles, listFiles, type CopiedFile, type CopySide } from './disk-copy.ts';
import { diskPaths, findCard } from './domain.ts';
import { describeFilter } from './filter.ts';
import { adaptDescription, drivePaths, nvramPath } from './migration-description.ts';
import { isOn, undefinedOnError, type Session } from './session.ts';
import type { LibvirtSettings } from './settings.ts';
import { isSnapshotFile, type Storage } from './storage.ts';
import { findPath, parseXml, writeXml, type Element } from './xml.ts';

interface Side extends CopySide {
  readonly settings: LibvirtSettings;
  /** Returns the path of an image of the provider. */
  imagePath(image: string, signal: AbortSignal): Promise<string>;
}

/** Live, peer to peer, keep the definition on the target, copy all disks, and stop if a disk fails. */
const liveFlags = 1 | 2 | 8 | 64 | 4096;
const migratableXml = 1 | 8;
const typedText = 7;
const typedUint64 = 4;
const watchMs = 2000;
const longestMoveMs = 24 * 3_600_000;
const abortPollMs = 200;

const sides = new WeakMap<MachineMigration, Side>();

export function createMigration(
  session: Session,
  storage: Storage,
  settings: LibvirtSettings,
  imagePath: Side['imagePath'],
): MachineMigration {
  const side: Side = { session, storage, pool: settings.pool, settings, imagePath };
  /** Moves that this process has started, by machine. */
  const moves = new Map<string, { readonly work: Promise<void>; readonly stop: AbortController }>();

  const startMove = (name: string, target: Side, networks: readonly string[], dom: Domain): Promise<void> => {
    const stop = new AbortController();
    const limit = AbortSignal.any([stop.signal, AbortSignal.timeout(longestMoveMs)]);
    const work = moveRunning(side, target, name, networks, dom, limit);
    moves.set(name, { work, stop });
    // The next call reports the error.
    work.catch(() => {});
    return work;
  };

  const migration: MachineMigration = {
    movesVolumes: true,
    async hasFiles(name, signal) {
      await storage.refresh(signal);
      return (await storage.listVolumes(name, signal)).length > 0;
    },
    async findLiveObstacle(name, targetPart, signal) {
      const target = sideOf(targetPart);
      if (target.settings.migrationUri === undefined) return 'The target has no migrationUri in the site file.';
      if (target.settings.accelerator !== settings.accelerator) return 'The hypervisors have different accelerators.';
      return isOn(await session.domain(name, signal)) ? undefined : 'The machine is off.';
    },
    async moveLive(name, targetPart, networks, signal) {
      const target = sideOf(targetPart);
      const dom = await session.domain(name, signal);
      let work = moves.get(name)?.work;
      const job = await readJob(session, dom, signal);
      if (work === undefined && job === undefined) {
        const there = await target.session.find(name, signal);
        if (!isOn(dom) && there !== undefined && isOn(there)) return complete;
        work = startMove(name, target, networks, dom);
      }
      const isDone = await Promise.race([
        (work ?? new Promise<void>(() => {})).then(() => true),
        sleep(watchMs, false, { ref: false }),
      ]).catch((error: unknown) => {
        moves.delete(name);
        throw error;
      });
      if (!isDone)
        return (await readJob(session, await session.domain(name, signal), signal)) ?? job ?? unknownProgress;
      moves.delete(name);
      return complete;
    },
    async cancelLive(name, signal) {
      const dom = await session.find(name, signal);
      if (dom === undefined) return;
      await undefinedOnError(errorCode.operationInvalid, session.call(domainAbortJob, { dom }, signal));
      while ((await readJob(session, await session.domain(name, signal), signal)) !== undefined)
        await sleep(abortPollMs, undefined, { signal });
      // It may still be copying files.
      const move = moves.get(name);
      move?.stop.abort();
      await move?.work.catch(() => {});
      moves.delete(name);
    },
    async copy(name, targetPart, networks, position, signal) {
      const target = sideOf(targetPart);
      const dom = await session.domain(name, signal);
      if (isOn(dom)) throw new ApiError('state_conflict', { internal: `${name} is on` });
      const description = await session.describe(dom, 'persistent', signal);
      if (findPath(description, 'devices', 'tpm') !== undefined)
        throw new ApiError('capability_missing', { message: 'A machine with a TPM can move only while it runs.' });
      const files = await filesOf(
        side,
        [...machinePaths(name, description), ...(await snapshotPaths(side, name, signal))],
        signal,
      );
      const progress = await copyFiles(side, target, files, position, signal);
      if (!progress.isComplete) return progress;
      await target.storage.refresh(signal);
      await defineFilter(target, name, description, networks, signal);
      await target.session.define(await adapt(target, name, description, files, signal), signal);
      return progress;
    },
  };
  sides.set(migration, side);
  return migration;
}

const complete: CopyProgress = { copiedBytes: 1, totalBytes: 1, isComplete: true };
const unknownProgress: CopyProgress = { copiedBytes: 0, totalBytes: 0, isComplete: false };

function sideOf(target: MachineMigration): Side {
  const side = sides.get(target);
  if (side === undefined) throw new ApiError('node_error', { internal: 'the target does not run libvirt' });
  return side;
}

async function moveRunning(
  source: Side,
  target: Side,
  name: string,
  networks: readonly string[],
  dom: Domain,
  signal: AbortSignal,
): Promise<void> {
  const persistent = await source.session.describe(dom, 'persistent', signal);
  const { xml } = await source.session.call(domainGetXmlDesc, { dom, flags: migratableXml }, signal);
  const disks = diskPaths(persistent);
  // QEMU fills the disks, flat, so that nothing depends on a template of the target.
  const flat = (await filesOf(source, disks, signal)).filter(({ path }) => disks.includes(path));
  for (const { name: copy, capacityBytes } of flat) await createEmptyDisk(target, copy, capacityBytes, signal);
  const still = [...drivePaths(persistent, name), ...(await snapshotPaths(source, name, signal))];
  const drives = await filesOf(source, still, signal);
  for (let position = 0, isComplete = false; !isComplete;)
    ({ copiedBytes: position, isComplete } = await copyFiles(source, target, drives, position, signal));
  await defineFilter(target, name, persistent, networks, signal);
  const { migrationUri, migrationAddress, migrationMbPerSecond } = target.settings;
  const texts = {
    destination_xml: writeXml(await adapt(target, name, parseXml(xml), [...flat, ...drives], signal)),
    persistent_xml: writeXml(await adapt(target, name, persistent, [...flat, ...drives], signal)),
    ...(migrationAddress !== undefined && { migrate_uri: `tcp://${uriHost(migrationAddress)}` }),
  };
  const params = Object.entries(texts).map(([field, value]) => ({ field, value: { tag: typedText, value } }));
  const limit = migrationMbPerSecond && {
    field: 'bandwidth',
    value: { tag: typedUint64, value: BigInt(migrationMbPerSecond) },
  };
  const request = { dom, targetUri: migrationUri, cookie: Buffer.alloc(0), flags: liveFlags };
  await source.session.call(
    domainMigratePerform3Params,
    { ...request, params: [...params, ...(limit ? [limit] : [])] },
    signal,
  );
}

async function createEmptyDisk({ storage }: Side, name: string, bytes: number, signal: AbortSignal): Promise<void> {
  const leftover = await storage.find(name, signal);
  if (leftover !== undefined) await storage.remove(leftover, signal);
  const { freeBytes, growthBytes } = await storage.freeSpace(signal);
  if (freeBytes - growthBytes < bytes)
    throw new ApiError('nothing_free', { message: 'The hypervisor has no disk space for this machine.' });
  await storage.createDisk(name, bytes, signal);
}

/** Returns its disks, seed and firmware variables. Images of the provider stay. */
function machinePaths(name: string, description: Element): readonly string[] {
  const nvram = nvramPath(description);
  return [...diskPaths(description), ...drivePaths(description, name), ...(nvram === undefined ? [] : [nvram])];
}

async function snapshotPaths({ storage }: Side, name: string, signal: AbortSignal): Promise<readonly string[]> {
  return (await storage.listVolumes(name, signal)).filter(isSnapshotFile).map(({ key }) => key);
}

/** Lists the files at these paths with what they are overlays on, each once. */
async function filesOf(side: Side, paths: readonly string[], signal: AbortSignal): Promise<readonly CopiedFile[]> {
  await side.storage.refresh(signal);
  const files = new Map<string, CopiedFile>();
  for (const path of paths) {
    let base: string | undefined;
    for (const file of await listFiles(side, path, signal)) {
      const known = files.get(file.path) ?? { ...file, ...(base !== undefined && { base }) };
      files.set(file.path, known);
      base = known.name;
    }
  }
  return [...files.values()];
}

async function defineFilter(
  target: Side,
  name: string,
  description: Element,
  networks: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const card = findCard(description);
  const mac = card && findPath(card, 'mac')?.attributes['address'];
  if (target.settings.bridge !== undefined && mac !== undefined)
    await target.session.call(nwfilterDefineXml, { xml: writeXml(describeFilter(name, mac, networks)) }, signal);
}

/** Returns the description as it must be on the target. */
async function adapt(
  target: Side,
  name: string,
  description: Element,
  files: readonly CopiedFile[],
  signal: AbortSignal,
): Promise<Element> {
  const paths = new Map<string, string>();
  for (const file of files) {
    const volume = await target.storage.find(file.name, signal);
    if (volume !== undefined) paths.set(file.path, volume.key);
  }
  // An image that the target does not have is ejected.
  const imageThere = (path: string): Promise<string | undefined> =>
    target.imagePath(path.split('/').at(-1)!, signal).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'node_error') return undefined;
      throw error;
    });
  return adaptDescription(description, name, paths, imageThere, target.settings);
}

async function readJob(session: Session, dom: Domain, signal: AbortSignal): Promise<CopyProgress | undefined> {
  if (!isOn(dom)) return undefined;
  const reading = session.call(domainGetJobInfo, { dom }, signal);
  const job = await undefinedOnError(errorCode.operationInvalid, reading);
  if (job === undefined || job.type === 0) return undefined;
  return { copiedBytes: Number(job.dataProcessed), totalBytes: Number(job.dataTotal), isComplete: false };
}

function uriHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
