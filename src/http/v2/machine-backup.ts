// v2: backups of virtual machines.
import type { machineBackupV2 } from '#contract/v2/machine-backup.ts';
import {
  createBackup,
  deleteBackup,
  getBackupSchedule,
  listBackups,
  restoreBackup,
  setBackupSchedule,
} from '#app/machines/backups.ts';
import { createVolumeFromBackup, orderFromBackup } from '#app/machines/backup-restores.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const machineBackupHandlers: HandlersOf<typeof machineBackupV2> = {
  machineBackupList: (context, { service }) => listBackups(context, service),
  machineBackupCreate: (context, { service }) => createBackup(context, service),
  machineBackupDelete: respondWith('Backup Deleted', (context, { service, backup }) =>
    deleteBackup(context, service, backup),
  ),
  machineBackupScheduleGet: (context, { service }) => getBackupSchedule(context, service),
  machineBackupScheduleSet: setBackupSchedule,
  machineBackupRestore: restoreBackup,
  machineBackupOrder: orderFromBackup,
  machineBackupVolumeCreate: createVolumeFromBackup,
};
