// Payment methods and charges, as customers and staff see them.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { paymentOperator } from '#contract/operator/payment.ts';
import type { ChargeItem, OperatorCharge, PaymentInfo, PaymentMethodItem } from '#contract/shapes/payment.ts';
import type { paymentV2 } from '#contract/v2/payment.ts';
import { conflict, requireFound } from '#lib/api-error.ts';
import { moneyCents, moneyText } from '#lib/money.ts';
import { timeText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { invoiceNumbers } from '#store/billing/invoices.ts';
import { chargeLoad, chargePage, type Charge } from '#store/payments/charges.ts';
import { defaultMethod, methodList, type PaymentMethod } from '#store/payments/methods.ts';
import { refundsOfAccount } from '#store/payments/refunds.ts';
import type { Queries } from '#store/store.ts';
import { getCallersAccount } from '../account/accounts.ts';
import type { Context } from '../app.ts';
import { getCustomer } from '../operator/accounts.ts';
import { displayState, refundableCents } from './charge-state.ts';
import { createCharge } from './charges.ts';
import { checkoutDriver, requirePaymentDriver } from './drivers.ts';
import { listMethods, removeMethod, setDefaultMethod } from './methods.ts';
import { chargeableMethod, openAmount } from './pay.ts';
import { createRefund } from './refunds.ts';
import { findPaymentSettings, topUpLimits } from './settings.ts';

const pageLength = 100;

export async function paymentGet(context: Context): Promise<Static<typeof PaymentInfo>> {
  const { app, queries } = context;
  const settings = (await findPaymentSettings(app, queries)) ?? {};
  const { minCents, maxCents } = topUpLimits(settings);
  return {
    online: settings[checkoutDriver] !== undefined,
    collects: settings.collect !== false,
    currency: (await getCallersAccount(context)).currency,
    topupmin: moneyText(minCents),
    topupmax: moneyText(maxCents),
  };
}

export async function paymentMethodList({ queries, caller }: Context): Promise<Static<typeof PaymentMethodItem>[]> {
  return (await listMethods(queries, caller.account)).map(methodItem);
}

export async function paymentMethodDefault(
  { queries, caller }: Context,
  { id }: InputOf<typeof paymentV2.paymentMethodDefault>,
): Promise<void> {
  await setDefaultMethod(queries, caller.account, id);
}

export async function paymentMethodRemove(
  { app, queries, caller }: Context,
  { id }: InputOf<typeof paymentV2.paymentMethodRemove>,
): Promise<void> {
  await removeMethod(app, queries, caller.account, id);
}

export async function chargeList(
  { queries, caller }: Context,
  { limit = pageLength, before }: InputOf<typeof paymentV2.chargeList>,
): Promise<Static<typeof ChargeItem>[]> {
  const charges = await chargePage(queries, caller.account, { limit, before });
  return chargeItems(queries, caller.account, charges);
}

export async function paymentMethods(
  { queries }: Context,
  { account }: InputOf<typeof paymentOperator.paymentMethods>,
): Promise<Static<typeof PaymentMethodItem>[]> {
  const { id } = await getCustomer(queries, account);
  return (await listMethods(queries, id)).map(methodItem);
}

export async function paymentCharges(
  { queries }: Context,
  { account, limit = pageLength, before }: InputOf<typeof paymentOperator.paymentCharges>,
): Promise<Static<typeof OperatorCharge>[]> {
  const { id } = await getCustomer(queries, account);
  const charges = await chargePage(queries, id, { limit, before });
  return operatorCharges(queries, id, charges);
}

export async function paymentCharge(
  context: Context,
  { account, invoice, method }: InputOf<typeof paymentOperator.paymentCharge>,
): Promise<Static<typeof OperatorCharge>> {
  const { app, queries } = context;
  const { id } = await getCustomer(queries, account);
  context.onBehalfOf(id);
  const cents = await openAmount(queries, id, invoice);
  const charged = await methodToCharge(queries, id, method);
  await requirePaymentDriver(app, queries, charged.driver);
  const { driver } = charged;
  const charge = await createCharge(app, queries, {
    account: id,
    driver,
    method: charged.id,
    invoice,
    cents,
    attempt: 0,
  });
  return (await operatorCharges(queries, id, [charge]))[0]!;
}

async function methodToCharge(queries: Queries, account: AccountId, id: number | undefined): Promise<PaymentMethod> {
  if (id !== undefined) return chargeableMethod(queries, account, id);
  const method = await defaultMethod(queries, account);
  if (method === undefined) throw conflict('The customer has no default payment method.');
  return method;
}

export async function paymentRefund(
  context: Context,
  { charge: id, amount, reason }: InputOf<typeof paymentOperator.paymentRefund>,
): Promise<Static<typeof OperatorCharge>> {
  const { app, queries } = context;
  const charge = requireFound(await chargeLoad(queries, id), 'Charge not found.');
  context.onBehalfOf(charge.account_id);
  await createRefund(app, queries, { charge: id, cents: moneyCents(amount) ?? 0, reason });
  const refunded = (await chargeLoad(queries, id))!;
  return (await operatorCharges(queries, charge.account_id, [refunded]))[0]!;
}

export function methodItem(method: PaymentMethod): Static<typeof PaymentMethodItem> {
  return {
    id: String(method.id),
    provider: method.driver,
    kind: method.kind,
    label: method.label,
    state: method.state === 'active' ? 'active' : 'expired',
    default: method.is_default === 1,
    created: timeText(method.created_at),
  };
}

async function chargeItems(
  queries: Queries,
  account: AccountId,
  charges: readonly Charge[],
): Promise<Static<typeof ChargeItem>[]> {
  const labels = new Map((await methodList(queries, account)).map(({ id, label }) => [id, label]));
  const ids = charges.flatMap(({ invoice_id }) => invoice_id ?? []);
  const numbers = await invoiceNumbers(queries, account, [...new Set(ids)]);
  return charges.map((charge) => ({
    id: String(charge.id),
    provider: charge.driver,
    method: labels.get(charge.method_id ?? 0) ?? '',
    purpose: charge.purpose,
    invoicenum: numbers.get(charge.invoice_id ?? 0) ?? '',
    amount: moneyText(charge.amount_cents),
    currency: charge.currency,
    state: displayState(charge),
    failure: charge.failure_message,
    refunded: moneyText(charge.refunded_cents),
    automatic: charge.attempt > 0,
    created: timeText(charge.created_at),
  }));
}

async function operatorCharges(
  queries: Queries,
  account: AccountId,
  charges: readonly Charge[],
): Promise<Static<typeof OperatorCharge>[]> {
  const refunds = Map.groupBy(await refundsOfAccount(queries, account), ({ charge_id }) => charge_id);
  const items = await chargeItems(queries, account, charges);
  return charges.map((charge, index) => ({
    ...items[index]!,
    account: String(account),
    failurecode: charge.failure_code,
    reference: charge.external_id,
    refundable: moneyText(refundableCents(charge)),
    refunds: (refunds.get(charge.id) ?? []).map((refund) => ({
      id: String(refund.id),
      amount: moneyText(refund.amount_cents),
      state: refund.state,
      failurecode: refund.failure_code,
      reason: refund.reason,
      created: timeText(refund.created_at),
    })),
  }));
}
