// What should page an operator before customers notice: database, disk space, clock, age of the last backup, and
// equipment that does not respond.
import { Gauge, type Registry } from 'prom-client';
import { isDatabaseAvailable } from '#app/health/database.ts';
import { getEquipmentCounts, getLastBackupTime } from '#app/health/installation.ts';
import type { App } from '#app/app.ts';
import { collectFromDatabase } from './database-metrics.ts';

export function addStateGauges(registry: Registry, app: App): void {
  function addGauge(name: string, help: string, getValue: () => Promise<number>): void {
    const gauge: Gauge = new Gauge({
      name: `hostyard_${name}`,
      help,
      registers: [registry],
      async collect() {
        gauge.reset();
        await collectFromDatabase(app, name, getValue(), (value) => gauge.set(value));
      },
    });
  }
  addGauge('database_up', '1 if the database responds', async () => Number(await isDatabaseAvailable(app)));
  addGauge(
    'disk_free_bytes',
    'Free space on the disk of the data folder',
    async () => (await app.backups.diskSpace()).free,
  );
  addGauge('disk_size_bytes', 'Size of the disk of the data folder', async () => (await app.backups.diskSpace()).size);
  addGauge(
    'clock_ahead_seconds',
    'How far the clock of this machine is ahead of the clock of the cluster',
    async () => (Date.now() - app.clock.now()) / 1000,
  );
  addGauge(
    'last_backup_seconds',
    'Time of the last backup in seconds since 1970; 0 if there is none',
    async () => (await getLastBackupTime(app)) / 1000,
  );
  const equipment: Gauge = new Gauge({
    name: 'hostyard_equipment',
    help: 'BMCs, switches and hypervisors by their last known state',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      equipment.reset();
      await collectFromDatabase(app, 'equipment', getEquipmentCounts(app), (rows) => {
        for (const { kind, answering, silent } of rows) {
          equipment.set({ kind, state: 'answering' }, answering);
          equipment.set({ kind, state: 'silent' }, silent);
        }
      });
    },
  });
}
