// What is being worked on, and what waits for a person.
import { lastBackupMeta, metaFind } from '#store/meta.ts';
import { addressRequestsWaiting } from '#store/operator/doctor-facts.ts';
import { licencesPending } from '#store/billing/licences.ts';
import { publicationsWaiting } from '#store/dns/zone-publications.ts';
import { isLate, workReport } from '../work-report.ts';
import type { Yard } from '../yard.ts';
import { fault, warning, type Check } from './check.ts';

const dayMs = 86_400_000;
const oldestBackupDays = 7;
const zonesTold = 5;

export const workChecks: readonly Check<Yard>[] = [
  {
    name: 'jobs',
    fine: 'None has failed.',
    look: async ({ jobs }) =>
      [...(await jobs.counts())]
        .filter(([, { failed }]) => failed > 0)
        .map(([kind, { failed }]) =>
          warning(
            `${failed} of kind ${kind} failed for good.`,
            '`hostyard operator job list` says why; mend that, then `hostyard operator job retry`.',
          ),
        ),
  },
  {
    name: 'workflows',
    fine: 'None is stuck.',
    async look(yard) {
      const stuck = (await workReport(yard)).workflows.find(({ status }) => status === 'Stuck')?.count ?? 0;
      if (stuck === 0) return [];
      return [
        fault(
          `${stuck} cannot go on and cannot be undone.`,
          '`hostyard operator workflow list --status Stuck` and the log say why; once the equipment answers, they go on by themselves.',
        ),
      ];
    },
  },
  {
    name: 'reconcilers',
    fine: 'The last run of each succeeded.',
    async look(yard) {
      const now = yard.clock.now();
      const { reconcilers } = await workReport(yard);
      return reconcilers.flatMap((reconciler) => {
        const { name, last_error } = reconciler;
        if (last_error !== null)
          return [
            warning(`${name} failed: ${last_error}`, 'It is tried again every five seconds: mend what it names.'),
          ];
        if (isLate(reconciler, now))
          return [warning(`${name} has not run when it was due.`, 'Start the server, or look in its log.')];
        return [];
      });
    },
  },
  {
    name: 'zones',
    fine: 'Every one is published as it stands here.',
    async look({ store, clock }) {
      const waiting = await publicationsWaiting(store.queries, clock.now(), zonesTold);
      if (waiting.length === 0) return [];
      return [
        warning(
          `Not yet published: ${waiting.join(', ')}${waiting.length === zonesTold ? ' …' : ''}.`,
          'The reconciler dns-sweep publishes them once the name server answers.',
        ),
      ];
    },
  },
  {
    name: 'requests',
    fine: 'Nobody waits for the staff.',
    async look({ store }) {
      const addresses = await addressRequestsWaiting(store.queries);
      const licences = (await licencesPending(store.queries)).length;
      return [
        ...(addresses > 0
          ? [
              warning(
                `${addresses} for addresses wait.`,
                '`hostyard operator request list`, then approve or refuse them.',
              ),
            ]
          : []),
        ...(licences > 0
          ? [warning(`${licences} for licences wait.`, '`hostyard licence orders`, then `hostyard licence give`.')]
          : []),
      ];
    },
  },
  {
    name: 'backups',
    fine: `The last is younger than ${oldestBackupDays} days.`,
    async look({ store, clock }) {
      const last = await metaFind(store.queries, lastBackupMeta);
      const mend = 'Take one with `hostyard backup FILE`, every day by a timer, and keep it on another machine.';
      if (last === undefined) return [warning('None was ever taken.', mend)];
      const days = Math.floor((clock.now() - Number(last)) / dayMs);
      return days >= oldestBackupDays ? [warning(`The last is ${days} days old.`, mend)] : [];
    },
  },
];
