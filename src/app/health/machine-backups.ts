// The state of the backups of machines, for the metrics.
import { backupBytesTotal, backupPlansFailing } from '#store/devices/machine-backups.ts';
import { findVerificationProblem } from '../machines/backup-verification.ts';
import type { App } from '../app.ts';

const maxCounted = 10_000;

export async function countFailingBackups({ store }: App): Promise<number> {
  return (await backupPlansFailing(store.queries, maxCounted)).length;
}

export async function hasVerificationProblem({ store, clock }: App): Promise<boolean> {
  return (await findVerificationProblem(store.queries, clock.now())) !== undefined;
}

export async function getBackupBytes({ store }: App): Promise<number> {
  return backupBytesTotal(store.queries);
}
