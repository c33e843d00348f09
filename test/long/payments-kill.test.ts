// kill -9 at every step of a charge: the money moves once, and the ledger has what Stripe has.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import SQLite from 'better-sqlite3';
import type { Static } from 'typebox';
import type { ChargeItem, PaymentMethodItem, SavingPage } from '#contract/shapes/payment.ts';
import { machineSite } from '#test/support/machine-site.ts';
import { noticeUrl, siteWithPayments } from '#test/support/payment-fixtures.ts';
import { requestResult } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';
import { startStripeServer } from '#test/support/stripe-server.ts';
import { until, untilDefined } from '#test/support/until.ts';

type Charge = Static<typeof ChargeItem>;

test('a server killed with SIGKILL at any step of a charge moves the money exactly once', async () => {
  await using stripe = await startStripeServer();
  const { site, key } = machineSite([], []);
  await using server = await startSite(siteWithPayments(site, stripe));
  const call = <T>(method: 'GET' | 'POST', path: string, params: Record<string, unknown> = {}) =>
    requestResult<T>(server, method, `/v2/payment/${path}`, { key, params });
  const methods = () => call<Static<typeof PaymentMethodItem>[]>('GET', 'method');
  const saveCard = async (card: 'good' | 'slow'): Promise<string> => {
    const { id, url } = await call<Static<typeof SavingPage>>('POST', 'method');
    stripe.completeCheckout(url, card);
    await stripe.deliver(noticeUrl(server));
    return (await untilDefined(async () => (await methods()).find((method) => method.id === id))).id;
  };
  const topUp = (method: string) => call('POST', 'topup', { amount: '10.00', method }).catch(() => undefined);
  const stateOfLatest = async () => (await call<Charge[]>('GET', 'charge'))[0]?.state;
  const isCharge = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path === '/v1/payment_intents';
  /** Starts the server again, when the claim of the one that was killed has expired. */
  const restart = async () => {
    const database = new SQLite(join(server.data, 'hostyard.sqlite'));
    database.exec('update payment_charges set next_look_at = 1 where next_look_at is not null');
    database.close();
    await server.start();
  };
  let topUps = 0;
  const settled = async () => {
    topUps++;
    await until(async () => (await stateOfLatest()) === 'succeeded');
    assert.equal([...stripe.objects.intents.values()].filter(({ status }) => status === 'succeeded').length, topUps);
  };

  const good = await saveCard('good');
  for (const point of ['before', 'after'] as const) {
    const killed = Promise.withResolvers<void>();
    stripe.interfere = async (request, when) => {
      if (!isCharge(request) || when !== point) return undefined;
      stripe.interfere = () => undefined;
      await server.kill('SIGKILL');
      killed.resolve();
      return 'drop';
    };
    await topUp(good);
    await killed.promise;
    await restart();
    await settled();
  }

  // The response has been sent: the transaction that settles the charge begins, runs, or is committed.
  for (const delayMs of [0, 3, 10, 40]) {
    const answered = Promise.withResolvers<void>();
    stripe.interfere = (request, when) => {
      if (isCharge(request) && when === 'after') setImmediate(answered.resolve);
      return undefined;
    };
    await topUp(good);
    await answered.promise;
    await sleep(delayMs);
    await server.kill('SIGKILL');
    stripe.interfere = () => undefined;
    await restart();
    await settled();
  }

  // A notice that was acknowledged is processed, although the server ends at once.
  const slow = await saveCard('slow');
  await topUp(slow);
  await until(async () => (await stateOfLatest()) === 'submitted');
  stripe.objects.decide([...stripe.objects.intents.keys()].at(-1)!, 'succeeded');
  assert.deepEqual([...new Set(await stripe.deliver(noticeUrl(server)))], [200]);
  await server.kill('SIGKILL');
  await restart();
  await settled();

  await stripe.deliver(noticeUrl(server), 'all');
  const database = new SQLite(join(server.data, 'hostyard.sqlite'), { readonly: true });
  const waiting = database.prepare('select count(*) from payment_notices where next_look_at is not null').pluck();
  await until(() => waiting.get() === 0);
  const side = (name: string) =>
    database.prepare<string, number>(`select coalesce(sum(amount_cents), 0) from ledger where ${name} = ?`).pluck();
  const received = side('debit').get('paid:stripe')! - side('credit').get('paid:stripe')!;
  database.close();
  assert.deepEqual([received, topUps], [stripe.objects.balance(), 7]);
});
