// The provider's files, such as kernels and images: local ones, and remote ones that are downloaded once and stored under the
// digest in the site file. A file is returned only after its digest has been verified; concurrent requests share the work.
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadableStream } from 'node:stream/web';
import type { SiteInstallFile } from '#contract/site/systems.ts';

export interface LocalFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}
export interface FileCache {
  /** Throws `FileUnusable` if the file is missing, cannot be downloaded or has another digest. */
  find(source: SiteInstallFile): Promise<LocalFile>;
  /** Returns whether the file exists, verified if it has a digest. Neither downloads nor reads it. */
  isReady(source: SiteInstallFile): Promise<boolean>;
}

/** The message is for the operator. */
export class FileUnusable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FileUnusable';
  }
}

const downloadTimeoutMs = 60 * 60_000;
/** How long a caller waits for files that are still being downloaded or hashed. */
const callerWaitMs = 6000;
const callerStepMs = 100;
/** Larger than any image: a mirror that never stops sending must not fill the disk. */
const defaultMaxBytes = 64 * 2 ** 30;

export function fileCache(folder: string, maxBytes = defaultMaxBytes): FileCache {
  const digests = new Map<string, string>();
  const pending = new Map<string, Promise<LocalFile>>();

  async function readLocal(path: string, expected: string | undefined): Promise<LocalFile> {
    const { size, mtimeMs } = await stat(path);
    const key = versionOf(path, { size, mtimeMs });
    const sha256 = digests.get(key) ?? (await digestOf(path));
    digests.set(key, sha256);
    if (expected !== undefined && sha256 !== expected) throw new FileUnusable(`${path} has the digest ${sha256}`);
    return { path, sizeBytes: size, sha256 };
  }

  async function download(url: string, sha256: string): Promise<LocalFile> {
    const path = join(folder, sha256);
    const existing = await stat(path).catch(() => undefined);
    // Verified before it was given this name.
    if (existing !== undefined) return { path, sizeBytes: existing.size, sha256 };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeAbandoned(folder);
    const draft = `${path}.${randomBytes(4).toString('hex')}`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(downloadTimeoutMs) });
      if (response.status !== 200 || response.body === null)
        throw new FileUnusable(`${url} responded with status ${response.status}`);
      const digest = createHash('sha256');
      let sizeBytes = 0;
      const hashing = new Transform({
        transform(chunk: Buffer, _encoding, next) {
          digest.update(chunk);
          sizeBytes += chunk.length;
          if (sizeBytes <= maxBytes) next(null, chunk);
          else next(new FileUnusable(`${url} is larger than ${maxBytes} bytes`));
        },
      });
      await pipeline(
        Readable.fromWeb(response.body as ReadableStream),
        hashing,
        // Flushed before it is renamed, because files with that name are trusted.
        createWriteStream(draft, { mode: 0o600, flush: true }),
      );
      const actual = digest.digest('hex');
      if (actual !== sha256) throw new FileUnusable(`${url} has the digest ${actual}`);
      await rename(draft, path);
      return { path, sizeBytes, sha256 };
    } finally {
      await rm(draft, { force: true });
    }
  }

  async function findFile({ file, url, sha256 }: SiteInstallFile): Promise<LocalFile> {
    try {
      if (file !== undefined) return await readLocal(file, sha256);
      if (url !== undefined && sha256 !== undefined) return await download(url, sha256);
    } catch (error) {
      throw error instanceof FileUnusable ? error : new FileUnusable(`${file ?? url} cannot be read`, error);
    }
    throw new FileUnusable('neither a file nor a URL with its digest');
  }

  return {
    find(source) {
      const key = JSON.stringify([source.file, source.url, source.sha256]);
      const shared = pending.get(key);
      if (shared !== undefined) return shared;
      const work = findFile(source).finally(() => pending.delete(key));
      pending.set(key, work);
      return work;
    },
    async isReady({ file, sha256 }) {
      const path = file ?? (sha256 && join(folder, sha256));
      const version = path === undefined ? undefined : await stat(path).catch(() => undefined);
      if (version === undefined) return false;
      return file === undefined || sha256 === undefined || digests.get(versionOf(file, version)) === sha256;
    },
  };
}

/** Returns undefined if this takes longer than a caller waits; a download goes on nevertheless. */
export async function findSoon(
  files: FileCache,
  sources: readonly SiteInstallFile[],
  waitMs = callerWaitMs,
): Promise<LocalFile[] | undefined> {
  const finding = Promise.all(sources.map((source) => files.find(source)));
  const ended = new AbortController();
  const outOfTime = async (): Promise<undefined> => {
    // Each step lets the disk's answers in: a process that has been paused for seconds has not waited for them.
    for (let waitedMs = 0; waitedMs < waitMs && !ended.signal.aborted; waitedMs += callerStepMs)
      await sleep(callerStepMs, undefined, { ref: false });
  };
  try {
    return await Promise.race([finding, outOfTime()]);
  } finally {
    ended.abort();
  }
}

/** Identifies the content of a file that was not changed in place. */
function versionOf(path: string, { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }): string {
  return `${path} ${size} ${mtimeMs}`;
}

/** Removes partial downloads of killed processes; recent ones may belong to another instance. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.includes('.')) continue;
    const path = join(folder, name);
    const draft = await stat(path).catch(() => undefined);
    if (draft !== undefined && draft.mtimeMs < Date.now() - downloadTimeoutMs) await rm(path, { force: true });
  }
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('hex');
}
