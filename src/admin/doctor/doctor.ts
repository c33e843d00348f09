// hostyard doctor: from the ground upwards. What stands on the database is looked at only where the database is good, since
// opening it would migrate it, make a key, or fail with words that say less.
import { bookChecks } from '#app/doctor/books.ts';
import { examine, type Finding } from '#app/doctor/check.ts';
import { equipmentChecks } from '#app/doctor/equipment.ts';
import { workChecks } from '#app/doctor/work.ts';
import { openYard } from '../compose.ts';
import { databaseChecks } from './database.ts';
import { folderChecks } from './folder.ts';
import { listenerChecks } from './listeners.ts';
import type { Patient } from './machine.ts';
import { readable, siteChecks } from './site.ts';

export async function diagnose(patient: Patient): Promise<Finding[]> {
  const ground = await examine(patient, [...folderChecks, ...databaseChecks]);
  const around = await examine(patient, [...siteChecks, ...listenerChecks]);
  const unsound = ground.some(({ check, state }) => state === 'fault' && ['database', 'sealing key'].includes(check));
  if (unsound) {
    const says = 'Secrets, logs, books, work and equipment were not looked at.';
    return [
      ...ground,
      ...around,
      { check: 'the rest', state: 'warning', says, mend: 'Mend the database or key first.' },
    ];
  }
  return [...ground, ...around, ...(await insideOf(patient))];
}

async function insideOf({ config }: Patient): Promise<Finding[]> {
  const yard = await openYard({ ...config, logLevel: 'silent' });
  try {
    const powerdns = readable(config)?.nameserver;
    if (powerdns?.powerdns !== undefined) await yard.nameService.open(powerdns);
    return await examine(yard, [...bookChecks, ...workChecks, ...equipmentChecks]);
  } finally {
    await yard.bmcs.close();
    await yard.switches.close();
    await yard.router.close();
    await yard.nodes.close();
    await yard.nameService.close();
    await yard.jobs.stop();
    await yard.store.close();
  }
}
