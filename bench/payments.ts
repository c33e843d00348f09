// The money of a provider with 10,000 customers on one day, on SQLite: all invoices are due and collected by card at a stateful
// fake of Stripe, which reports every charge with a signed webhook; then 10,000 transfers on one bank statement (camt.053) are
// matched. Hostyard, the fake and the clients share one process, so rates are lower than with a provider elsewhere. The peers:
// the same charges without Hostyard, a bare HTTP server that takes the same webhooks, and payments that staff enter by hand. They
// are compared by CPU time.
//
//   npm run bench -- payments
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { receivePayment } from '#app/billing/payments.ts';
import { openSavingPage } from '#app/payments/checkout.ts';
import { collectDueInvoices } from '#app/payments/collection.ts';
import { requirePaymentDriver } from '#app/payments/drivers.ts';
import { createMethod } from '#app/payments/methods.ts';
import { matchEntries } from '#app/payments/sepa/matching.ts';
import { listPaymentTasks } from '#app/payments/work.ts';
import { applySite } from '#app/site/apply.ts';
import { dayMs, dayOf } from '#lib/time.ts';
import { paymentReconcilers } from '#reconcilers/payments.ts';
import { accountFind } from '#store/account/accounts.ts';
import type { AccountId } from '#store/account-id.ts';
import { methodFind, methodInsert, type PaymentMethod } from '#store/payments/methods.ts';
import { addAccount } from '../test/support/accounts.ts';
import { openTestApp } from '../test/support/app.ts';
import { writeBankStatement } from '../test/support/bank-statement.ts';
import { issueUntaxed, noticeUrl, siteWithPayments, workOffPayments } from '../test/support/payment-fixtures.ts';
import { operatorResult } from '../test/support/operators.ts';
import { sepaSettings } from '../test/support/sepa-fixtures.ts';
import { startStripeServer } from '../test/support/stripe-server.ts';
import { printFigure, startCpuWatch } from './support/figures.ts';

const customers = 10_000;
/** Fewer, to see whether the work for one grows with the number of all. */
const few = 1000;
const cents = 1000;
const atOnce = 40;
const limits = { collectSeconds: 120, matchSeconds: 60, growth: 1.5, charges: 5, webhooks: 0.1, matching: 3 };
const signal = new AbortController().signal;

await using app = await openTestApp();
await using stripe = await startStripeServer(() => app.parts.clock.now());
const { parts } = app;
const { store, clock } = parts;
await applySite(parts, siteWithPayments(app.site, stripe, { sepa: sepaSettings }));
const [processing] = paymentReconcilers(parts, {
  listDue: (limit) => listPaymentTasks(parts, limit),
  isPaused: async () => false,
  collect: () => collectDueInvoices(parts),
});
const accounts = await addCustomers();

await measureCollection();
await measureWebhooks();
await measureStatement();
const megabytes = process.resourceUsage().maxRSS / 1024;
// Most of it is the fake's and the test code's, so it has no limit; bench/billing.ts has one.
printFigure('peak memory with the fake, MB', megabytes.toFixed(0));

/** All of them pay with the same card, which only the fake could tell. */
async function addCustomers(): Promise<AccountId[]> {
  const ids = Array.from({ length: customers }, (_, index) => (100_000 + index) as AccountId);
  await store.transaction(async (queries) => {
    for (const id of ids) await addAccount({ ...store, queries }, id);
  });
  const { id: _id, account_id: _account, ...card } = await saveCard(ids[0]!);
  await store.transaction(async (queries) => {
    for (const account of ids.slice(1))
      await methodInsert(queries, { ...card, account_id: account, key: randomUUID() });
  });
  return ids;
}

async function saveCard(account: AccountId): Promise<PaymentMethod> {
  const method = await store.transaction((queries) => createMethod(parts, queries, account, 'stripe'));
  stripe.completeCheckout(await openSavingPage(parts, (await accountFind(store.queries, account))!, method, signal));
  await stripe.deliver(noticeUrl(app));
  await workOffPayments(parts);
  return (await methodFind(store.queries, account, method.id))!;
}

async function issueInvoices(to: readonly AccountId[]): Promise<string[]> {
  const numbers: string[] = [];
  for (const account of to) numbers.push((await issueUntaxed(parts, account, cents)).number);
  app.pass(30 * dayMs);
  return numbers;
}

async function measureCollection(): Promise<void> {
  const collect = async (count: number): Promise<Times> => {
    await issueInvoices(accounts.slice(0, count));
    return measure(async () => {
      await collectDueInvoices(parts);
      while ((await listPaymentTasks(parts, 1)).length > 0) await processing!.run(signal);
    });
  };
  const small = await collect(few);
  const large = await collect(customers);
  const paid = stripe.objects.events.filter(({ type }) => type === 'payment_intent.succeeded').length;
  if (paid !== few + customers) throw new Error(`${paid} charges instead of ${few + customers}`);
  const { key, external_id, external_customer } = (await methodOf(accounts[0]!))!;
  const driver = await requirePaymentDriver(parts, store.queries, 'stripe');
  const method = { key, externalId: external_id, externalCustomer: external_customer };
  const peer = await measure(() =>
    inParallel(customers, async (index) => {
      const charge = { key: randomUUID(), cents, currency: 'EUR', description: String(index), method };
      await driver.charge({ ...charge, createdAt: clock.now() }, signal);
    }),
  );
  stripe.objects.events.splice(-customers);
  printFigure(
    '10,000 due invoices charged and paid, s',
    large.seconds.toFixed(1),
    `< ${limits.collectSeconds}`,
    large.seconds < limits.collectSeconds,
  );
  printGrowth('invoices', large, small);
  const ratio = large.cpuSeconds / peer.cpuSeconds;
  const isCheap = ratio <= limits.charges;
  printFigure('CPU time for each, times the peer', ratio.toFixed(1), `<= ${limits.charges}`, isCheap, 'charges alone');
}

