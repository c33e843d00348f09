// Input for the operator endpoints about money, naming a customer and invoices that exist.
import { randomUUID } from 'node:crypto';
import { issueInvoice } from '#app/billing/issue.ts';
import { storeDatevSettings } from '#app/billing/reports/datev-accounts.ts';
import type { AccountId } from '#store/account-id.ts';
import { dunningHoldRemove } from '#store/billing/dunning-holds.ts';
import type { Queries } from '#store/store.ts';
import { confirmTime } from '#store/work/trusted-time.ts';
import type { TestApp } from './app.ts';
import type { Maker, OperatorCall } from './operator-fixtures.ts';
import { operatorResult } from './operators.ts';

/** Issues an invoice to the lab's customer, and returns its id. */
export async function issuedInvoice({ parts, lab }: TestApp): Promise<string> {
  const line = { type: 'Hosting', service: undefined, description: 'a sweep', cents: 100, isTaxed: true } as const;
  const draft = { now: parts.clock.now(), lines: [line], credit: 'unused' } as const;
  await confirmTime(parts.store.queries, parts.clock.now());
  const issue = (queries: Queries) => issueInvoice(queries, Number(lab.customer.account) as AccountId, draft);
  return String((await parts.store.transaction(issue)).id);
}

/** A call about the lab's customer. */
export function ofCustomer({ lab }: TestApp): OperatorCall {
  return { params: { account: lab.customer.account } };
}

async function endDunningHold({ parts, lab }: TestApp): Promise<void> {
  await dunningHoldRemove(parts.store.queries, Number(lab.customer.account) as AccountId);
}

export const moneyMakers: Readonly<Record<string, Maker>> = {
  ledgerList: ofCustomer,
  ledgerBalance: ofCustomer,
  paymentRecord: ({ lab }) => ({ params: { account: lab.customer.account, reference: randomUUID() } }),
  creditGrant: ofCustomer,
  refundRecord: async (app) => {
    const { account } = app.lab.customer;
    await operatorResult(app, 'POST', 'credit', { account, amount: '100.00', reason: 'a sweep' });
    return { params: { account, amount: '1.00', reference: randomUUID() } };
  },
  invoiceWriteOff: async (app) => ({ params: { id: await issuedInvoice(app) } }),
  invoiceCredit: async (app) => {
    const id = await issuedInvoice(app);
    const { items } = await operatorResult<{ items: { item: [{ id: string }] } }>(app, 'GET', `invoice/${id}`);
    return { params: { id, lines: [{ id: Number(items.item[0].id), amount: '0.50' }] } };
  },
  dunningGet: ofCustomer,
  dunningHold: async (app) => {
    await endDunningHold(app);
    return ofCustomer(app);
  },
  dunningResume: async (app) => {
    await endDunningHold(app);
    await operatorResult(app, 'POST', 'dunning/hold', { account: app.lab.customer.account, reason: 'a sweep' });
    return ofCustomer(app);
  },
  reportRevenue: () => ({ params: { from: '2026-01-01', until: '2026-12-31' } }),
  reportTaxes: () => ({ params: { from: '2026-01-01', until: '2026-12-31' } }),
  reportPayments: () => ({ params: { from: '2026-01-01', until: '2026-12-31' } }),
  reportCsv: () => ({ params: { report: 'revenue', from: '2026-01-01', until: '2026-12-31' } }),
  reportDatev: async ({ parts, site }) => {
    const datev = { consultant: 1001, client: 1, chart: 'skr03' } as const;
    await storeDatevSettings(parts.store.queries, { ...site, billing: { ...site.billing, datev } });
    return { params: { from: '2026-01-01', until: '2026-12-31' } };
  },
};
