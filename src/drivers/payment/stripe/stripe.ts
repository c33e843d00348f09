// Stripe, by its official library: Checkout pages on which people pay or save a card, charges of saved cards without
// them, refunds, and signed events.
import type { Stripe } from 'stripe';
import { ForgedNoticeError, PaymentTooSmallError, PaymentUnknownError } from '../driver.ts';
import type {
  ChargeRequest,
  Checkout,
  CheckoutOutcome,
  CheckoutRequest,
  CreatedCharge,
  PaymentDriver,
  RefundRequest,
} from '../driver.ts';
import { toStripeAmount } from './amounts.ts';
import { noticeOfEvent } from './notices.ts';
import { isDefinite, metadataKey, outcomeOfError, outcomeOfIntent } from './outcomes.ts';
import { outcomeOfRefund, savedMethod, unknownError } from './outcomes.ts';

export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly url?: string;
}

const defaultUrl = 'https://api.stripe.com';
const timeoutMs = 30_000;
/** How far the clocks of Stripe and this server may differ. */
const clockToleranceSeconds = 300;
const pageSize = 100;

/** Of the last settings: creating one for each charge and notice took longer than sending the charges. */
let kept: { readonly key: string; readonly client: Promise<Stripe> } | undefined;

function stripeClient(settings: StripeSettings): Promise<Stripe> {
  const key = JSON.stringify(settings);
  if (kept?.key !== key) kept = { key, client: createClient(settings) };
  return kept.client;
}

async function createClient(settings: StripeSettings): Promise<Stripe> {
  const { Stripe: Client } = await import('stripe');
  const { protocol, hostname, port } = new URL(settings.url ?? defaultUrl);
  const isPlain = protocol === 'http:';
  return new Client(settings.secretKey, {
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    timeout: timeoutMs,
    // The reconciler retries, so that a process that ends in between loses nothing.
    maxNetworkRetries: 0,
    telemetry: false,
    // Unlike the one with fetch, it repeats a request whose connection Stripe had just closed.
    httpClient: Client.createNodeHttpClient(),
  });
}

export async function createStripeDriver(settings: StripeSettings): Promise<PaymentDriver> {
  const stripe = await stripeClient(settings);
  return {
    // Every key may read these, because it has to create them.
    check: () => orUnknown(async () => void (await stripe.checkout.sessions.list({ limit: 1 }))),
    createCheckout: (request) => orUnknown(() => createCheckout(stripe, request)),
    readCheckout: (externalId) => orUnknown(() => readCheckout(stripe, externalId)),
    async charge(request) {
      try {
        return outcomeOfIntent(await createIntent(stripe, request));
      } catch (error) {
        return outcomeOfError(error);
      }
    },
    findCharge: (created) => orUnknown(() => findIntent(stripe, created)),
    refund: (request) => orUnknown(() => refund(stripe, request)),
    removeMethod: ({ externalId }) => orUnknown(() => detach(stripe, externalId)),
    readNotice(headers, body, now) {
      const signature = headers['stripe-signature'];
      if (typeof signature !== 'string') throw new ForgedNoticeError('the signature is missing');
      return noticeOfEvent(readEvent(stripe, settings, signature, body, now));
    },
  };
}

/** Runs a request that has no effect twice, and reports every other error as unknown. */
async function orUnknown<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof PaymentUnknownError) throw error;
    const { code, message } = error as { readonly code?: unknown; readonly message: string };
    throw code === 'amount_too_small' ? new PaymentTooSmallError(message) : unknownError(error);
  }
}

async function createCheckout(stripe: Stripe, request: CheckoutRequest): Promise<Checkout> {
  const { key, payment, email } = request;
  // Stripe saves a card only for one of its customers.
  const isCustomerMissing = request.externalCustomer === '' && request.purpose === 'save method';
  const customer = isCustomerMissing
    ? (
        await stripe.customers.create(
          { email, metadata: { [metadataKey]: key } },
          { idempotencyKey: `${key}-customer` },
        )
      ).id
    : request.externalCustomer;
  const metadata = { [metadataKey]: key };
  const common = {
    ...(customer === '' ? { customer_email: email } : { customer }),
    success_url: request.returnUrl,
    cancel_url: request.returnUrl,
    expires_at: Math.floor(request.expiresAt / 1000),
    metadata,
  };
  const session = await stripe.checkout.sessions.create(
    payment === undefined
      ? { ...common, mode: 'setup', allowed_payment_method_types: ['card'], setup_intent_data: { metadata } }
      : {
          ...common,
          mode: 'payment',
          payment_intent_data: { metadata, description: payment.description },
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: payment.currency.toLowerCase(),
                unit_amount: toStripeAmount(payment.cents, payment.currency),
                product_data: { name: payment.description },
              },
            },
          ],
        },
    { idempotencyKey: key },
  );
  return { externalId: session.id, externalCustomer: customer, url: requireUrl(session) };
}

