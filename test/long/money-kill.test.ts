// kill -9 while money is refunded, invoices are collected, and e-invoices are handed over: each happens exactly once.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import SQLite from 'better-sqlite3';
import type { Static } from 'typebox';
import type { ChargeItem, PaymentMethodItem, SavingPage } from '#contract/shapes/payment.ts';
import type { DeliveryItem } from '#contract/shapes/delivery-list.ts';
import type { Site } from '#contract/site/site.ts';
import { createKeyText } from '#lib/key-text.ts';
import { dayText } from '#lib/time.ts';
import { accessPointHookSecret, accessPointToken, startAccessPoint } from '#test/support/access-point.ts';
import { machineSite, smallMachine } from '#test/support/machine-site.ts';
import { noticeUrl, siteWithPayments } from '#test/support/payment-fixtures.ts';
import { requestResult } from '#test/support/request.ts';
import { startSite, type SiteServer } from '#test/support/server.ts';
import { startStripeServer, type StripeServer } from '#test/support/stripe-server.ts';
import { until, untilDefined } from '#test/support/until.ts';

type Moment = 'before' | 'after';

/** Starts the server again, when the claims of the one that was killed have expired. */
async function restart(server: SiteServer, table: string, column: string): Promise<void> {
  const database = new SQLite(join(server.data, 'hostyard.sqlite'));
  database.exec(`update ${table} set ${column} = 1 where ${column} is not null`);
  database.close();
  await server.start();
}

