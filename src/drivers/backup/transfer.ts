// Moves the content of a machine between its hypervisor and its backup repository. It runs in its own process
// (transfer-process.ts), because gigabytes through the server would slow down the API.
import { createHash, randomUUID, type Hash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '#lib/api-error.ts';
import type { MachineNames } from '../hypervisor/adoption.ts';
import type { MachineBackups } from '../hypervisor/backups.ts';
import { requireCapability, type Hypervisor, type HypervisorDriver } from '../hypervisor/driver.ts';
import type { VolumeInfo } from '../hypervisor/volumes.ts';
import { hypervisorDrivers } from '../hypervisor/registry.ts';
import type { RepositoryAccess, RepositorySettings } from './driver.ts';
import { openRepository } from './registry.ts';

/**
 * What a gigabit link carries. On a small server, a quicker transfer takes so much of the memory's bandwidth that the API is slower
 * (bench/backups.ts).
 */
const maxBytesPerMs = 100_000;
/** Timers for less cost more than they are worth. */
const minPauseMs = 10;

interface RepositoryTarget {
  readonly settings: RepositorySettings;
  readonly access: RepositoryAccess;
}
export interface MachineLocation {
  readonly driver: string;
  readonly settings: unknown;
  readonly name: string;
  /** Its name on the hypervisor, if it was adopted under another one. */
  readonly adoptedName?: string;
}
/** Content in a repository. */
export interface ContentReference {
  readonly snapshot: string;
  readonly digest: string;
}
export type TransferRequest = { readonly repository: RepositoryTarget } & (
  | {
      readonly kind: 'store';
      readonly machine: MachineLocation;
      readonly copy: string;
      /** The system if absent. */
      readonly volume?: string;
      readonly isNew: boolean;
    }
  | ({ readonly kind: 'restore'; readonly machine: MachineLocation; readonly system: string } & ContentReference)
  | ({ readonly kind: 'template'; readonly machine: MachineLocation; readonly template: string } & ContentReference)
  | ({
      readonly kind: 'volume';
      readonly machine: MachineLocation;
      readonly volume: VolumeInfo;
      readonly of: 'system' | 'volume';
    } & ContentReference)
  | ({ readonly kind: 'verify'; readonly scratch: string } & ContentReference)
  | { readonly kind: 'prune'; readonly keep: readonly string[] }
);

export interface TransferResult {
  /** Of the content. */
  readonly sizeBytes: number;
  readonly digest: string;
  /** Set by `store`. */
  readonly snapshot?: string;
  readonly addedBytes?: number;
  /** Set by `prune`: what the repository stores now. */
  readonly storedBytes?: number;
}

export type RunTransfer = (request: TransferRequest, signal: AbortSignal) => Promise<TransferResult>;

export const runTransfer: RunTransfer = async (request, signal) => {
  const repository = openRepository(request.repository.settings, request.repository.access);
  const tally = createTally();
  switch (request.kind) {
    case 'store': {
      if (request.isNew) await repository.create(signal);
      const { name } = request.machine;
      await using hypervisor = await openHypervisor(request.machine);
      const backups = requireCapability(hypervisor, 'backups');
      const content =
        request.volume === undefined
          ? backups.read(name, request.copy, signal)
          : backups.readVolume(request.volume, request.copy, signal);
      const stored = await repository.store(pace(tally.count(content)), signal);
      return { ...tally.result(), ...stored };
    }
    case 'restore':
    case 'template':
    case 'volume': {
      await using hypervisor = await openHypervisor(request.machine);
      const content = tally.count(repository.read(request.snapshot, signal));
      const checked = checkAtEnd(content, () => requireDigest(tally.result(), request.digest));
      await useContent(requireCapability(hypervisor, 'backups'), request, checked, signal);
      return tally.result();
    }
    case 'verify': {
      await repository.check(signal);
      await restoreToScratch(repository.read(request.snapshot, signal), request.scratch, tally, signal);
      requireDigest(tally.result(), request.digest);
      return tally.result();
    }
    case 'prune':
      return { ...tally.result(), storedBytes: await repository.keepOnly(request.keep, signal) };
  }
};

async function useContent(
  backups: MachineBackups,
  request: Extract<TransferRequest, { kind: 'restore' | 'template' | 'volume' }>,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const { name } = request.machine;
  if (request.kind === 'restore') await backups.restore(name, request.system, content, signal);
  else if (request.kind === 'template') await backups.createTemplate(request.template, content, signal);
  else await backups.createVolume(request.volume, name, request.of, content, signal);
}

async function openHypervisor({ driver, settings, name, adoptedName = name }: MachineLocation): Promise<Hypervisor> {
  const drivers: Readonly<Record<string, HypervisorDriver>> = hypervisorDrivers;
  const names: MachineNames = {
    onHypervisor: async (machine) => (machine === name ? adoptedName : machine),
    adopted: async () => new Map(adoptedName === name ? [] : [[adoptedName, name]]),
  };
  const opened = drivers[driver];
  if (opened === undefined) throw new Error(`there is no hypervisor driver ${driver}`);
  return opened.open(settings as never, names);
}

interface Tally {
  count(content: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
  result(): Pick<TransferResult, 'sizeBytes' | 'digest'>;
}

/** Counts and digests the content that passes. */
function createTally(): Tally {
  const hash: Hash = createHash('sha256');
  let sizeBytes = 0;
  let digest: string | undefined;
  return {
    async *count(content) {
      for await (const chunk of content) {
        hash.update(chunk);
        sizeBytes += chunk.length;
        yield chunk;
      }
    },
    result: () => ({ sizeBytes, digest: (digest ??= hash.digest('hex')) }),
  };
}

/** Holds content back that arrives faster than a transfer may be. */
async function* pace(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let dueMs = 0;
  for await (const chunk of content) {
    yield chunk;
    const nowMs = performance.now();
    dueMs = Math.max(dueMs, nowMs) + chunk.length / maxBytesPerMs;
    if (dueMs - nowMs > minPauseMs) await sleep(dueMs - nowMs);
  }
}

/** Calls `check` after the last chunk, before its consumer considers the content complete. */
async function* checkAtEnd(content: AsyncIterable<Buffer>, check: () => void): AsyncGenerator<Buffer> {
  yield* content;
  check();
}

function requireDigest({ digest }: Pick<TransferResult, 'digest'>, expected: string): void {
  if (digest !== expected) throw new ApiError('backup_error', { internal: 'the content is not what was backed up' });
}

/** Writes the content to a file and reads it back, as a restore would. The file has no name, so that it ends with the process. */
async function restoreToScratch(
  content: AsyncIterable<Buffer>,
  scratch: string,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const path = join(scratch, `hostyard-verify-${randomUUID()}`);
  try {
    await using file = await open(path, 'wx+', 0o600);
    await rm(path);
    for await (const chunk of content) {
      signal.throwIfAborted();
      await file.writeFile(chunk);
    }
    await file.sync();
    const written = file.createReadStream({ start: 0, autoClose: false, signal });
    for await (const _ of tally.count(written)) signal.throwIfAborted();
  } catch (cause) {
    // Errors of the repository are ApiErrors. Retrying would fill a disk that is too small again and again, and other programs use it.
    if (signal.aborted || !(cause instanceof Error) || cause instanceof ApiError) throw cause;
    throw new ApiError('backup_error', {
      cause,
      internal: `the folder ${scratch} (backups.scratch): ${cause.message}`,
    });
  }
}
