// Operator API: backups.
import type { Handlers } from '#contract/endpoint.ts';
import type { backupOperator } from '#contract/operator/backup.ts';
import { backupCreate, backupList } from '#app/operator/backups.ts';
import type { Context, Visitor } from '#app/app.ts';

export const backupHandlers: Handlers<typeof backupOperator, Context, Visitor> = {
  backupList: (context) => backupList(context),
  backupCreate: (context) => backupCreate(context),
};