function readDatabase<T>(server: SiteServer, read: (database: SQLite.Database) => T): T {
  const database = new SQLite(join(server.data, 'hostyard.sqlite'), { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

/** Money that the ledger has at Stripe. */
function received(server: SiteServer): number {
  const sum = (side: string) => `(select coalesce(sum(amount_cents), 0) from ledger where ${side} = 'paid:stripe')`;
  return readDatabase(server, (database) =>
    database
      .prepare<[], number>(`select ${sum('debit')} - ${sum('credit')}`)
      .pluck()
      .get(),
  )!;
}

/** Kills the server at this moment of the next call to Stripe that matches. No other call has a result meanwhile. */
async function killAt(stripe: StripeServer, server: SiteServer, path: string, point: Moment): Promise<void> {
  const killed = Promise.withResolvers<void>();
  stripe.interfere = async (call, when) => {
    if (call.method !== 'POST' || call.path !== path || when !== point) return undefined;
    stripe.interfere = () => 'drop';
    await server.kill('SIGKILL');
    killed.resolve();
    return 'drop';
  };
  await killed.promise;
  stripe.interfere = () => undefined;
}

async function saveCard(stripe: StripeServer, server: SiteServer, key: string): Promise<string> {
  const { id, url } = await requestResult<Static<typeof SavingPage>>(server, 'POST', '/v2/payment/method', { key });
  stripe.completeCheckout(url, 'good');
  await stripe.deliver(noticeUrl(server));
  const methods = () => requestResult<Static<typeof PaymentMethodItem>[]>(server, 'GET', '/v2/payment/method', { key });
  return (await untilDefined(async () => (await methods()).find((method) => method.id === id))).id;
}

test('a server killed with SIGKILL at any step of a refund pays it out exactly once', async () => {
  await using stripe = await startStripeServer();
  const { site, key } = machineSite([], []);
  const staff = createKeyText();
  const identity = { id: staff.printableId, hash: staff.secretHash.toString('hex') };
  const operators: Site['operators'] = [{ name: 'olga', role: 'owner', ...identity }];
  await using server = await startSite(siteWithPayments({ ...site, operators }, stripe));
  const method = await saveCard(stripe, server, key);
  const params = { amount: '100.00', method };
  await requestResult(server, 'POST', '/v2/payment/topup', { key, params });
  const charges = () => requestResult<Static<typeof ChargeItem>[]>(server, 'GET', '/v2/payment/charge', { key });
  await until(async () => (await charges())[0]?.state === 'succeeded');
  const [charge] = await charges();
  let refunds = 0;
  for (const point of ['before', 'after'] as const) {
    const killed = killAt(stripe, server, '/v1/refunds', point);
    const refund = { charge: charge!.id, amount: '10.00', reason: 'Mistake' };
    await requestResult(server, 'POST', '/operator/payment/refund', { key: staff.text, params: refund });
    refunds++;
    await killed;
    await restart(server, 'payment_refunds', 'next_look_at');
    await until(() => received(server) === 10_000 - refunds * 1000, { saw: () => received(server) });
  }
  await stripe.deliver(noticeUrl(server), 'all');
  await until(() =>
    readDatabase(
      server,
      (database) =>
        database.prepare('select count(*) from payment_notices where next_look_at is not null').pluck().get() === 0,
    ),
  );
  assert.deepEqual([received(server), stripe.objects.balance()], [8000, 8000]);
});

test('a server killed with SIGKILL while it collects invoices charges each exactly once', async () => {
  await using stripe = await startStripeServer();
  const { site, key } = machineSite([], []);
  const today = dayText(Date.now());
  const amounts = ['10.00', '20.00', '30.00', '40.00'];
  const invoices = amounts.map((amount, index) => ({
    number: `OLD-${index}`,
    date: today,
    due: today,
    lines: [{ type: 'Hosting' as const, description: 'One month', amount }],
  }));
  const customers = site.customers!.map((customer) => ({ ...customer, opening: { invoices } }));
  await using server = await startSite(siteWithPayments({ ...site, customers }, stripe));
  const unpaid = () =>
    readDatabase(server, (database) =>
      database.prepare<[], number>("select count(*) from invoices where status = 'Unpaid'").pluck().get(),
    )!;
  assert.equal(unpaid(), amounts.length);
  await saveCard(stripe, server, key);
  // The collection itself starts with the server, and runs every minute.
  await server.kill('SIGKILL');
  for (const point of ['before', 'after', 'before', 'after'] as const) {
    const killed = killAt(stripe, server, '/v1/payment_intents', point);
    await restart(server, 'payment_charges', 'next_look_at');
    await killed;
  }
  await restart(server, 'payment_charges', 'next_look_at');
  await until(() => unpaid() === 0, { saw: unpaid });
  const succeeded = [...stripe.objects.intents.values()].filter(({ status }) => status === 'succeeded');
  assert.deepEqual([succeeded.length, received(server), stripe.objects.balance()], [amounts.length, 10_000, 10_000]);
});

test('a server killed with SIGKILL while it hands over an e-invoice hands it over exactly once', async () => {
  await using accessPoint = await startAccessPoint();
  const { site, key } = machineSite([], [smallMachine]);
  const address = { address1: 'Havenstraat 1', city: 'Tilburg', postcode: '5017 AA', country: 'NL' };
  const seller = { name: 'Nodes B.V.', ...address, vatNumber: 'NL004495445B01', endpoint: '0106:12345678' };
  const url = accessPoint.url;
  const full: Site = {
    ...site,
    provider: { ...site.provider, seller, tax: { oss: true } },
    invoiceDelivery: { driver: 'access-point', url, token: accessPointToken, hookSecret: accessPointHookSecret },
  };
  await using server = await startSite(full);
  const tax = { delivery: 'network', endpoint: '0009:12345678900012' };
  await requestResult(server, 'PUT', '/v2/account/tax', { key, params: tax });
  await server.kill('SIGKILL');
  // The service is billed from now on.
  const services = full.services!.map((service) => ({ ...service, plan: 'Small' }));
  const plans = [{ name: 'Small', price: '10.00', cycle: 'monthly' as const }];
  await writeFile(server.env['HOSTYARD_SITE']!, JSON.stringify({ ...full, plans, services }));
  const attempts: string[] = [];
  for (const point of ['before', 'after'] as const) {
    const killed = Promise.withResolvers<void>();
    accessPoint.interrupt = async (when) => {
      attempts.push(when);
      if (when !== point) return false;
      accessPoint.interrupt = () => false;
      await server.kill('SIGKILL');
      killed.resolve();
      return true;
    };
    await restart(server, 'invoice_deliveries', 'next_try_at');
    await killed.promise;
  }
  await restart(server, 'invoice_deliveries', 'next_try_at');
  const invoices = () => requestResult<{ id: string }[]>(server, 'GET', '/v2/account/invoice', { key });
  const [invoice] = await invoices();
  const state = async () =>
    (
      await requestResult<Static<typeof DeliveryItem>[]>(server, 'GET', '/v2/account/invoice/delivery', {
        key,
        params: { invoice: invoice!.id },
      })
    )[0]?.state;
  await until(async () => (await state()) === 'sent', { saw: state });
  assert.deepEqual([attempts, accessPoint.taken.size, accessPoint.violations], [['before', 'before', 'after'], 1, []]);
  const events = readDatabase(server, (database) =>
    database.prepare("select data from events where type = 'invoice.delivery.changed'").pluck().all(),
  ) as string[];
  assert.equal(events.filter((data) => data.includes('"sent"')).length, 1);
});
