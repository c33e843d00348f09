// hostyard doctor. Checks that need the app run only if database and key are sound: opening the app would migrate the
// database, create a key, or fail with a less helpful message.
import { dataChecks } from '#app/doctor/data-checks.ts';
import { runChecks, type Finding } from '#app/doctor/check.ts';
import { backupChecks } from '#app/doctor/backup-checks.ts';
import { equipmentChecks } from '#app/doctor/equipment-checks.ts';
import { workChecks } from '#app/doctor/work-checks.ts';
import { createApp } from '../create-app.ts';
import { databaseChecks } from './database.ts';
import { folderChecks } from './folder.ts';
import { listenerChecks } from './listeners.ts';
import type { Target } from './machine.ts';
import { readSiteIfValid, siteChecks } from './site.ts';

export async function diagnose(target: Target): Promise<Finding[]> {
  const foundation = await runChecks(target, [...folderChecks, ...databaseChecks]);
  const surroundings = await runChecks(target, [...siteChecks, ...listenerChecks]);
  const isUnsound = foundation.some(
    ({ check, state }) => state === 'fault' && ['database', 'sealing key'].includes(check),
  );
  if (isUnsound) {
    const message = 'Secrets, logs, ledger, jobs and equipment were not checked.';
    return [
      ...foundation,
      ...surroundings,
      { check: 'the rest', state: 'warning', message, fix: 'Fix the database or the key first.' },
    ];
  }
  return [...foundation, ...surroundings, ...(await checkInstallation(target))];
}

async function checkInstallation({ config }: Target): Promise<Finding[]> {
  await using app = await createApp({ ...config, logLevel: 'silent' });
  // Without `listen`, which the server uses.
  const { names, powerdns } = readSiteIfValid(config)?.nameserver ?? {};
  if (names !== undefined && powerdns !== undefined) await app.nameService.open({ names, powerdns });
  // Each kind of equipment on its own: one that does not respond must not delay the others.
  const groups = [[...dataChecks, ...workChecks], ...equipmentChecks.map((check) => [check]), backupChecks];
  return (await Promise.all(groups.map((checks) => runChecks(app, checks)))).flat();
}
