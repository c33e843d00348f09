// Payments that a person starts: an invoice or a top-up, with a stored method or on a page of the payment provider.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { SavingPage, StartedPayment } from '#contract/shapes/payment.ts';
import type { paymentV2 } from '#contract/v2/payment.ts';
import { conflict, invalid, requireFound } from '#lib/api-error.ts';
import { moneyCents, moneyText } from '#lib/money.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { invoiceFind, invoicesOpen } from '#store/billing/invoices.ts';
import { chargesOfInvoice, type Charge } from '#store/payments/charges.ts';
import type { PaymentMethod } from '#store/payments/methods.ts';
import type { Queries } from '#store/store.ts';
import { getCallersAccount } from '../account/accounts.ts';
import type { App, Context } from '../app.ts';
import { createCharge } from './charges.ts';
import { findPaymentPage, openPaymentPage, openSavingPage } from './checkout.ts';
import { checkoutDriver, requirePaymentDriver } from './drivers.ts';
import { createMethod, getMethod } from './methods.ts';
import { requirePaymentSettings, topUpLimits } from './settings.ts';

/** A page that was opened this long ago is offered again, so that an invoice is not paid twice by mistake. */
const reusedMs = 1_800_000;

export async function paymentMethodAdd(context: Context): Promise<Static<typeof SavingPage>> {
  const { app } = context;
  const account = await getCallersAccount(context);
  await requirePaymentDriver(app, app.store.queries, checkoutDriver);
  const method = await app.store.transaction((queries) => createMethod(app, queries, account.id, checkoutDriver));
  return { id: String(method.id), url: await openSavingPage(app, account, method, app.stopping) };
}

export async function invoicePay(
  context: Context,
  { invoice, method }: InputOf<typeof paymentV2.invoicePay>,
): Promise<Static<typeof StartedPayment>> {
  const { app } = context;
  const { account } = context.caller;
  const charge = await app.store.transaction(async (queries) => {
    const cents = await openAmount(queries, account, invoice);
    if (method === undefined) {
      const page = await findOpenPage(app, queries, account, invoice, cents);
      if (page !== undefined) return page;
    }
    return createCharge(app, queries, {
      account,
      ...(await chosenMethod(app, queries, account, method)),
      invoice,
      cents,
      attempt: 0,
    });
  });
  return startPayment(context, charge);
}

export async function topUp(
  context: Context,
  { amount, method }: InputOf<typeof paymentV2.topUp>,
): Promise<Static<typeof StartedPayment>> {
  const { app } = context;
  const { account } = context.caller;
  const cents = moneyCents(amount) ?? 0;
  const { minCents, maxCents } = topUpLimits(await requirePaymentSettings(app, app.store.queries));
  if (cents < minCents || cents > maxCents)
    throw invalid({ amount: `must be from ${moneyText(minCents)} to ${moneyText(maxCents)}` });
  const charge = await app.store.transaction(async (queries) => {
    await billingAccountLock(queries, account);
    return createCharge(app, queries, {
      account,
      ...(await chosenMethod(app, queries, account, method)),
      invoice: undefined,
      cents,
      attempt: 0,
    });
  });
  return startPayment(context, charge);
}

/** Returns what is open of an invoice until the transaction ends. Throws if it is not the account's, or nothing is open. */
export async function openAmount(queries: Queries, account: AccountId, id: number): Promise<number> {
  await billingAccountLock(queries, account);
  requireFound(await invoiceFind(queries, account, id), 'Invoice not found.');
  const invoice = (await invoicesOpen(queries, account)).find((open) => open.id === id);
  if (invoice === undefined || invoice.open_cents <= 0) throw conflict('This invoice has no open amount.');
  return invoice.open_cents;
}

/** Returns the driver and the id of the method, or the driver that has pages if no method is given. */
async function chosenMethod(
  app: App,
  queries: Queries,
  account: AccountId,
  id: number | undefined,
): Promise<{ readonly driver: string; readonly method: number | undefined }> {
  const driver = id === undefined ? checkoutDriver : (await chargeableMethod(queries, account, id)).driver;
  await requirePaymentDriver(app, queries, driver);
  return { driver, method: id };
}

export async function chargeableMethod(queries: Queries, account: AccountId, id: number): Promise<PaymentMethod> {
  const method = await getMethod(queries, account, id);
  if (method.state !== 'active') throw conflict('This payment method can no longer be charged. Choose another one.');
  return method;
}

async function findOpenPage(
  app: App,
  queries: Queries,
  account: AccountId,
  invoice: number,
  cents: number,
): Promise<Charge | undefined> {
  const since = app.clock.now() - reusedMs;
  return (await chargesOfInvoice(queries, account, invoice)).findLast(
    ({ state, checkout_id, amount_cents, created_at }) =>
      state === 'needs_action' && checkout_id !== '' && amount_cents === cents && created_at > since,
  );
}

async function startPayment(context: Context, charge: Charge): Promise<Static<typeof StartedPayment>> {
  const { app } = context;
  const id = String(charge.id);
  if (charge.method_id !== null) return { charge: id, state: charge.state, url: '' };
  const url =
    charge.checkout_id === ''
      ? await openPaymentPage(app, await getCallersAccount(context), charge, app.stopping)
      : await findPaymentPage(app, charge, app.stopping);
  return { charge: id, state: 'needs_action', url };
}
