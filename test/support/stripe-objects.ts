// What happens to the objects of the fake of Stripe.
import { randomBytes } from 'node:crypto';
import { StripeRefusal } from './stripe-requests.ts';
import type * as stripe from './stripe-types.ts';
import type { CardBehaviour, Metadata, PaymentIntent, Session, StripeObject, StripeObjects } from './stripe-types.ts';

const declines: Readonly<Record<string, { code: string; decline_code?: string; message: string }>> = {
  insufficient_funds: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  expired_card: { code: 'expired_card', message: 'Your card has expired.' },
  authentication_required: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
};

export function createStripeObjects(now: () => number): StripeObjects {
  const customers = new Map<string, stripe.Customer>();
  const methods = new Map<string, stripe.PaymentMethod>();
  const intents = new Map<string, PaymentIntent>();
  const setups = new Map<string, stripe.SetupIntent>();
  const refunds = new Map<string, stripe.Refund>();
  const disputes = new Map<string, stripe.Dispute>();
  const sessions = new Map<string, Session>();
  const events: stripe.Event[] = [];
  const behaviours = new Map<string, CardBehaviour>();

  const base = (prefix: string, object: string): StripeObject => ({
    id: `${prefix}_${randomBytes(12).toString('hex')}`,
    object,
    created: Math.floor(now() / 1000),
  });
  const put = <T extends StripeObject>(map: Map<string, T>, value: T): T => {
    map.set(value.id, value);
    return value;
  };
  const get = <T>(map: ReadonlyMap<string, T>, id: string | undefined, param: string): T => {
    const value = map.get(id ?? '');
    if (value !== undefined) return value;
    const message = `No such ${param}: '${id ?? ''}'`;
    throw new StripeRefusal(404, { type: 'invalid_request_error', code: 'resource_missing', message, param });
  };
  const emit = (type: string, object: object): void => {
    events.push({
      ...base('evt', 'event'),
      api_version: '2026-10-28.endive',
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    });
  };

  function newIntent(params: Pick<PaymentIntent, 'amount' | 'currency' | 'customer' | 'metadata'>): PaymentIntent {
    return put(intents, {
      ...base('pi', 'payment_intent'),
      amount_received: 0,
      description: null,
      livemode: false,
      payment_method: null,
      status: 'requires_payment_method',
      cancellation_reason: null,
      last_payment_error: null,
      ...params,
    });
  }

  function succeed(intent: PaymentIntent): void {
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount, last_payment_error: null });
    emit('payment_intent.succeeded', intent);
  }

  function decline(intent: PaymentIntent, behaviour: string): void {
    intent.status = 'requires_payment_method';
    intent.last_payment_error = { type: 'card_error', ...declines[behaviour]! };
    emit('payment_intent.payment_failed', intent);
  }

  function charge(params: ReadonlyMap<string, string>): PaymentIntent {
    const customer = get(customers, params.get('customer'), 'customer');
    const method = get(methods, params.get('payment_method'), 'PaymentMethod');
    if (method.customer !== customer.id) throw invalid('The payment method does not belong to the customer.');
    if (params.get('confirm') !== 'true' || params.get('off_session') !== 'true')
      throw invalid('Not an automatic charge.');
    const intent = newIntent({
      amount: positive(params, 'amount'),
      currency: required(params, 'currency'),
      customer: customer.id,
      metadata: metadataOf(params, 'metadata'),
    });
    intent.payment_method = method.id;
    intent.description = params.get('description') ?? null;
    const behaviour = behaviours.get(method.id)!;
    if (behaviour === 'good') succeed(intent);
    else if (behaviour === 'slow') intent.status = 'processing';
    else {
      decline(intent, behaviour);
      throw new StripeRefusal(402, { ...intent.last_payment_error!, payment_intent: structuredClone(intent) });
    }
    return intent;
  }

  function refund(intent: PaymentIntent, amount: number, metadata: Metadata): stripe.Refund {
    const returned = [...refunds.values()].filter(
      ({ payment_intent, status }) => payment_intent === intent.id && status !== 'failed',
    );
    if (returned.reduce((sum, each) => sum + each.amount, 0) + amount > intent.amount_received)
      throw new StripeRefusal(400, {
        type: 'invalid_request_error',
        code: 'charge_already_refunded',
        message: 'Refund amount is greater than unrefunded amount on charge',
      });
    const { currency, id } = intent;
    const created = put(refunds, {
      ...base('re', 'refund'),
      amount,
      currency,
      payment_intent: id,
      metadata,
      status: 'succeeded',
    });
    emit('refund.created', created);
    return created;
  }

  function createSession(params: ReadonlyMap<string, string>): Session {
    const mode = required(params, 'mode') as Session['mode'];
    const customer = params.get('customer') ?? null;
    if (customer !== null) get(customers, customer, 'customer');
    const expires = positive(params, 'expires_at');
    const seconds = Math.floor(now() / 1000);
    if (expires < seconds + 1800 - 60 || expires > seconds + 86_400)
      throw invalid('expires_at must be 30 minutes to 24 hours away.');
    const item = 'line_items[0]';
    const amount = mode === 'payment' ? positive(params, `${item}[price_data][unit_amount]`) : null;
    if (amount !== null && amount < minimumAmount)
      throw new StripeRefusal(400, {
        type: 'invalid_request_error',
        code: 'amount_too_small',
        message: "The Checkout Session's total amount must convert to at least 50 cents.",
      });
    if (mode === 'payment') required(params, `${item}[price_data][product_data][name]`);
    else if (params.get('allowed_payment_method_types[0]') === undefined) required(params, 'currency');
    const session = base('cs_test', 'checkout.session');
    return put(sessions, {
      ...session,
      mode,
      status: 'open',
      payment_status: mode === 'payment' ? 'unpaid' : 'no_payment_required',
      url: `https://checkout.stripe.com/c/pay/${session.id}`,
      customer,
      customer_email: params.get('customer_email') ?? null,
      success_url: required(params, 'success_url'),
      cancel_url: required(params, 'cancel_url'),
      expires_at: expires,
      livemode: false,
      metadata: metadataOf(params, 'metadata'),
      amount_total: amount,
      currency: amount === null ? null : required(params, `${item}[price_data][currency]`),
      payment_intent:
        amount === null
          ? null
          : newIntent({
              amount,
              currency: required(params, `${item}[price_data][currency]`),
              customer,
              metadata: metadataOf(params, 'payment_intent_data[metadata]'),
            }).id,
      setup_intent:
        mode === 'payment' ? null : newSetup(customer, metadataOf(params, 'setup_intent_data[metadata]')).id,
    });
  }

  function newSetup(customer: string | null, metadata: Metadata): stripe.SetupIntent {
    return put(setups, {
      ...base('seti', 'setup_intent'),
      customer,
      livemode: false,
      metadata,
      payment_method: null,
      status: 'requires_payment_method',
      usage: 'off_session',
    });
  }

  /** Expands what the driver asks for, as Stripe does only then. */
  function expand(session: Session, params: ReadonlyMap<string, string>): object {
    const asked = new Set([...params].filter(([name]) => name.startsWith('expand[')).map(([, value]) => value));
    const intent = asked.has('payment_intent') && session.payment_intent !== null;
    const setup = asked.has('setup_intent.payment_method') && session.setup_intent !== null;
    const setupIntent = setup ? setups.get(session.setup_intent!)! : undefined;
    return {
      ...session,
      ...(intent && { payment_intent: intents.get(session.payment_intent!)! }),
      ...(setupIntent !== undefined && {
        setup_intent: { ...setupIntent, payment_method: methods.get(setupIntent.payment_method ?? '') ?? null },
      }),
    };
  }

  const list = (url: string, data: StripeObject[], params: ReadonlyMap<string, string>): object => {
    const newest = data.toReversed();
    const after = params.get('starting_after');
    const from = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    const limit = Number(params.get('limit') ?? 10);
    return { object: 'list', url, data: newest.slice(from, from + limit), has_more: newest.length > from + limit };
  };

  return {
    customers,
    methods,
    intents,
    setups,
    refunds,
    disputes,
    sessions,
    events,
    perform({ method, path, params }) {
      const [, , resource, ...rest] = path.split('/');
      const action = `${method} ${resource}`;
      switch (action) {
        case 'POST customers': {
          const metadata = metadataOf(params, 'metadata');
          return put(customers, {
            ...base('cus', 'customer'),
            email: params.get('email') ?? null,
            livemode: false,
            metadata,
          });
        }
        case 'POST checkout':
          return createSession(params);
        case 'GET checkout':
          if (rest[1] === undefined) return list('/v1/checkout/sessions', [...sessions.values()], params);
          return expand(get(sessions, rest[1], 'checkout.session'), params);
        case 'POST payment_intents':
          return charge(params);
        case 'GET payment_intents': {
          const since = Number(params.get('created[gte]') ?? 0);
          const own = [...intents.values()].filter(
            ({ customer, created }) => customer === params.get('customer') && created >= since,
          );
          return list('/v1/payment_intents', own, params);
        }
        case 'POST refunds': {
          const intent = get(intents, params.get('payment_intent'), 'payment_intent');
          return refund(intent, positive(params, 'amount'), metadataOf(params, 'metadata'));
        }
        case 'GET refunds': {
          const own = [...refunds.values()].filter(
            ({ payment_intent }) => payment_intent === params.get('payment_intent'),
          );
          return list('/v1/refunds', own, params);
        }
        case 'POST payment_methods': {
          const attached = get(methods, rest[0], 'PaymentMethod');
          if (attached.customer === null) throw invalid('The payment method is not attached to a customer.');
          attached.customer = null;
          return attached;
        }
        default:
          throw invalid(`${action} is not part of the fake.`);
      }
    },
    completeCheckout(id, card) {
      const session = get(sessions, id, 'checkout.session');
      if (session.status !== 'open') throw new Error('the page is closed');
      const method = put(methods, {
        ...base('pm', 'payment_method'),
        type: 'card',
        // A page that takes a payment saves nothing.
        customer: session.mode === 'setup' ? session.customer : null,
        livemode: false,
        metadata: {},
        card: { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030, country: 'NL' },
      });
      behaviours.set(method.id, card);
      session.status = 'complete';
      if (session.mode === 'setup') {
        Object.assign(setups.get(session.setup_intent!)!, { status: 'succeeded', payment_method: method.id });
        emit('checkout.session.completed', session);
        return;
      }
      const intent = intents.get(session.payment_intent!)!;
      intent.payment_method = method.id;
      if (card === 'slow') intent.status = 'processing';
      else {
        succeed(intent);
        session.payment_status = 'paid';
      }
      emit('checkout.session.completed', session);
    },
    expireCheckout(id) {
      const session = get(sessions, id, 'checkout.session');
      session.status = 'expired';
      session.url = null;
      emit('checkout.session.expired', session);
    },
    decide(id, status) {
      const intent = get(intents, id, 'payment_intent');
      if (status === 'succeeded') succeed(intent);
      else decline(intent, 'insufficient_funds');
    },
    dispute(id, cents) {
      const intent = get(intents, id, 'payment_intent');
      const amount = cents ?? intent.amount_received;
      const { currency } = intent;
      const dispute = put(disputes, {
        ...base('du', 'dispute'),
        amount,
        currency,
        payment_intent: id,
        livemode: false,
        metadata: {},
        reason: 'fraudulent',
        status: 'needs_response',
      });
      emit('charge.dispute.created', dispute);
      emit('charge.dispute.funds_withdrawn', dispute);
      return dispute.id;
    },
    winDispute(id) {
      const dispute = get(disputes, id, 'dispute');
      dispute.status = 'won';
      emit('charge.dispute.closed', dispute);
      emit('charge.dispute.funds_reinstated', dispute);
    },
    refundByHand: (id, amount) => refund(get(intents, id, 'payment_intent'), amount, {}).id,
    failRefund(id) {
      const failed = get(refunds, id, 'refund');
      Object.assign(failed, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
      emit('refund.failed', failed);
    },
    balance() {
      const sum = (amounts: Iterable<number>) => [...amounts].reduce((total, amount) => total + amount, 0);
      const received = sum([...intents.values()].map(({ amount_received }) => amount_received));
      const returned = sum([...refunds.values()].map(({ amount, status }) => (status === 'succeeded' ? amount : 0)));
      const disputed = sum([...disputes.values()].map(({ amount, status }) => (status === 'won' ? 0 : amount)));
      return received - returned - disputed;
    },
  };
}

/** Of a payment in euro. */
const minimumAmount = 50;

function invalid(message: string): StripeRefusal {
  return new StripeRefusal(400, { type: 'invalid_request_error', message });
}

function required(params: ReadonlyMap<string, string>, name: string): string {
  const value = params.get(name);
  if (value === undefined || value === '') throw invalid(`Missing required param: ${name}.`);
  return value;
}

function positive(params: ReadonlyMap<string, string>, name: string): number {
  const value = Number(required(params, name));
  if (!Number.isSafeInteger(value) || value <= 0) throw invalid(`Invalid integer: ${name}`);
  return value;
}

function metadataOf(params: ReadonlyMap<string, string>, prefix: string): Metadata {
  const entries = [...params].filter(([name]) => name.startsWith(`${prefix}[`));
  return Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length + 1, -1), value]));
}
