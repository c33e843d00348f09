// Checks the backups of machines: the storage responds, backups succeed, and a test has restored one lately.
import { tmpdir } from 'node:os';
import { openRepository } from '#drivers/backup/registry.ts';
import { operatorMessage } from '#lib/api-error.ts';
import { backupPlansFailing } from '#store/devices/machine-backups.ts';
import type { App } from '../app.ts';
import { findBackupSettings } from '../machines/backup-settings.ts';
import { findVerificationProblem } from '../machines/backup-verification.ts';
import { fault, warning, type Check, type Problem } from './check.ts';

const timeoutMs = 30_000;
const maxListed = 10;

export const backupChecks: readonly Check<App>[] = [
  {
    name: 'backups of machines',
    okMessage: 'The backup storage responds, and backups can be restored.',
    async run(app) {
      const { queries } = app.store;
      const settings = await findBackupSettings(app, queries);
      if (settings === undefined) return [];
      const problems: Problem[] = [];
      const probe = openRepository(settings.repository, { name: 'probe', password: 'probe' });
      await probe.probe(AbortSignal.timeout(timeoutMs)).catch((error: unknown) => {
        const fix = 'Check backups.repository in the site file, and that restic is installed.';
        problems.push(fault(`The backup storage cannot be used: ${operatorMessage(error)}`, fix));
      });
      for (const { service_id, failures, error } of await backupPlansFailing(queries, maxListed)) {
        const message = `The last ${failures} backups of service ${service_id} failed: ${error}`;
        problems.push(warning(message, 'Fix the cause; the next backup starts as scheduled.'));
      }
      const problem = await findVerificationProblem(queries, app.clock.now());
      if (problem !== undefined)
        problems.push(
          fault(problem, `Check the storage, and that ${settings.scratch ?? tmpdir()} has room for a machine.`),
        );
      return problems;
    },
  },
];
