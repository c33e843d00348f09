// Backups of machines: whether they succeed, whether a test could restore one, and what they occupy.
import type { Registry } from 'prom-client';
import { countFailingBackups, getBackupBytes, hasVerificationProblem } from '#app/health/machine-backups.ts';
import type { App } from '#app/app.ts';
import { addDatabaseGauge } from './database-gauge.ts';

export function addBackupGauges(registry: Registry, app: App): void {
  const addGauge = (name: string, help: string, query: () => Promise<number>): void =>
    addDatabaseGauge(registry, app, { name, help, query, set: (gauge, value) => gauge.set(value) });
  addGauge('hostyard_machine_backups_failing', 'Machines whose last backup failed', () => countFailingBackups(app));
  addGauge(
    'hostyard_machine_backups_untested',
    '1 if the last test restore of a machine backup failed or is older than eight days',
    async () => Number(await hasVerificationProblem(app)),
  );
  addGauge('hostyard_machine_backup_bytes', 'Storage used by all backups of machines', () => getBackupBytes(app));
}
