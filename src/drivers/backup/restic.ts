// Repositories of restic: encrypted, deduplicated by content, on a local folder, by SFTP or on storage with the S3 API. Each
// backup is one file of a snapshot, so that a repository of any size has a handful of entries.
import { stat } from 'node:fs/promises';
import { Type, type Static, type TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { ApiError } from '#lib/api-error.ts';
import type { BackupRepository, RepositoryAccess, RepositorySettings } from './driver.ts';
import { isLocked, runRestic, startRestic } from './restic-process.ts';

const fileName = 'content';
const hostName = 'hostyard';

const Summary = Type.Object({
  message_type: Type.Literal('summary'),
  data_added: Type.Integer(),
  snapshot_id: Type.String({ pattern: '^[0-9a-f]{8,64}$' }),
});
const Snapshots = Type.Array(Type.Object({ id: Type.String(), short_id: Type.String() }));
const Stats = Type.Object({ total_size: Type.Integer() });

/** The lowest priority: backups have time, and the API does not. */
const lowestPriority = 19;

export function openRestic(
  settings: RepositorySettings,
  access: RepositoryAccess,
  niceness = lowestPriority,
): BackupRepository {
  const target = { settings, access, niceness };
  const run = (args: readonly string[], signal: AbortSignal): Promise<string> => runRestic(target, args, signal);
  /** Jobs of one machine run one at a time, so a lock is a leftover. Restic itself checks whether its process is gone. */
  const runUnlocked = async (args: readonly string[], signal: AbortSignal): Promise<string> => {
    try {
      return await run(args, signal);
    } catch (error) {
      if (!isLocked(error)) throw error;
      await run(['unlock'], signal);
      return run(args, signal);
    }
  };
  /** Before content is moved, because a stream cannot be repeated after it ran into a lock. */
  const removeStaleLocks = (signal: AbortSignal): Promise<string> => run(['unlock'], signal);
  const list = async (signal: AbortSignal): Promise<Static<typeof Snapshots>> =>
    parse(Snapshots, (await runUnlocked(['snapshots', '--json'], signal)) || '[]');

  return {
    async probe(signal) {
      if (settings.driver === 'local') return requireFolder(settings.path);
      try {
        await run(['cat', 'config'], signal);
      } catch (error) {
        // Storage that answers that there is no such repository does answer.
        if (!isMissing(error)) throw error;
      }
    },
    async create(signal) {
      // Otherwise a disk that is not mounted would look like an empty one.
      if (settings.driver === 'local') await requireFolder(settings.path);
      try {
        await run(['cat', 'config'], signal);
      } catch (error) {
        if (!isMissing(error)) throw error;
        await run(['init'], signal);
      }
    },
    async store(content, signal) {
      await removeStaleLocks(signal);
      const args = ['backup', '--stdin', '--stdin-filename', fileName, '--host', hostName, '--json'];
      await using restic = await startRestic(target, args, signal);
      const lines = readLastLine(restic.output);
      for await (const chunk of content) {
        signal.throwIfAborted();
        if (restic.input.destroyed) break;
        // The callback also comes if restic has ended, whose own error is then thrown below.
        await new Promise<void>((resolve) => restic.input.write(chunk, () => resolve()));
      }
      restic.input.end();
      await restic.finish();
      const { snapshot_id, data_added } = parse(Summary, await lines);
      return { snapshot: snapshot_id, addedBytes: data_added };
    },
    async *read(snapshot, signal) {
      await removeStaleLocks(signal);
      await using restic = await startRestic(target, ['dump', snapshot, `/${fileName}`], signal);
      restic.input.end();
      yield* restic.output as AsyncIterable<Buffer>;
      await restic.finish();
    },
    async keepOnly(snapshots, signal) {
      const others = (await list(signal)).filter(({ id }) => !snapshots.some((kept) => id.startsWith(kept)));
      if (others.length > 0) await runUnlocked(['forget', '--prune', ...others.map(({ id }) => id)], signal);
      return parse(Stats, await runUnlocked(['stats', '--mode', 'raw-data', '--json'], signal)).total_size;
    },
    check: async (signal) => void (await runUnlocked(['check'], signal)),
  };
}

async function requireFolder(path: string): Promise<void> {
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new ApiError('backup_unreachable', { internal: `the folder ${path} does not exist` });
}

/** Restic asks its question also if the storage cannot be reached. */
function isMissing(error: unknown): boolean {
  const text = error instanceof ApiError ? (error.internal ?? '') : '';
  return text.includes('Is there a repository at') && /does not exist|no such file/i.test(text);
}

/** Restic reports progress in lines; only the last one matters. */
async function readLastLine(output: AsyncIterable<Buffer>): Promise<string> {
  let rest = '';
  for await (const chunk of output) {
    const lines = (rest + chunk.toString()).split('\n');
    const last = lines.findLastIndex((line) => line !== '');
    rest = lines.slice(Math.max(0, last)).join('\n');
  }
  return rest;
}

function parse<S extends TSchema>(schema: S, text: string): Static<S> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Reported below.
  }
  if (!Check(schema, value)) throw new ApiError('backup_error', { internal: 'restic sent an unexpected response' });
  return value;
}
