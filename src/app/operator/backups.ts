// Backups as the provider's staff see them.
import type { Static } from 'typebox';
import type { Backup } from '#contract/operator/backup.ts';
import { momentText } from '#kernel/moments.ts';
import type { StoredBackup } from '../backup/folder.ts';
import type { Context } from '../yard.ts';

export async function backupList({ yard }: Context): Promise<Static<typeof Backup>[]> {
  return (await yard.backups.list()).map(shown);
}

export async function backupCreate({ yard }: Context): Promise<Static<typeof Backup>> {
  return shown(await yard.backups.create(yard.store.queries));
}

function shown({ file, bytes, manifest }: StoredBackup): Static<typeof Backup> {
  return {
    file,
    taken: momentText(Date.parse(manifest.takenAt)),
    bytes: String(bytes),
    version: manifest.hostyard,
    engine: manifest.engine,
    sealingkey: manifest.sealingKey ?? '',
  };
}
