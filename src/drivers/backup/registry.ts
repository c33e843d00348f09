// Backup repositories by the driver in the site file.
import type { BackupRepository, RepositoryAccess, RepositorySettings } from './driver.ts';
import { openLabRepository } from './lab.ts';
import { openRestic } from './restic.ts';

export function openRepository(settings: RepositorySettings, access: RepositoryAccess): BackupRepository {
  return settings.driver === 'lab' ? openLabRepository(settings, access) : openRestic(settings, access);
}
