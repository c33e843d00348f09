// Whether a backup can be relied on: every file as it was written, the database whole, and nothing in it that this version
// does not know. The database is unpacked for that, into a folder that the caller gives.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveDigest, ArchiveError } from '#kernel/archive.ts';
import { migrationNames } from '#store/migrate.ts';
import { postgresDumpReadable } from '#store/engine/postgres-dump.ts';
import { inspectSqlite } from '#store/engine/sqlite-inspect.ts';
import { AdminError } from '../admin-error.ts';
import { databaseName, openBackup, type Manifest } from './manifest.ts';

/** Unpacks into the folder what it has checked; throws an AdminError that says what is wrong. */
export async function backupUnpack(path: string, folder: string): Promise<Manifest> {
  try {
    const manifest = await unpack(path, folder);
    await checkDatabase(manifest, folder);
    return manifest;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof ArchiveError) throw new AdminError(`${path} cannot be used: ${error.message}`);
    if (code === 'ENOENT') throw new AdminError(`there is no file ${path}`);
    throw error;
  }
}

async function unpack(path: string, folder: string): Promise<Manifest> {
  await using archive = await open(path, 'r');
  const { manifest, entries } = await openBackup(archive);
  for (const { name, bytes, sha256 } of manifest.files) {
    // A name with a path in it would be written elsewhere: nobody but us may have made this archive.
    if (!/^[a-z-]+\.[a-z]+$/.test(name)) throw new ArchiveError(`it has a file of an unknown name, ${name}`);
    const entry = entries.get(name);
    if (entry === undefined || entry.bytes !== bytes) throw new ArchiveError(`${name} is missing or cut off`);
    if ((await archiveDigest(archive, entry, join(folder, name))) !== sha256)
      throw new ArchiveError(`${name} was altered or is damaged`);
  }
  return manifest;
}

async function checkDatabase({ engine, migrations }: Manifest, folder: string): Promise<void> {
  const file = join(folder, databaseName[engine]);
  if (engine === 'postgres') await postgresDumpReadable(file);
  else {
    const { damage, orphans } = inspectSqlite(file);
    if (damage.length > 0) throw new ArchiveError(`its database is damaged: ${damage[0]}`);
    if (orphans.length > 0) throw new ArchiveError(`rows of ${orphans[0]!.table} refer to rows that are not there`);
  }
  const newer = migrations.filter((name) => !migrationNames.includes(name));
  if (newer.length > 0)
    throw new ArchiveError(`a newer Hostyard made its database (it has ${newer.join(', ')}): restore it with that one`);
}
