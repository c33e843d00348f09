// The fake of Stripe against Stripe's own examples: every field that an object of the fake has exists there, with a value
// of the same type. The examples are not part of this project.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createStripeDriver } from '#drivers/payment/stripe/stripe.ts';
import { startStripeServer, type StripeServer } from '#test/support/stripe-server.ts';

const examples = join(import.meta.dirname, '..', '..', '..', 'shared', 'peers', 'stripe', 'fixtures3.json');
const skip = existsSync(examples) ? false : 'Stripe’s examples are not on this machine';
const signal = AbortSignal.timeout(60_000);

/** Fields that Stripe's documentation has and its examples lack. */
const documentedOnly = new Set(['payment_intent.last_payment_error.message', 'refund.failure_reason']);

/** Creates one object of each kind, by the driver and by what people do. */
async function createObjects(stripe: StripeServer): Promise<void> {
  const driver = await createStripeDriver(stripe);
  const page = { email: 'ada@example.net', returnUrl: 'https://panel.example.net', expiresAt: Date.now() + 3_600_000 };
  const saving = { ...page, key: 'a', purpose: 'save method', externalCustomer: '' } as const;
  const { url, externalCustomer, externalId } = await driver.createCheckout!(saving, signal);
  stripe.completeCheckout(url, 'good');
  const saved = await driver.readCheckout!(externalId, signal);
  assert.equal(saved.state, 'saved');
  const payment = { cents: 500, currency: 'EUR', description: 'INV-1' };
  const paying = await driver.createCheckout!({ ...page, key: 'b', purpose: 'pay', payment, externalCustomer }, signal);
  stripe.completeCheckout(paying.url, 'good');
  const method = saved.state === 'saved' ? { ...saved.method, key: 'a' } : undefined;
  const charge = { ...payment, key: 'c', method: method!, createdAt: Date.now() };
  const outcome = await driver.charge(charge, signal);
  const refund = { key: 'd', chargeExternalId: outcome.externalId, cents: 100, currency: 'EUR', createdAt: Date.now() };
  await driver.refund(refund, signal);
  stripe.objects.dispute(outcome.externalId, 100);
}

function* differences(path: string, value: unknown, example: unknown): Iterable<string> {
  // Stripe's examples have null for many fields, whose type they do not tell.
  if (value === null || example === null || documentedOnly.has(path)) return;
  if (typeof value !== typeof example) yield `${path} is ${typeof value}, not ${typeof example}`;
  else if (Array.isArray(value) || typeof value !== 'object') return;
  else
    for (const [name, member] of Object.entries(value)) {
      const inner = `${path}.${name}`;
      if (path.endsWith('.metadata') || inner.endsWith('.data.object')) continue;
      if (!Object.hasOwn(example as object, name) && !documentedOnly.has(inner)) yield `${inner} does not exist`;
      else yield* differences(inner, member, (example as Record<string, unknown>)[name]);
    }
}

describe('the fake of Stripe', () => {
  test('has the fields and types of Stripe’s examples', { skip }, async () => {
    await using stripe = await startStripeServer();
    await createObjects(stripe);
    const { resources } = JSON.parse(readFileSync(examples, 'utf8')) as { resources: Record<string, unknown> };
    const { customers, methods, intents, setups, refunds, disputes, sessions, events } = stripe.objects;
    const all = [customers, methods, intents, setups, refunds, disputes, sessions].flatMap((map) => [...map.values()]);
    const kinds = new Set<string>();
    for (const object of [...all, ...events]) {
      kinds.add(object.object);
      assert.deepEqual([...differences(object.object, object, resources[object.object])], []);
    }
    assert.equal(kinds.size, 8);
  });

  test('rejects parameters that it does not know, and a key with other parameters', async () => {
    await using stripe = await startStripeServer();
    const post = async (body: string, key: string) => {
      const headers = {
        authorization: `Bearer ${stripe.secretKey}`,
        'stripe-version': '2026-10-28.endive',
        'idempotency-key': key,
      };
      const response = await fetch(`${stripe.url}/v1/customers`, { method: 'POST', headers, body });
      return [response.status, ((await response.json()) as { error?: { type: string } }).error?.type];
    };
    assert.deepEqual(await post('email=a%40example.net', '1'), [200, undefined]);
    assert.deepEqual(await post('email=b%40example.net', '1'), [400, 'idempotency_error']);
    assert.deepEqual(await post('emails=a', '2'), [400, 'invalid_request_error']);
    assert.equal(stripe.objects.customers.size, 1);
  });
});
