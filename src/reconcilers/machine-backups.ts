// Every minute, and when a backup ends: starts scheduled backups, removes expired ones, and tests one each week.
import { backupReconciler } from '#store/devices/machine-backups.ts';
import type { Reconciler } from './reconciler.ts';

export function machineBackups(sweep: (signal: AbortSignal) => Promise<number>): Reconciler {
  return {
    name: backupReconciler,
    everySeconds: 60,
    deadlineSeconds: 120,
    run: async (signal) => ({ backlog: await sweep(signal) }),
  };
}