function requireUrl({ url }: Stripe.Checkout.Session): string {
  if (url === null) throw new PaymentUnknownError('Stripe returned a page without address');
  return url;
}

async function readCheckout(stripe: Stripe, externalId: string): Promise<CheckoutOutcome> {
  const expand = ['payment_intent', 'setup_intent.payment_method'];
  const session = await stripe.checkout.sessions.retrieve(externalId, { expand });
  const { status, payment_intent, setup_intent, customer } = session;
  if (status === 'open') return { state: 'open', url: requireUrl(session) };
  if (status === 'expired') return { state: 'expired' };
  if (payment_intent !== null && typeof payment_intent === 'object') {
    const outcome = outcomeOfIntent(payment_intent);
    // The page is closed, so the payment cannot be repeated on it.
    return outcome.state === 'failed' ? { state: 'expired' } : { state: 'paid', outcome };
  }
  const method = typeof setup_intent === 'object' ? setup_intent?.payment_method : undefined;
  if (typeof method !== 'object' || method === null) throw new PaymentUnknownError('Stripe saved no payment method');
  const owner = typeof customer === 'string' ? customer : (customer?.id ?? '');
  return { state: 'saved', method: savedMethod(method, owner) };
}

function createIntent(stripe: Stripe, { key, cents, currency, description, method }: ChargeRequest) {
  return stripe.paymentIntents.create(
    {
      amount: toStripeAmount(cents, currency),
      currency: currency.toLowerCase(),
      customer: method.externalCustomer,
      payment_method: method.externalId,
      allowed_payment_method_types: ['card'],
      off_session: true,
      confirm: true,
      description,
      metadata: { [metadataKey]: key },
    },
    { idempotencyKey: key },
  );
}

/** By the customer's list, which is current at once; Stripe's search is not. */
async function findIntent(stripe: Stripe, { key, createdAt, method }: CreatedCharge) {
  const gte = Math.floor(createdAt / 1000) - clockToleranceSeconds;
  const intents = stripe.paymentIntents.list({
    customer: method.externalCustomer,
    created: { gte },
    limit: pageSize,
  });
  for await (const intent of intents) if (intent.metadata[metadataKey] === key) return outcomeOfIntent(intent);
  return undefined;
}

/** Looks for the refund first, because Stripe forgets a key after a day. */
async function refund(stripe: Stripe, { key, chargeExternalId, cents, currency }: RefundRequest) {
  const refunds = stripe.refunds.list({ payment_intent: chargeExternalId, limit: pageSize });
  for await (const known of refunds) if (known.metadata?.[metadataKey] === key) return outcomeOfRefund(known);
  try {
    const created = await stripe.refunds.create(
      {
        payment_intent: chargeExternalId,
        amount: toStripeAmount(cents, currency),
        metadata: { [metadataKey]: key },
      },
      { idempotencyKey: key },
    );
    return outcomeOfRefund(created);
  } catch (error) {
    if (!isDefinite(error)) throw error;
    const { code = 'invalid_request' } = error as { code?: string };
    return { state: 'failed', externalId: '', code } as const;
  }
}

async function detach(stripe: Stripe, externalId: string): Promise<void> {
  try {
    await stripe.paymentMethods.detach(externalId);
  } catch (error) {
    // It is detached already, or never was attached.
    if (!isDefinite(error)) throw error;
  }
}

function readEvent(
  stripe: Stripe,
  { webhookSecret }: StripeSettings,
  signature: string,
  body: Buffer,
  now: number,
): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(body, signature, webhookSecret, clockToleranceSeconds, undefined, now);
  } catch (error) {
    throw new ForgedNoticeError((error as Error).message, { cause: error });
  }
}
