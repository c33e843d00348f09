// Pages of the payment provider on which people pay or save a payment method.
import {
  PaymentTooSmallError,
  PaymentUnknownError,
  type CheckoutRequest,
  type PaymentDriver,
} from '#drivers/payment/driver.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import type { Account } from '#store/account/accounts.ts';
import { chargeChange, type Charge } from '#store/payments/charges.ts';
import { methodChange, methodList, type PaymentMethod } from '#store/payments/methods.ts';
import type { App } from '../app.ts';
import { expiredCode } from './charge-state.ts';
import { describeCharge, pageCheckMs } from './charges.ts';
import { requirePaymentDriver } from './drivers.ts';
import { requirePaymentSettings } from './settings.ts';
import { settleCharge } from './settle.ts';

/** Stripe allows no less than half an hour. */
const pageLifeMs = 3_600_000;

/** Opens the page of a charge. */
export async function openPaymentPage(
  app: App,
  account: Account,
  charge: Charge,
  signal: AbortSignal,
): Promise<string> {
  const { queries } = app.store;
  const payment = {
    cents: charge.amount_cents,
    currency: charge.currency,
    description: await describeCharge(queries, charge),
  };
  const request = { key: charge.key, purpose: 'pay', payment } as const;
  try {
    const page = await openPage(app, account, charge, request, '/panel/invoices', signal);
    await chargeChange(queries, charge, {
      state: 'needs_action',
      checkout_id: page.externalId,
      changed_at: app.clock.now(),
      next_look_at: app.clock.now() + pageCheckMs,
    });
    return page.url;
  } catch (error) {
    // A page that was never opened cannot be paid on.
    const outcome = { state: 'failed', externalId: '', code: expiredCode, message: '', isRetryable: true } as const;
    await app.store.transaction((writing) => settleCharge(app, writing, charge.id, outcome));
    throw error;
  }
}

/**
 * Returns the page that is open already. It is not requested again, because that fails if the customer's email address or customer at
 * the provider has changed since.
 */
export async function findPaymentPage(app: App, charge: Charge, signal: AbortSignal): Promise<string> {
  const driver = await requirePaymentDriver(app, app.store.queries, charge.driver);
  const page = await orUnreachable(driver.readCheckout!(charge.checkout_id, signal));
  if (page.state !== 'open')
    throw conflict('The page was already used or has expired. Check your payments in a few minutes.');
  return page.url;
}

/** Opens the page on which a pending method is saved. */
export async function openSavingPage(
  app: App,
  account: Account,
  method: PaymentMethod,
  signal: AbortSignal,
): Promise<string> {
  const { queries } = app.store;
  const request = { key: method.key, purpose: 'save method' } as const;
  const page = await openPage(app, account, method, request, '/panel/payments', signal);
  await methodChange(queries, method, {
    external_id: page.externalId,
    external_customer: page.externalCustomer,
    next_look_at: app.clock.now() + pageCheckMs,
  });
  return page.url;
}

async function openPage(
  app: App,
  account: Account,
  { driver: name, created_at }: Pick<Charge, 'driver' | 'created_at'>,
  request: Pick<CheckoutRequest, 'key' | 'purpose' | 'payment'>,
  path: string,
  signal: AbortSignal,
) {
  const { queries } = app.store;
  const { panel = '' } = await requirePaymentSettings(app, queries);
  const driver: PaymentDriver = await requirePaymentDriver(app, queries, name);
  const earlier = (await methodList(queries, account.id)).filter((method) => method.driver === name);
  return orUnreachable(
    driver.createCheckout!(
      {
        ...request,
        externalCustomer: earlier.find(({ external_customer }) => external_customer !== '')?.external_customer ?? '',
        email: account.email,
        returnUrl: `${panel.replace(/\/$/, '')}${path}`,
        expiresAt: created_at + pageLifeMs,
      },
      signal,
    ),
  );
}

async function orUnreachable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PaymentTooSmallError)
      throw conflict('The amount is too small to pay online. Use the payment method on the invoice, or top up credit.');
    if (error instanceof PaymentUnknownError) throw new ApiError('payment_unreachable', { internal: error.message });
    throw error;
  }
}
