// Checks of background work, and of requests that wait for an operator.
import { countText } from '#lib/count-text.ts';
import { dayMs } from '#lib/time.ts';
import { lastBackupEntry, metaFind } from '#store/meta.ts';
import { addressRequestsWaiting } from '#store/operator/doctor-facts.ts';
import { licencesPendingCount } from '#store/billing/licences.ts';
import { machinesFailing } from '#store/devices/machines.ts';
import { reclaimsOpen } from '#store/devices/reclaims.ts';
import { publicationsWaiting } from '#store/dns/zone-publications.ts';
import { isLate, getWorkReport } from '../health/background-work.ts';
import type { App } from '../app.ts';
import { fault, warning, type Check } from './check.ts';

/** More would hide the other findings. */
const maxListed = 100;
const oldestBackupDays = 7;
const maxZones = 5;
const maxMachines = 1000;

export const workChecks: readonly Check<App>[] = [
  {
    name: 'jobs',
    okMessage: 'No job has failed.',
    run: async ({ queue }) =>
      [...(await queue.counts())]
        .filter(([, { failed }]) => failed > 0)
        .map(([kind, { failed }]) =>
          warning(
            `${countText(failed, 'job')} of kind ${kind} ${failed === 1 ? 'has' : 'have'} failed permanently.`,
            'See why with `hostyard operator job list`, fix it, then run `hostyard operator job retry`.',
          ),
        ),
  },
  {
    name: 'workflows',
    okMessage: 'No workflow is stuck.',
    async run(app) {
      const stuck = (await getWorkReport(app)).workflows.find(({ status }) => status === 'Stuck')?.count ?? 0;
      if (stuck === 0) return [];
      return [
        fault(
          `${countText(stuck, 'workflow')} can neither continue nor be rolled back.`,
          'See `hostyard operator workflow list --status Stuck` and the log for the reason. They continue automatically once the equipment responds.',
        ),
      ];
    },
  },
  {
    name: 'machines',
    okMessage: 'Every virtual machine exists or is being created.',
    run: async ({ store }) =>
      (await machinesFailing(store.queries, maxMachines)).map(({ vmid, service_id: service, ...why }) =>
        warning(
          `vm-${vmid} of service ${service} cannot be created: ${why.detail || why.reason}`,
          `Fix the cause, then run \`hostyard operator service retry --id ${service}\`. Otherwise, the next attempt is within half an hour.`,
        ),
      ),
  },
  {
    name: 'reconcilers',
    okMessage: 'The last run of every reconciler succeeded.',
    async run(app) {
      const now = app.clock.now();
      const { reconcilers } = await getWorkReport(app);
      return reconcilers.flatMap((reconciler) => {
        const { name, last_error } = reconciler;
        if (last_error !== null)
          return [
            warning(`${name} failed: ${last_error}`, 'It is retried every five seconds. Fix the cause in the message.'),
          ];
        if (isLate(reconciler, now))
          return [warning(`${name} has not run on time.`, 'Start the server, or check its log.')];
        return [];
      });
    },
  },
  {
    name: 'zones',
    okMessage: 'All zones are published.',
    async run({ store, clock, nameService }) {
      // The built-in name server needs no publication: what waits was meant for a former one.
      if (nameService.external === undefined) return [];
      const waiting = await publicationsWaiting(store.queries, clock.now(), maxZones);
      if (waiting.length === 0) return [];
      return [
        warning(
          `Not yet published: ${waiting.join(', ')}${waiting.length === maxZones ? ' …' : ''}.`,
          'The reconciler dns-sweep publishes them once the name server responds.',
        ),
      ];
    },
  },
  {
    name: 'requests',
    okMessage: 'No request is waiting.',
    async run({ store }) {
      const addresses = await addressRequestsWaiting(store.queries);
      const licences = await licencesPendingCount(store.queries);
      const waiting = [
        [addresses, 'address request', 'Approve or reject them: see `hostyard operator request list`.'],
        [licences, 'licence order', 'See `hostyard licence orders`, then run `hostyard licence deliver`.'],
      ] as const;
      return waiting
        .filter(([count]) => count > 0)
        .map(([count, noun, fix]) => warning(`${countText(count, noun)} ${count === 1 ? 'is' : 'are'} waiting.`, fix));
    },
  },
  {
    name: 'quarantine',
    okMessage: 'No server is in quarantine.',
    run: async ({ store }) =>
      (await reclaimsOpen(store.queries, '', maxListed))
        .filter(({ step }) => step !== null)
        .map(({ server, step, reason }) =>
          warning(
            `Server ${server} is in quarantine: the step ${step} failed: ${reason}`,
            `Fix the cause, then run \`hostyard operator reclaim retry --server ${server}\`, or vouch for the step with \`hostyard operator reclaim sign-off\`.`,
          ),
        ),
  },
  {
    name: 'backups',
    okMessage: `The last backup is less than ${oldestBackupDays} days old.`,
    async run({ store, clock }) {
      const last = await metaFind(store.queries, lastBackupEntry);
      const fix = 'Back up daily with `hostyard backup FILE` from a timer, and keep the backups on another machine.';
      if (last === undefined) return [warning('There has never been a backup.', fix)];
      const days = Math.floor((clock.now() - Number(last)) / dayMs);
      return days >= oldestBackupDays ? [warning(`The last backup is ${days} days old.`, fix)] : [];
    },
  },
];
