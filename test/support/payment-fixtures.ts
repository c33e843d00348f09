// An app whose site takes payments through the fake of Stripe, and what tests do with them.
import { applySite } from '#app/site/apply.ts';
import { giveCredit } from '#app/billing/corrections.ts';
import { issueInvoice } from '#app/billing/issue.ts';
import { findPaymentSettings, storePaymentSettings } from '#app/payments/settings.ts';
import { listPaymentTasks } from '#app/payments/work.ts';
import type { App } from '#app/app.ts';
import type { Site } from '#contract/site/site.ts';
import type { AccountId } from '#store/account-id.ts';
import { chargeInsert } from '#store/payments/charges.ts';
import { defaultMethodSet, methodInsert } from '#store/payments/methods.ts';
import type { TestApp } from './app.ts';
import { startStripeServer, type StripeServer } from './stripe-server.ts';

export function siteWithPayments(site: Site, stripe: StripeServer, more: object = {}): Site {
  const { url, secretKey, webhookSecret } = stripe;
  const payments = {
    panel: 'https://panel.example.net',
    notify: 'billing@example.net',
    stripe: { url, secretKey, webhookSecret },
    ...more,
  };
  return { ...site, provider: { ...site.provider, payments } };
}

export async function takePayments(app: TestApp, stripe: StripeServer): Promise<void> {
  await applySite(app.parts, siteWithPayments(app.site, stripe));
}

/** Issues an invoice without tax. */
export async function issueUntaxed(app: App, account: AccountId, cents: number) {
  const line = { type: 'Hosting', service: undefined, description: 'One month', cents, isTaxed: false } as const;
  return app.store.transaction((queries) =>
    issueInvoice(queries, account, { now: app.clock.now(), lines: [line], credit: 'unused' }),
  );
}

/** Does what the reconciler does, until nothing is due. Returns the errors. */
export async function workOffPayments(app: App): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (;;) {
    const tasks = await listPaymentTasks(app, 100);
    if (tasks.length === 0) return errors;
    for (const { perform } of tasks) await perform(AbortSignal.timeout(10_000)).catch((error) => errors.push(error));
  }
}

export function noticeUrl({ url }: { readonly url: string }): string {
  return `${url}/hooks/payment-notices/stripe`;
}

let shared: Promise<StripeServer> | undefined;

/** Adds the fake of Stripe to the payment settings, for sweeps. It ends with the process. */
export async function allowStripe({ parts, site }: TestApp): Promise<void> {
  const { url, secretKey, webhookSecret } = await (shared ??= startStripeServer(undefined, 'until the process ends'));
  const stored = await findPaymentSettings(parts, parts.store.queries);
  const payments = { ...stored, panel: 'https://panel.example.net', stripe: { url, secretKey, webhookSecret } };
  await storePaymentSettings(parts, parts.store.queries, { ...site, provider: { ...site.provider, payments } });
}

let rows = 0;
const bare = () => ({
  key: `sweep-${process.pid}-${++rows}`,
  driver: 'stripe',
  created_at: 0,
  changed_at: 0,
  next_look_at: null,
});

/** Adds a card that is the account's default, in place of earlier ones, of which an account has a limited number. */
export async function paymentMethodOf(app: TestApp, account: AccountId): Promise<string> {
  await allowStripe(app);
  const { queries } = app.parts.store;
  await queries.updateTable('payment_methods').set({ state: 'revoked' }).where('account_id', '=', account).execute();
  // Charges of earlier calls would be in the way.
  await queries.updateTable('payment_charges').set({ state: 'failed' }).where('account_id', '=', account).execute();
  const card = { kind: 'card', label: 'Visa •••• 4242, 8/2030', external_id: 'pm_1', external_customer: '' };
  const row = { ...bare(), ...card, account_id: account, state: 'active', is_default: 0 } as const;
  const { id } = await methodInsert(queries, row);
  await defaultMethodSet(queries, account, id);
  return String(id);
}

const accountOf = ({ lab }: TestApp) => Number(lab.customer.account) as AccountId;

async function refundableCharge(app: TestApp): Promise<string> {
  const account = accountOf(app);
  await allowStripe(app);
  const { store } = app.parts;
  const money = { amount_cents: 1000, currency: 'EUR', refunded_cents: 0, charged_back_cents: 0 };
  const empty = { method_id: null, invoice_id: null, checkout_id: '', failure_code: '', failure_message: '' };
  const row = { ...bare(), ...money, ...empty, account_id: account, external_id: `pi_${rows}`, attempt: 0 };
  const charge = await chargeInsert(store.queries, { ...row, purpose: 'top-up', state: 'succeeded' });
  await store.transaction((queries) => giveCredit(app.parts, queries, account, 1000, 'a sweep'));
  return String(charge!.id);
}

type Call = { readonly params: Record<string, unknown> };
type Maker = (app: TestApp) => Call | Promise<Call>;

/** Calls of the operator API, for the sweeps. */
export const paymentMakers = {
  paymentMethods: ({ lab }) => ({ params: { account: lab.customer.account } }),
  paymentCharges: ({ lab }) => ({ params: { account: lab.customer.account } }),
  paymentCharge: async (app) => {
    const method = await paymentMethodOf(app, accountOf(app));
    const invoice = await issueUntaxed(app.parts, accountOf(app), 1000);
    return { params: { account: app.lab.customer.account, invoice: String(invoice.id), method } };
  },
  paymentRefund: async (app) => ({ params: { charge: await refundableCharge(app), amount: '1.00' } }),
} satisfies Record<string, Maker>;
