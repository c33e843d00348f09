// Verifies a backup: every file unchanged, the database intact, and nothing in it that this version does not know. The
// database is unpacked for that, into a folder that the caller provides.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveDigest, ArchiveError } from '#lib/archive.ts';
import { migrationNames } from '#store/migrate.ts';
import { checkPostgresDump } from '#store/engine/postgres-dump.ts';
import { inspectSqlite } from '#store/engine/sqlite-inspect.ts';
import { CommandError } from '#lib/command-error.ts';
import { databaseName, openBackup, type Manifest } from './manifest.ts';

/** Unpacks the verified files into the folder. Throws a CommandError that says what is wrong. */
export async function unpackBackup(path: string, folder: string): Promise<Manifest> {
  try {
    const manifest = await unpack(path, folder);
    await checkDatabase(manifest, folder);
    return manifest;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof ArchiveError) throw new CommandError(`${path} cannot be used: ${error.message}`);
    if (code === 'ENOENT') throw new CommandError(`File ${path} does not exist.`);
    throw error;
  }
}

async function unpack(path: string, folder: string): Promise<Manifest> {
  await using archive = await open(path, 'r');
  const { manifest, entries } = await openBackup(archive);
  for (const { name, bytes, sha256 } of manifest.files) {
    // A forged archive could contain a path that leads outside the folder.
    if (!/^[a-z-]+\.[a-z]+$/.test(name)) throw new ArchiveError(`it contains an unexpected file, ${name}`);
    const entry = entries.get(name);
    if (entry === undefined || entry.bytes !== bytes) throw new ArchiveError(`${name} is missing or truncated`);
    if ((await archiveDigest(archive, entry, join(folder, name))) !== sha256)
      throw new ArchiveError(`${name} was altered or is damaged`);
  }
  return manifest;
}

async function checkDatabase({ engine, migrations }: Manifest, folder: string): Promise<void> {
  const file = join(folder, databaseName[engine]);
  if (engine === 'postgres') await checkPostgresDump(file);
  else {
    const { damage, orphans } = inspectSqlite(file);
    if (damage.length > 0) throw new ArchiveError(`its database is damaged: ${damage[0]}`);
    if (orphans.length > 0) throw new ArchiveError(`rows of ${orphans[0]!.table} refer to missing rows`);
  }
  const newer = migrations.filter((name) => !migrationNames.includes(name));
  if (newer.length > 0)
    throw new ArchiveError(
      `its database was created by a newer Hostyard (it has ${newer.join(', ')}): restore it with that version`,
    );
}
