// Restores a backup into an empty installation, or replaces an existing one, whose files are moved aside. Nothing is
// changed until the backup, the key and the destination have been verified; an interrupted restore can simply be run
// again.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '#lib/archive.ts';
import { secretBox } from '#lib/secrets.ts';
import { postgresFacts, postgresRestore } from '#store/engine/postgres-dump.ts';
import { takeProcessLock } from '#store/engine/process-lock.ts';
import { sqliteName } from '#store/location.ts';
import { connectStore } from '#store/open.ts';
import { CommandError } from '#lib/command-error.ts';
import { unpackBackup } from './unpack.ts';
import { databaseName, keyName, labNames, type Installation, type Manifest } from './manifest.ts';

/** What to do with data that the installation already has. */
export type ExistingData = 'reject' | 'replace';
export interface RestoredBackup {
  readonly manifest: Manifest;
  /** Folder with the previous files. */
  readonly aside: string | undefined;
}

/** Moved aside together: a leftover write-ahead log would corrupt the restored database. */
const databaseFiles = [sqliteName, `${sqliteName}-wal`, `${sqliteName}-shm`];

const scratchPrefix = 'restoring-';

export async function restoreBackup(to: Installation, path: string, existing: ExistingData): Promise<RestoredBackup> {
  const lock = to.database === undefined ? takeProcessLock(to.dataFolder) : undefined;
  if (to.database === undefined && lock === undefined)
    throw new CommandError('A Hostyard server is running on this data folder. Stop it first.');
  // Removes what an interrupted restore left behind; holding the lock means that no other is running.
  if (lock !== undefined)
    for (const name of (await readdir(to.dataFolder)).filter((entry) => entry.startsWith(scratchPrefix)))
      await rm(join(to.dataFolder, name), { recursive: true, force: true });
  const scratch = await mkdtemp(join(to.dataFolder, scratchPrefix));
  try {
    const manifest = await unpackBackup(path, scratch);
    const engine = to.database === undefined ? 'sqlite' : 'postgres';
    if (manifest.engine !== engine)
      throw new CommandError(`This is a backup of ${manifest.engine}, but HOSTYARD_DATABASE selects ${engine}.`);
    const key = await chooseKey(to, scratch, manifest, existing);
    if (to.database !== undefined) await restorePostgres(to, scratch, existing);
    const incoming = [...(key === 'of the backup' ? [keyName] : []), ...labNames, sqliteName];
    const aside = await replaceFiles(to.dataFolder, scratch, incoming, existing);
    return { manifest, aside };
  } finally {
    await rm(scratch, { recursive: true, force: true });
    lock?.release();
  }
}

/** Decides which sealing key opens the restored data. */
async function chooseKey(
  to: Installation,
  scratch: string,
  { sealingKey }: Manifest,
  existing: ExistingData,
): Promise<'of the backup' | 'of this installation'> {
  const fits = (key: Buffer | undefined) => key?.length === 32 && secretBox(key).fingerprint === sealingKey;
  const installedKey = to.sealingKey ?? (await readKeyFile(to.dataFolder));
  const backupKey = await readKeyFile(scratch);
  if (sealingKey === undefined || fits(installedKey)) return 'of this installation';
  const place = to.sealingKey === undefined ? 'secret.key in the data folder' : 'HOSTYARD_SEALING_KEY_FILE';
  if (to.sealingKey === undefined && fits(backupKey)) {
    if (installedKey === undefined || existing === 'replace') return 'of the backup';
    throw new CommandError('The data folder has a different secret.key. Use --replace to move it aside.');
  }
  throw new CommandError(
    installedKey === undefined
      ? `the backup does not contain its sealing key: save the key as ${place}, mode 0600`
      : `${place} is not the key that this backup was sealed with`,
  );
}

async function readKeyFile(folder: string): Promise<Buffer | undefined> {
  const file = join(folder, keyName);
  return existsSync(file) ? Buffer.from((await readFile(file, 'utf8')).trim(), 'base64') : undefined;
}

async function restorePostgres(to: Installation, scratch: string, existing: ExistingData): Promise<void> {
  const store = await connectStore(to);
  try {
    if ((await postgresFacts(store.queries)).migrations.length > 0)
      throw new CommandError(
        `The database is not empty${existing === 'replace' ? ', and --replace works with SQLite only' : ''}. Create a new one and restore into it.`,
      );
  } finally {
    await store.close();
  }
  await postgresRestore(to.database!, join(scratch, databaseName.postgres));
}

/** The database comes last: until it is there, the folder counts as empty and the command can be run again. */
async function replaceFiles(
  folder: string,
  scratch: string,
  incoming: readonly string[],
  existing: ExistingData,
): Promise<string | undefined> {
  const newFiles = incoming.filter((name) => existsSync(join(scratch, name)));
  const replaced = new Set([...(newFiles.includes(sqliteName) ? databaseFiles : []), ...newFiles]);
  const oldFiles = [...replaced].filter((name) => existsSync(join(folder, name)));
  if (oldFiles.includes(sqliteName) && existing === 'reject')
    throw new CommandError('The data folder already has a database. Use --replace to move it aside.');
  const aside = join(folder, `replaced-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  if (oldFiles.length > 0) await mkdir(aside, { mode: 0o700 });
  for (const name of oldFiles) await rename(join(folder, name), join(aside, name));
  for (const name of newFiles) await rename(join(scratch, name), join(folder, name));
  await syncFolder(folder);
  return oldFiles.length > 0 ? aside : undefined;
}
