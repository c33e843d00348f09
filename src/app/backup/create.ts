// Creates a backup: a consistent snapshot of the whole database in one file that only its owner can read, taken while
// the server keeps writing. It contains the sealing key only on request, so that whoever finds the file cannot read the
// passwords in it.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writeArchive, type ArchivedFile } from '#lib/archive.ts';
import { version } from '#lib/version.ts';
import { lastBackupEntry, metaPut } from '#store/meta.ts';
import { postgresDump, postgresFacts } from '#store/engine/postgres-dump.ts';
import { sqliteCopy } from '#store/engine/sqlite-copy.ts';
import type { DatabaseFacts } from '#store/engine/sqlite-inspect.ts';
import { sqliteName } from '#store/location.ts';
import { connectStore } from '#store/open.ts';
import type { Queries } from '#store/store.ts';
import { CommandError } from '#lib/command-error.ts';
import { scratchPrefix } from './leftovers.ts';
import { databaseName, keyName, labNames, manifestName, type Installation, type Manifest } from './manifest.ts';

export type BackupContent = 'without the key' | 'with the key';

export async function createBackup(
  from: Installation,
  path: string,
  content: BackupContent = 'without the key',
): Promise<Manifest> {
  const target = resolve(path);
  if (existsSync(target)) throw new CommandError(`${path} already exists`);
  if (!existsSync(dirname(target))) throw new CommandError(`Folder ${dirname(target)} does not exist.`);
  await using scratch = await createScratchFolder(target);
  const takenAt = new Date().toISOString();
  const copy = join(scratch.path, 'database');
  const engine = from.database === undefined ? 'sqlite' : 'postgres';
  const facts =
    from.database === undefined
      ? await copySqlite(join(from.dataFolder, sqliteName), copy)
      : await copyPostgres(from, copy);

  await using archive = await writeArchive(target);
  const files: ArchivedFile[] = [await archive.addFile(databaseName[engine], copy)];
  for (const name of labNames.filter((candidate) => existsSync(join(from.dataFolder, candidate))))
    files.push(await archive.addFile(name, join(from.dataFolder, name)));
  if (content === 'with the key') files.push(await archive.addText(keyName, await readKeyText(from)));
  const { migrations, sealingKey } = facts;
  const manifest: Manifest = { format: 1, hostyard: version, engine, takenAt, migrations, sealingKey, files };
  await archive.addText(manifestName, `${JSON.stringify(manifest, null, 2)}\n`);
  await archive.finish();
  return manifest;
}

/** Records the time for `hostyard doctor`, which warns if the last backup is old. */
export async function recordBackup(queries: Queries, manifest: Manifest): Promise<void> {
  await metaPut(queries, lastBackupEntry, String(Date.parse(manifest.takenAt)));
}

async function copySqlite(file: string, to: string): Promise<DatabaseFacts> {
  if (!existsSync(file)) throw new CommandError(`Database ${file} does not exist.`);
  const { damage, ...facts } = await sqliteCopy(file, to);
  if (damage.length > 0) throw new CommandError(`The database is damaged, so no backup was made: ${damage[0]}`);
  return facts;
}

async function copyPostgres(from: Installation, to: string): Promise<DatabaseFacts> {
  const store = await connectStore(from);
  try {
    const facts = await postgresFacts(store.queries);
    await postgresDump(from.database!, to);
    return facts;
  } finally {
    await store.close();
  }
}

async function readKeyText(from: Installation): Promise<string> {
  if (from.sealingKey !== undefined) return `${from.sealingKey.toString('base64')}\n`;
  return readFile(join(from.dataFolder, keyName), 'utf8');
}

/** On the target's own disk, where the backup needs the space anyway. */
async function createScratchFolder(target: string): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(dirname(target), scratchPrefix));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
