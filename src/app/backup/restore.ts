// Brings a backup back: into an empty place, or in the place of what is there, which is then kept beside it. Nothing is touched
// before the backup, the key and the place are all known to be good; a run that is shot in the middle is simply run again.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '#kernel/archive.ts';
import { secretBox } from '#kernel/secrets.ts';
import { postgresFacts, postgresRestore } from '#store/engine/postgres-dump.ts';
import { takeProcessLock } from '#store/engine/process-lock.ts';
import { connectStore, sqliteName } from '#store/open.ts';
import { AdminError } from '../admin-error.ts';
import { backupUnpack } from './check.ts';
import { databaseName, keyName, labNames, type Installation, type Manifest } from './manifest.ts';

export type Occupied = 'refused' | 'replaced';
export interface Restored {
  readonly manifest: Manifest;
  /** Where what was there before is kept. */
  readonly aside: string | undefined;
}

/** Of a folder with a database in it, these are not left where a restored database would meet them. */
const databaseFiles = [sqliteName, `${sqliteName}-wal`, `${sqliteName}-shm`];

const scratchName = 'restoring-';

export async function backupRestore(to: Installation, path: string, occupied: Occupied): Promise<Restored> {
  const lock = to.database === undefined ? takeProcessLock(to.dataFolder) : undefined;
  if (to.database === undefined && lock === undefined)
    throw new AdminError('a Hostyard server runs on this data folder: stop it first');
  // What a run that was shot left behind; whoever holds the lock is alone.
  if (lock !== undefined)
    for (const name of (await readdir(to.dataFolder)).filter((each) => each.startsWith(scratchName)))
      await rm(join(to.dataFolder, name), { recursive: true, force: true });
  const scratch = await mkdtemp(join(to.dataFolder, scratchName));
  try {
    const manifest = await backupUnpack(path, scratch);
    const engine = to.database === undefined ? 'sqlite' : 'postgres';
    if (manifest.engine !== engine)
      throw new AdminError(`it is a backup of ${manifest.engine}, and HOSTYARD_DATABASE says ${engine}`);
    const key = await fittingKey(to, scratch, manifest, occupied);
    if (to.database !== undefined) await restorePostgres(to, scratch, occupied);
    const incoming = [...(key === 'of the backup' ? [keyName] : []), ...labNames, sqliteName];
    const aside = await replaceFiles(to.dataFolder, scratch, incoming, occupied);
    return { manifest, aside };
  } finally {
    await rm(scratch, { recursive: true, force: true });
    lock?.release();
  }
}

/** Which key will open what is restored. */
async function fittingKey(
  to: Installation,
  scratch: string,
  { sealingKey }: Manifest,
  occupied: Occupied,
): Promise<'of the backup' | 'of this installation'> {
  const fits = (key: Buffer | undefined) => key?.length === 32 && secretBox(key).fingerprint === sealingKey;
  const here = to.sealingKey ?? (await keyFile(to.dataFolder));
  const brought = await keyFile(scratch);
  if (sealingKey === undefined || fits(here)) return 'of this installation';
  const place = to.sealingKey === undefined ? 'secret.key of the data folder' : 'HOSTYARD_SEALING_KEY_FILE';
  if (to.sealingKey === undefined && fits(brought)) {
    if (here === undefined || occupied === 'replaced') return 'of the backup';
    throw new AdminError('another secret.key is in the data folder: --replace moves it aside');
  }
  throw new AdminError(
    here === undefined
      ? `the backup has no key: put the one under which it was sealed there as ${place}, mode 0600`
      : `${place} is not the key under which this backup was sealed`,
  );
}

async function keyFile(folder: string): Promise<Buffer | undefined> {
  const file = join(folder, keyName);
  return existsSync(file) ? Buffer.from((await readFile(file, 'utf8')).trim(), 'base64') : undefined;
}

async function restorePostgres(to: Installation, scratch: string, occupied: Occupied): Promise<void> {
  const store = await connectStore(to);
  try {
    if ((await postgresFacts(store.queries)).migrations.length > 0)
      throw new AdminError(
        `the database is not empty${occupied === 'replaced' ? ', and --replace is for SQLite' : ''}: make a new one and restore into that`,
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
  occupied: Occupied,
): Promise<string | undefined> {
  const arriving = incoming.filter((name) => existsSync(join(scratch, name)));
  const leaving = [...(arriving.includes(sqliteName) ? databaseFiles : []), ...arriving]
    .filter((name, index, all) => all.indexOf(name) === index)
    .filter((name) => existsSync(join(folder, name)));
  if (leaving.includes(sqliteName) && occupied === 'refused')
    throw new AdminError('a database is in the data folder: --replace moves what is there aside');
  const aside = join(folder, `replaced-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  if (leaving.length > 0) await mkdir(aside, { mode: 0o700 });
  for (const name of leaving) await rename(join(folder, name), join(aside, name));
  for (const name of arriving) await rename(join(scratch, name), join(folder, name));
  await syncFolder(folder);
  return leaving.length > 0 ? aside : undefined;
}
