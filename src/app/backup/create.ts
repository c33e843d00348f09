// A backup: the whole database as it was at one moment, in one file for its owner alone, whatever is being written meanwhile.
// The sealing key is not in it unless asked for: who finds such a file finds no password in it.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writeArchive, type ArchivedFile } from '#kernel/archive.ts';
import { version } from '#kernel/version.ts';
import { lastBackupMeta, metaPut } from '#store/meta.ts';
import { postgresDump, postgresFacts } from '#store/engine/postgres-dump.ts';
import { sqliteCopy } from '#store/engine/sqlite-copy.ts';
import type { DatabaseFacts } from '#store/engine/sqlite-inspect.ts';
import { connectStore, sqliteName } from '#store/open.ts';
import type { Queries } from '#store/store.ts';
import { AdminError } from '../admin-error.ts';
import { databaseName, keyName, labNames, manifestName, type Installation, type Manifest } from './manifest.ts';

export type BackupContent = 'without the key' | 'with the key';

export async function backupCreate(
  from: Installation,
  path: string,
  content: BackupContent = 'without the key',
): Promise<Manifest> {
  const target = resolve(path);
  if (existsSync(target)) throw new AdminError(`${path} is there already`);
  if (!existsSync(dirname(target))) throw new AdminError(`there is no folder ${dirname(target)}`);
  await using scratch = await scratchBeside(target);
  const takenAt = new Date().toISOString();
  const copy = join(scratch.path, 'database');
  const engine = from.database === undefined ? 'sqlite' : 'postgres';
  const facts =
    from.database === undefined
      ? await copySqlite(join(from.dataFolder, sqliteName), copy)
      : await copyPostgres(from, copy);

  await using archive = await writeArchive(target);
  const files: ArchivedFile[] = [await archive.addFile(databaseName[engine], copy)];
  for (const name of labNames.filter((each) => existsSync(join(from.dataFolder, each))))
    files.push(await archive.addFile(name, join(from.dataFolder, name)));
  if (content === 'with the key') files.push(await archive.addText(keyName, await keyText(from)));
  const { migrations, sealingKey } = facts;
  const manifest: Manifest = { format: 1, hostyard: version, engine, takenAt, migrations, sealingKey, files };
  await archive.addText(manifestName, `${JSON.stringify(manifest, null, 2)}\n`);
  await archive.finish();
  return manifest;
}

/** For `hostyard doctor`, which asks how old the last one is. */
export async function backupNote(queries: Queries, manifest: Manifest): Promise<void> {
  await metaPut(queries, lastBackupMeta, String(Date.parse(manifest.takenAt)));
}

async function copySqlite(file: string, to: string): Promise<DatabaseFacts> {
  if (!existsSync(file)) throw new AdminError(`there is no database ${file}`);
  const { damage, ...facts } = await sqliteCopy(file, to);
  if (damage.length > 0) throw new AdminError(`the database is damaged, and no backup was made: ${damage[0]}`);
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

async function keyText(from: Installation): Promise<string> {
  if (from.sealingKey !== undefined) return `${from.sealingKey.toString('base64')}\n`;
  return readFile(join(from.dataFolder, keyName), 'utf8');
}

/** On the target's own disk, where room for the backup is needed anyway. */
async function scratchBeside(target: string): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(dirname(target), '.hostyard-backup-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
