// The payment drivers of this installation, by name.
import type { PaymentDriver } from '#drivers/payment/driver.ts';
import { sepaDriver } from '#drivers/payment/sepa/sepa.ts';
import { createStripeDriver } from '#drivers/payment/stripe/stripe.ts';
import { conflict } from '#lib/api-error.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { findPaymentSettings } from './settings.ts';

export const checkoutDriver = 'stripe';

/** Returns undefined if the site file does not name the provider, or no longer does. */
export async function findPaymentDriver(
  { secrets }: Pick<App, 'secrets'>,
  queries: Queries,
  name: string,
): Promise<PaymentDriver | undefined> {
  const settings = await findPaymentSettings({ secrets }, queries);
  if (name === 'sepa') return settings?.sepa === undefined ? undefined : sepaDriver;
  return name === 'stripe' && settings?.stripe !== undefined ? createStripeDriver(settings.stripe) : undefined;
}

export async function requirePaymentDriver(
  app: Pick<App, 'secrets'>,
  queries: Queries,
  name: string,
): Promise<PaymentDriver> {
  const driver = await findPaymentDriver(app, queries, name);
  if (driver === undefined) throw conflict('The payment provider is not available.');
  return driver;
}
