// Payment methods: saved on a page of the provider, activated when the provider reports it, and removed at the provider
// after they are removed here.
import { randomUUID } from 'node:crypto';
import type { SavedMethod } from '#drivers/payment/driver.ts';
import { appendEvent } from '#events/append.ts';
import { conflict, requireFound } from '#lib/api-error.ts';
import { growingDelay } from '#lib/delays.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/payments/methods.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import type { App } from '../app.ts';
import { isCountry, recordEvidence } from '../billing/tax/evidence.ts';
import { claimMs, paymentReconciler } from './charges.ts';
import { requirePaymentDriver } from './drivers.ts';
import type { PaymentParts } from './settle.ts';

const pageCheckMs = 600_000;
/** For a page that was never opened, because the process ended before. */
const abandonedMs = 300_000;
const delays = { shortestMs: 60_000, longestMs: 6 * 3_600_000 };
/** After this, a provider that no longer knows the method, or is no longer configured, is not asked again. */
const removalEffortMs = 7 * 86_400_000;
const maxMethods = 10;

/** Creates a method that becomes active once the person has saved it on the provider's page. Needs a transaction. */
export async function createMethod(
  { clock }: Pick<App, 'clock'>,
  queries: Queries,
  account: AccountId,
  driver: string,
): Promise<store.PaymentMethod> {
  await billingAccountLock(queries, account);
  const methods = (await store.methodList(queries, account)).filter(({ state }) => state !== 'revoked');
  if (methods.length >= maxMethods)
    throw conflict(`An account can have at most ${maxMethods} payment methods. Remove one first.`);
  const now = clock.now();
  return store.methodInsert(queries, {
    account_id: account,
    key: randomUUID(),
    driver,
    kind: '',
    label: '',
    external_id: '',
    external_customer: '',
    state: 'pending',
    is_default: 0,
    created_at: now,
    changed_at: now,
    next_look_at: now + abandonedMs,
  });
}

/** The first method of an account becomes its default. Needs a transaction. */
export async function activateMethod(
  parts: PaymentParts,
  queries: Queries,
  account: AccountId,
  id: number,
  { kind, label, externalId, externalCustomer, country = '' }: SavedMethod,
): Promise<void> {
  await billingAccountLock(queries, account);
  const method = (await store.methodFind(queries, account, id))!;
  if (method.state !== 'pending') return;
  await store.methodChange(queries, method, {
    state: 'active',
    kind,
    label,
    external_id: externalId,
    external_customer: externalCustomer,
    changed_at: parts.clock.now(),
    next_look_at: null,
  });
  if ((await store.defaultMethod(queries, account)) === undefined) await store.defaultMethodSet(queries, account, id);
  if (isCountry(country)) await recordEvidence(queries, { account, source: 'payment', country }, parts.clock.now());
  await appendEvent(parts, queries, { account, type: 'paymentmethod.added', data: { method: label } });
}

/** Needs a transaction. */
export async function removeMethod(
  parts: PaymentParts,
  queries: Queries,
  account: AccountId,
  id: number,
): Promise<void> {
  await billingAccountLock(queries, account);
  const method = await getMethod(queries, account, id);
  const now = parts.clock.now();
  await store.methodChange(queries, method, { state: 'revoked', changed_at: now, next_look_at: now });
  if (method.is_default === 1) await store.defaultMethodSet(queries, account, undefined);
  await appendEvent(parts, queries, { account, type: 'paymentmethod.removed', data: { method: method.label } });
  await reconcilerSignal(queries, paymentReconciler);
}

/** Needs a transaction. */
export async function setDefaultMethod(queries: Queries, account: AccountId, id: number): Promise<void> {
  await billingAccountLock(queries, account);
  const method = await getMethod(queries, account, id);
  if (method.state !== 'active') throw conflict('This payment method can no longer be charged. Add another one.');
  await store.defaultMethodSet(queries, account, id);
}

/** Returns a method that the account has saved. Throws `not_found` for those that it has not, or has removed. */
export async function getMethod(queries: Queries, account: AccountId, id: number): Promise<store.PaymentMethod> {
  const method = await store.methodFind(queries, account, id);
  const isSaved = method !== undefined && (method.state === 'active' || method.state === 'expired');
  return requireFound(isSaved ? method : undefined, 'Payment method not found.');
}

/** Returns what an account has saved, oldest first. */
export async function listMethods(queries: Queries, account: AccountId): Promise<store.PaymentMethod[]> {
  const methods = await store.methodList(queries, account);
  return methods.filter(({ state }) => state === 'active' || state === 'expired');
}

/** Checks whether a pending method was saved, or removes one at the provider. Returns false if another instance does it. */
export async function performMethod(app: App, method: store.PaymentMethod, signal: AbortSignal): Promise<boolean> {
  const { queries } = app.store;
  const now = app.clock.now();
  if (!(await store.methodClaim(queries, method, now + claimMs))) return false;
  try {
    if (method.state === 'pending') await checkPage(app, method, signal);
    else await forgetMethod(app, method, signal);
    return true;
  } catch (error) {
    const since = now - method.changed_at;
    const isPointless = method.state === 'revoked' && since > removalEffortMs;
    const next = isPointless ? null : app.clock.now() + growingDelay(since, delays);
    await store.methodChange(queries, method, { next_look_at: next });
    throw error;
  }
}

async function checkPage(app: App, method: store.PaymentMethod, signal: AbortSignal): Promise<void> {
  const { queries } = app.store;
  const end = { state: 'revoked', next_look_at: null } as const;
  if (method.external_id === '') return void (await store.methodChange(queries, method, end));
  const driver = await requirePaymentDriver(app, queries, method.driver);
  const page = await driver.readCheckout!(method.external_id, signal);
  if (page.state === 'saved')
    await app.store.transaction((writing) => activateMethod(app, writing, method.account_id, method.id, page.method));
  else if (page.state === 'expired') await store.methodChange(queries, method, end);
  else await store.methodChange(queries, method, { next_look_at: app.clock.now() + pageCheckMs });
}

async function forgetMethod(app: App, method: store.PaymentMethod, signal: AbortSignal): Promise<void> {
  const driver = await requirePaymentDriver(app, app.store.queries, method.driver);
  const stored = { key: method.key, externalId: method.external_id, externalCustomer: method.external_customer };
  await driver.removeMethod?.(stored, signal);
  await store.methodChange(app.store.queries, method, { next_look_at: null });
}
