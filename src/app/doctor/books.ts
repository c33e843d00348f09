// What must hold of the data itself: secrets that open, chains that hold, books that agree, moments that have been.
import { bmcSealContext } from '#equipment/bmcs.ts';
import { nodeSealContext } from '#equipment/nodes.ts';
import { routerName } from '#equipment/router.ts';
import { switchSealContext } from '#equipment/switches.ts';
import { moneyText } from '#kernel/money.ts';
import { momentText } from '#kernel/moments.ts';
import {
  databaseNow,
  latestMoment,
  ledgerDifferences,
  sealedValues,
  type SealedValue,
} from '#store/operator/doctor-facts.ts';
import { licenceSealContext } from '#workflows/licence-order.ts';
import { verifyAudit } from '../account/audit.ts';
import { paymentHookContext } from '../billing/settings.ts';
import { webhookSealContext } from '../events/webhooks.ts';
import { detectorSealContext } from '../site/attacks.ts';
import type { Yard } from '../yard.ts';
import { fault, type Check } from './check.ts';

const contextOf: Readonly<Record<SealedValue['kind'], (name: string) => string>> = {
  server: bmcSealContext,
  switch: switchSealContext,
  node: nodeSealContext,
  router: () => routerName,
  detector: detectorSealContext,
  'payment hook': paymentHookContext,
  webhook: (name) => webhookSealContext(Number(name)),
  licence: (name) => licenceSealContext(Number(name)),
};
/** Clocks of two machines that NTP keeps are closer than this. */
const clockToleranceMs = 5000;

export const bookChecks: readonly Check<Yard>[] = [
  {
    name: 'sealed secrets',
    fine: 'Every one opens.',
    async look({ store, secrets }) {
      const closed = (await sealedValues(store.queries)).filter(({ kind, name, sealed }) => {
        try {
          secrets.open(sealed, contextOf[kind](name));
          return false;
        } catch {
          return true;
        }
      });
      return closed.map(({ kind, name }) =>
        fault(
          `What is sealed of ${kind} ${name} does not open.`,
          kind === 'webhook' || kind === 'licence'
            ? 'Restore a backup from before it was damaged, or have it made anew.'
            : 'Apply the site file, which seals it anew, or restore a backup from before it was damaged.',
        ),
      );
    },
  },
  {
    name: 'audit logs',
    fine: 'Every chain holds.',
    look: async (yard) =>
      (await verifyAudit(yard)).map((broken) =>
        fault(
          `The audit log is broken: ${broken}.`,
          'Somebody wrote into the database past Hostyard: keep a copy, compare it with the last backup, find out who.',
        ),
      ),
  },
  {
    name: 'ledger',
    fine: 'It agrees with the invoices.',
    look: async ({ store }) =>
      (await ledgerDifferences(store.queries)).map(({ account, ledger, invoices }) =>
        fault(
          `Account ${account} owes ${moneyText(Number(ledger))} by the ledger and ${moneyText(Number(invoices))} by its open invoices.`,
          `Read \`hostyard billing ledger --account ${account}\` beside the invoices; correct it by a credit or a credit note.`,
        ),
      ),
  },
  {
    name: 'clock',
    fine: 'It agrees with the database.',
    async look({ store, clock }) {
      const now = clock.now();
      const latest = await latestMoment(store.queries);
      const theirs = await databaseNow(store.queries, store.engine);
      const mend = 'Let NTP keep the clock of every node and of the database, then restart.';
      if (latest > now + clockToleranceMs)
        return [fault(`Something was written down at ${momentText(latest)}, which is still to come.`, mend)];
      if (theirs !== undefined && Math.abs(theirs - now) > clockToleranceMs)
        return [fault(`The database's clock is ${Math.round((theirs - now) / 1000)} seconds ahead of this one.`, mend)];
      return [];
    },
  },
];
