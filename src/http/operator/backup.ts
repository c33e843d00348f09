// Operator API: backups.
import type { backupOperator } from '#contract/operator/backup.ts';
import { backupCreate, backupList } from '#app/operator/backups.ts';
import type { HandlersOf } from '../handler.ts';

export const backupHandlers: HandlersOf<typeof backupOperator> = {
  backupList: (context) => backupList(context),
  backupCreate: (context) => backupCreate(context),
};
