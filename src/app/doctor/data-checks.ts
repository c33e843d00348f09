// Checks of the data itself: secrets open, audit chains are intact, ledger and invoices agree, nothing is dated in the
// future, and boot orders are bound to addresses.
import { bmcSealContext } from '#equipment/bmcs.ts';
import { nodeSealContext } from '#equipment/hypervisors.ts';
import { routerName } from '#equipment/router.ts';
import { pduSealContext } from '#equipment/pdus.ts';
import { switchSealContext } from '#equipment/switches.ts';
import { moneyText } from '#lib/money.ts';
import { timeText } from '#lib/time.ts';
import * as facts from '#store/operator/doctor-facts.ts';
import { databaseTime } from '#store/work/clock-moves.ts';
import { findClockJump } from '#store/work/trusted-time.ts';
import { licenceSealContext } from '#workflows/billing/licence-order.ts';
import { findAuditProblems } from '../account/audit.ts';
import { paymentHookSealContext } from '../billing/settings.ts';
import { zoneKeySealContext } from '../dns/signing-source.ts';
import { tsigSecretBytes } from '../dns/tsig-keys.ts';
import { tsigSealContext } from '../dns/tsig-names.ts';
import { webhookSealContext } from '../events/webhooks.ts';
import { detectorSealContext } from '../site/attacks.ts';
import type { App } from '../app.ts';
import { findSiteProblem } from '../site/file-problem.ts';
import { bootSettings } from '../site/systems.ts';
import { fault, warning, type Check } from './check.ts';

const sealContexts: Readonly<Record<facts.SealedValue['kind'], (name: string) => string>> = {
  server: bmcSealContext,
  switch: switchSealContext,
  pdu: pduSealContext,
  node: nodeSealContext,
  router: () => routerName,
  detector: detectorSealContext,
  'payment hook': paymentHookSealContext,
  webhook: (name) => webhookSealContext(Number(name)),
  licence: (name) => licenceSealContext(Number(name)),
  'zone key': zoneKeySealContext,
  'TSIG key': tsigSealContext,
};
/** NTP keeps the clocks of two machines closer together than this. */
const clockToleranceMs = 5000;

export const dataChecks: readonly Check<App>[] = [
  {
    name: 'sealed secrets',
    okMessage: 'All secrets can be decrypted.',
    async run({ store, secrets }) {
      const unreadable = (await facts.sealedValues(store.queries)).filter(({ kind, name, sealed }) => {
        try {
          secrets.open(sealed, sealContexts[kind](name));
          return false;
        } catch {
          return true;
        }
      });
      return unreadable.map(({ kind, name }) =>
        fault(
          `The sealed secret of ${kind} ${name} cannot be decrypted.`,
          ['webhook', 'licence', 'zone key', 'TSIG key'].includes(kind)
            ? 'Restore a backup from before it was damaged, or create it again.'
            : 'Apply the site file, which seals it again, or restore a backup from before it was damaged.',
        ),
      );
    },
  },
  {
    name: 'TSIG keys',
    okMessage: 'The secrets of all TSIG keys fit their algorithms.',
    async run({ store, secrets }) {
      const unfit = (await facts.tsigSecrets(store.queries)).filter(({ printable_id, tsig_algorithm, tsig_secret }) => {
        if (tsig_secret === null) return true;
        try {
          const secret = Buffer.from(secrets.open(tsig_secret, tsigSealContext(printable_id)), 'base64');
          return secret.length !== tsigSecretBytes[tsig_algorithm as keyof typeof tsigSecretBytes];
        } catch {
          // Reported as a sealed secret.
          return false;
        }
      });
      return unfit.map(({ printable_id, tsig_algorithm }) =>
        fault(
          `The secret of TSIG key ${printable_id} does not have the length that ${tsig_algorithm} needs.`,
          'Restore a backup from before it was damaged, or have the customer create another key.',
        ),
      );
    },
  },
  {
    name: 'audit logs',
    okMessage: 'All chains are intact.',
    run: async (app) =>
      (await findAuditProblems(app)).map((problem) =>
        fault(
          `The audit log is broken: ${problem}.`,
          'The database was changed outside Hostyard. Keep a copy, compare it with the last backup, and find out who changed it.',
        ),
      ),
  },
  {
    name: 'ledger',
    okMessage: 'The ledger agrees with the invoices.',
    run: async ({ store }) =>
      (await facts.ledgerDifferences(store.queries)).map(({ account, ledger, invoices }) =>
        fault(
          `Account ${account} owes ${moneyText(Number(ledger))} according to the ledger and ${moneyText(Number(invoices))} according to its open invoices.`,
          `Compare \`hostyard billing ledger --account ${account}\` with the invoices, and correct it with a credit or a credit note.`,
        ),
      ),
  },
  {
    name: 'clock',
    okMessage: 'The clock agrees with the database.',
    async run({ store, clock }) {
      const now = clock.now();
      const jump = await findClockJump(store.queries, now);
      if (jump !== undefined)
        return [
          fault(
            `The clock jumped from ${timeText(jump.from)} to ${timeText(jump.to)}, so billing is paused.`,
            'If the clock is right, run `hostyard operator billing resume --date YYYY-MM-DD`. Otherwise correct it.',
          ),
        ];
      const latest = await facts.latestTime(store.queries);
      const databaseNow = store.engine === 'sqlite' ? now : await databaseTime(store.queries);
      const fix = 'Synchronize the clocks of all instances and of the database with NTP, then restart.';
      if (latest > now + clockToleranceMs)
        return [fault(`The database has an entry dated ${timeText(latest)}, which is in the future.`, fix)];
      const aheadMs = databaseNow - now;
      if (Math.abs(aheadMs) <= clockToleranceMs) return [];
      const difference = `${Math.round(Math.abs(aheadMs) / 1000)} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
      return [fault(`The database's clock is ${difference} this one.`, fix)];
    },
  },
  {
    name: 'site state',
    okMessage: 'The site file was applied at the last start.',
    async run({ store }) {
      const problem = await findSiteProblem(store.queries);
      if (problem === undefined) return [];
      const fix = 'Fix the file until `hostyard apply --check FILE` accepts it, then run `hostyard apply FILE`.';
      return [fault(`The site file could not be applied at the last start: ${problem.message}`, fix)];
    },
  },
  {
    name: 'boot addresses',
    okMessage: 'Either all servers that boot over the network have a bootAddress, or none do.',
    async run({ store }) {
      const boot = await bootSettings(store.queries);
      // No other machine is in the network of a boot server that only this machine reaches.
      if (boot === undefined || (boot.url === undefined && isLoopback(boot.listen))) return [];
      return (await facts.serversWithoutBootAddress(store.queries)).map((server) =>
        warning(
          `Server ${server} has no bootAddress, so another machine in its network can take its boot order.`,
          'Set bootAddress in the site file to the address that DHCP gives the server while it boots.',
        ),
      );
    },
  },
];

function isLoopback(listen: string): boolean {
  return /^(?:127\.|\[::1\])/.test(listen);
}
