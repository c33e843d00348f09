// Files of the provider's own: kernels, images. One is on this machine, or is fetched once and kept under the digest that the
// site file names; neither is handed out before its digest is known to be right. Two who want the same one at once share the work.
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** As a site file names it: `file`, or `url` with its digest. */
export interface ProvidedFile {
  readonly file?: string;
  readonly url?: string;
  readonly sha256?: string;
}
export interface LocalFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}
export interface FileCache {
  /** Throws `FileUnusable` where it is not there, cannot be fetched, or is another one than it should be. */
  find(source: ProvidedFile): Promise<LocalFile>;
}

/** Its message is for the operator. */
export class FileUnusable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FileUnusable';
  }
}

const longestFetchMs = 60 * 60_000;
/** More than any image of a system or a disc has: a mirror that never ends shall not fill the disk. */
const largestBytes = 64 * 2 ** 30;

export interface FileLimits {
  readonly largestBytes: number;
}

export function fileCache(folder: string, limits: FileLimits = { largestBytes }): FileCache {
  const digests = new Map<string, string>();
  const underWay = new Map<string, Promise<LocalFile>>();

  async function local(path: string, expected: string | undefined): Promise<LocalFile> {
    const { size, mtimeMs } = await stat(path);
    const key = `${path} ${size} ${mtimeMs}`;
    const sha256 = digests.get(key) ?? (await digestOf(path));
    digests.set(key, sha256);
    if (expected !== undefined && sha256 !== expected) throw new FileUnusable(`${path} has the digest ${sha256}`);
    return { path, sizeBytes: size, sha256 };
  }

  async function fetched(url: string, sha256: string): Promise<LocalFile> {
    const path = join(folder, sha256);
    const kept = await stat(path).catch(() => undefined);
    // It was checked when it was given this name.
    if (kept !== undefined) return { path, sizeBytes: kept.size, sha256 };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeAbandoned(folder);
    const draft = `${path}.${randomBytes(4).toString('hex')}`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(longestFetchMs) });
      if (response.status !== 200 || response.body === null)
        throw new FileUnusable(`${url} answers ${response.status}`);
      const digest = createHash('sha256');
      let sizeBytes = 0;
      const summing = new Transform({
        transform(chunk: Buffer, _encoding, next) {
          digest.update(chunk);
          sizeBytes += chunk.length;
          if (sizeBytes <= limits.largestBytes) next(null, chunk);
          else next(new FileUnusable(`${url} is larger than ${limits.largestBytes} bytes`));
        },
      });
      await pipeline(
        Readable.fromWeb(response.body as ReadableStream),
        summing,
        // On the disk before it has its name, which nobody doubts afterwards.
        createWriteStream(draft, { mode: 0o600, flush: true }),
      );
      const found = digest.digest('hex');
      if (found !== sha256) throw new FileUnusable(`${url} has the digest ${found}`);
      await rename(draft, path);
      return { path, sizeBytes, sha256 };
    } finally {
      await rm(draft, { force: true });
    }
  }

  async function found({ file, url, sha256 }: ProvidedFile): Promise<LocalFile> {
    try {
      if (file !== undefined) return await local(file, sha256);
      if (url !== undefined && sha256 !== undefined) return await fetched(url, sha256);
    } catch (error) {
      throw error instanceof FileUnusable ? error : new FileUnusable(`${file ?? url} cannot be read`, error);
    }
    throw new FileUnusable('neither a file nor a URL with its digest');
  }

  return {
    find(source) {
      const key = JSON.stringify([source.file, source.url, source.sha256]);
      const sharing = underWay.get(key);
      if (sharing !== undefined) return sharing;
      const work = found(source).finally(() => underWay.delete(key));
      underWay.set(key, work);
      return work;
    },
  };
}

/** Of processes that were shot while they fetched; what is younger may be another node's, at work. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.includes('.')) continue;
    const path = join(folder, name);
    const draft = await stat(path).catch(() => undefined);
    if (draft !== undefined && draft.mtimeMs < Date.now() - longestFetchMs) await rm(path, { force: true });
  }
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('hex');
}
