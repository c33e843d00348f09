// Backups as operators see them.
import type { Static } from 'typebox';
import type { Backup } from '#contract/operator/backup.ts';
import { timeText } from '#lib/time.ts';
import type { StoredBackup } from '../backup/backup-folder.ts';
import type { Context } from '../app.ts';

export async function backupList({ app }: Context): Promise<Static<typeof Backup>[]> {
  return (await app.backups.list()).map(backupShape);
}

export async function backupCreate({ app }: Context): Promise<Static<typeof Backup>> {
  return backupShape(await app.backups.createInFolder(app.store.queries));
}

function backupShape({ file, bytes, manifest }: StoredBackup): Static<typeof Backup> {
  return {
    file,
    taken: timeText(Date.parse(manifest.takenAt)),
    bytes: String(bytes),
    version: manifest.hostyard,
    engine: manifest.engine,
    sealingkey: manifest.sealingKey ?? '',
  };
}