function methodOf(account: AccountId): Promise<PaymentMethod | undefined> {
  return store.queries
    .selectFrom('payment_methods')
    .selectAll()
    .where('account_id', '=', account)
    .where('is_default', '=', 1)
    .executeTakeFirst();
}

async function measureWebhooks(): Promise<void> {
  const bodies = stripe.objects.events.slice(-customers).map((event) => JSON.stringify(event));
  await using bare = await startBareServer();
  await deliver(bare.url, bodies.slice(0, few));
  const peer = await measure(() => deliver(bare.url, bodies));
  const stored = await measure(() => deliver(noticeUrl(app), bodies));
  const processed = await measure(async () => {
    while ((await listPaymentTasks(parts, 1)).length > 0) await processing!.run(signal);
  });
  printFigure('webhooks verified and stored, each second', (customers / stored.seconds).toFixed(0));
  const ratio = peer.cpuSeconds / stored.cpuSeconds;
  printFigure(
    'webhooks per CPU time, times the peer',
    ratio.toFixed(2),
    `>= ${limits.webhooks}`,
    ratio >= limits.webhooks,
    'bare node:http',
  );
  printFigure('webhooks processed, each second', (customers / processed.seconds).toFixed(0));
}

async function deliver(url: string, bodies: readonly string[]): Promise<void> {
  const agent = new Agent({ connections: atOnce });
  await inParallel(bodies.length, async (index) => {
    const body = bodies[index]!;
    const headers = { 'content-type': 'application/json', 'stripe-signature': stripe.sign(body) };
    const response = await request(url, { method: 'POST', headers, body, dispatcher: agent });
    await response.body.bytes();
    if (response.statusCode !== 200) throw new Error(`unexpected status ${response.statusCode}`);
  });
  await agent.close();
}

async function startBareServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((incoming, response) => void incoming.resume().on('end', () => response.end('{}')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function measureStatement(): Promise<void> {
  const match = async (count: number): Promise<{ imported: Times; matched: Times }> => {
    const numbers = await issueInvoices(accounts.slice(0, count));
    const day = dayOf(clock.now());
    const bookings = numbers.map((number, index) => ({
      cents,
      day,
      reference: `${day} ${index}`,
      text: `Thank you for invoice ${number.replaceAll('-', ' ')}, customer ${index}`,
      name: `Person ${index}`,
    }));
    const statement = writeBankStatement({ id: `S${day}`, bookings });
    const imported = await measure(() => operatorResult(app, 'POST', 'sepa/statements', { statement }));
    const matched = await measure(() => matchEntries(parts, signal));
    const { found } = await store.queries
      .selectFrom('sepa_entries')
      .select((select) => select.fn.countAll<number>().as('found'))
      .where('state', '=', 'matched')
      .where('day', '=', day)
      .executeTakeFirstOrThrow();
    if (found !== count) throw new Error(`${found} bookings matched instead of ${count}`);
    return { imported, matched };
  };
  const small = await match(few);
  const large = await match(customers);
  await issueInvoices(accounts.slice(0, few));
  const peer = await measure(async () => {
    for (const account of accounts.slice(0, few)) {
      const payment = {
        payer: { account },
        cents,
        paidAt: clock.now(),
        method: 'banktransfer',
        reference: randomUUID(),
      };
      await store.transaction((queries) => receivePayment(parts, queries, payment));
    }
  });
  const total = large.imported.seconds + large.matched.seconds;
  printFigure(
    '10,000 bookings of a statement imported and matched, s',
    total.toFixed(1),
    `< ${limits.matchSeconds}`,
    total < limits.matchSeconds,
  );
  printFigure('the import alone, s', large.imported.seconds.toFixed(1));
  printGrowth('bookings', large.matched, small.matched);
  const ratio = large.matched.cpuSeconds / customers / (peer.cpuSeconds / few);
  printFigure(
    'CPU time of a booking, times the peer',
    ratio.toFixed(1),
    `<= ${limits.matching}`,
    ratio <= limits.matching,
    'payments by hand',
  );
}

function printGrowth(things: string, large: Times, small: Times): void {
  const growth = large.cpuSeconds / customers / (small.cpuSeconds / few);
  const label = `${things}: growth of CPU time for each`;
  printFigure(label, growth.toFixed(2), `<= ${limits.growth}`, growth <= limits.growth, `${few} ${things}`);
}

interface Times {
  readonly seconds: number;
  /** Of this process, for comparisons: other programs may be running. */
  readonly cpuSeconds: number;
}

async function measure(run: () => Promise<unknown>): Promise<Times> {
  const startMs = performance.now();
  const cpuMs = startCpuWatch();
  await run();
  return { seconds: (performance.now() - startMs) / 1000, cpuSeconds: cpuMs() / 1000 };
}

/** Runs it for each number below the count, several at a time. */
async function inParallel(count: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
