// What a pager wants to know before customers do: whether the database answers, how full the disk is, whether the clock is right,
// how old the last backup is, and how much of the equipment answers.
import { Gauge, type Registry } from 'prom-client';
import { databaseAnswers } from '#app/health.ts';
import { equipmentReport, lastBackupAt } from '#app/state-report.ts';
import type { Yard } from '#app/yard.ts';
import { lookedUp } from '../looked-up.ts';

export function stateGauges(registry: Registry, yard: Yard): void {
  function gauge<T>(name: string, help: string, look: () => Promise<T>, tell: (gauge: Gauge, found: T) => void): void {
    const made: Gauge = new Gauge({
      name: `hostyard_${name}`,
      help,
      registers: [registry],
      async collect() {
        made.reset();
        await lookedUp(yard, name, look(), (found) => tell(made, found));
      },
    });
  }
  gauge(
    'database_up',
    '1 where the database answers',
    () => databaseAnswers(yard),
    (made, answers) => made.set(answers ? 1 : 0),
  );
  gauge(
    'disk_free_bytes',
    'Room where the data folder lies',
    () => yard.backups.room(),
    (made, { free }) => made.set(free),
  );
  gauge(
    'disk_size_bytes',
    'Size of the disk on which the data folder lies',
    () => yard.backups.room(),
    (made, { size }) => made.set(size),
  );
  gauge(
    'clock_ahead_seconds',
    'How far the clock of this machine is ahead of the one that all nodes go by',
    async () => (Date.now() - yard.clock.now()) / 1000,
    (made, seconds) => made.set(seconds),
  );
  gauge(
    'last_backup_seconds',
    'When a backup was last taken, in seconds since 1970; 0: never',
    () => lastBackupAt(yard),
    (made, at) => made.set(at / 1000),
  );
  const equipment: Gauge = new Gauge({
    name: 'hostyard_equipment',
    help: 'Controllers, switches and nodes by how they were when last looked at',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      equipment.reset();
      await lookedUp(yard, 'equipment', equipmentReport(yard), (rows) => {
        for (const { kind, answering, silent } of rows) {
          equipment.set({ kind, state: 'answering' }, answering);
          equipment.set({ kind, state: 'silent' }, silent);
        }
      });
    },
  });
}
