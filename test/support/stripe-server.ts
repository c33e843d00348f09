// A server that behaves like Stripe's API, written from its documentation: customers, Checkout, charges of saved cards,
// refunds, disputes, and signed events. It rejects unknown parameters, and a repeated idempotency key with other
// parameters. test/api/stripe-shapes.test.ts compares its objects with the examples that Stripe publishes.
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStripeObjects } from './stripe-objects.ts';
import { StripeRefusal, readForm, requireKnown, type FormRequest } from './stripe-requests.ts';
import type { CardBehaviour, StripeObjects } from './stripe-types.ts';

/** `drop` closes the connection without an answer, `fail` answers 500. */
export type Interference = 'drop' | 'fail' | undefined;

export interface StripeServer extends AsyncDisposable {
  readonly url: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly objects: StripeObjects;
  readonly calls: FormRequest[];
  /** Called before a request has its effect, and after that. */
  interfere: (call: FormRequest, when: 'before' | 'after') => Interference | Promise<Interference>;
  /** Saves a card or pays on a page, as a person would. */
  completeCheckout(url: string, card?: CardBehaviour): void;
  /** Forgets idempotency keys, as Stripe does after a day. */
  forgetKeys(): void;
  /** Delivers the events that were not delivered yet, and all again if asked to. Returns the statuses. */
  deliver(url: string, which?: 'new' | 'all'): Promise<number[]>;
  sign(body: string): string;
}

export async function startStripeServer(
  now: () => number = Date.now,
  life: 'until disposed' | 'until the process ends' = 'until disposed',
): Promise<StripeServer> {
  const secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
  const webhookSecret = `whsec_${randomBytes(16).toString('hex')}`;
  const objects = createStripeObjects(now);
  const remembered = new Map<string, { request: string; status: number; body: string }>();
  let delivered = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, search } = new URL(request.url!, 'http://stripe');
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk as string;
    const call = { method: request.method!, path, params: readForm(request.method === 'GET' ? search.slice(1) : text) };
    stripe.calls.push(call);
    const end = (status: number, body: string) =>
      void response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(body);
    const interrupt = async (when: 'before' | 'after'): Promise<boolean> => {
      const interference = await stripe.interfere(call, when);
      if (interference === 'drop') request.socket.destroy();
      if (interference === 'fail') end(500, JSON.stringify({ error: { type: 'api_error', message: 'Server error' } }));
      return interference !== undefined;
    };
    if (request.headers.authorization !== `Bearer ${secretKey}` || request.headers['stripe-version'] === undefined)
      return end(401, JSON.stringify({ error: { type: 'invalid_request_error', message: 'Invalid API Key' } }));
    if (await interrupt('before')) return;
    const key = request.headers['idempotency-key'] as string | undefined;
    const fingerprint = `${call.method} ${path} ${JSON.stringify([...call.params].toSorted())}`;
    const known = key === undefined ? undefined : remembered.get(key);
    const answer =
      known === undefined
        ? perform(call)
        : known.request === fingerprint
          ? known
          : refuse(400, { type: 'idempotency_error', message: 'Keys can only be used with the same parameters' });
    if (key !== undefined && known === undefined && request.method === 'POST')
      remembered.set(key, { request: fingerprint, ...answer });
    if (await interrupt('after')) return;
    end(answer.status, answer.body);
  }

  function perform(call: FormRequest): { status: number; body: string } {
    try {
      requireKnown(call);
      return { status: 200, body: JSON.stringify(objects.perform(call)) };
    } catch (error) {
      if (error instanceof StripeRefusal) return refuse(error.status, error.error);
      throw error;
    }
  }

  function refuse(status: number, error: object): { status: number; body: string } {
    return { status, body: JSON.stringify({ error }) };
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  if (life === 'until the process ends') server.unref();
  const stripe: StripeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secretKey,
    webhookSecret,
    objects,
    calls: [],
    interfere: () => undefined,
    completeCheckout: (url, card = 'good') => objects.completeCheckout(url.slice(url.lastIndexOf('/') + 1), card),
    forgetKeys: () => remembered.clear(),
    async deliver(url, which = 'new') {
      const events = objects.events.slice(which === 'new' ? delivered : 0);
      delivered = objects.events.length;
      const statuses: number[] = [];
      for (const event of events) {
        const body = JSON.stringify(event);
        const headers = { 'content-type': 'application/json', 'stripe-signature': stripe.sign(body) };
        statuses.push(await post(url, headers, body));
      }
      return statuses;
    },
    sign(body) {
      const time = Math.floor(now() / 1000);
      return `t=${time},v1=${createHmac('sha256', webhookSecret).update(`${time}.${body}`).digest('hex')}`;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return stripe;
}

/** Repeats a delivery that a closed connection interrupted, as Stripe does. */
async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
  for (let attempt = 1; ; attempt++)
    try {
      const response = await fetch(url, { method: 'POST', headers, body });
      await response.arrayBuffer();
      return response.status;
    } catch (error) {
      if (attempt === maxDeliveryAttempts) throw error;
    }
}
const maxDeliveryAttempts = 3;
