// A billing run over 10,000 accounts with 30,000 services on SQLite, as durable workflows, where every thirtieth
// service has a month of traffic to rank. Then the invoice list of an account with 1,000 invoices, over HTTP.
//
//   npm run bench -- billing
import { pino } from 'pino';
import { Agent, request } from 'undici';
import { createBillingActions, startDueRuns } from '#app/billing/run.ts';
import { openQueue } from '#queue/open.ts';
import { addToDay } from '#traffic/packed-day.ts';
import { intervalSeconds, intervalsPerDay } from '#traffic/series.ts';
import { dayOf } from '#lib/time.ts';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { billingRun } from '#workflows/billing/billing-run.ts';
import { workflowWorker } from '#workflows/engine/worker.ts';
import { addAccount } from '../test/support/accounts.ts';
import { plainTerms, setPolicy } from '../test/support/billing-fixtures.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { until } from '../test/support/until.ts';
import { median, printFigure, startCpuWatch } from './support/figures.ts';
import type { AccountId } from '#store/account-id.ts';

const limits = { seconds: 60, megabytes: 300, listMs: 5 };
const accounts = 10_000;
const servicesPerAccount = 3;
const trafficEvery = 30;
const invoicesListed = 1000;
const listings = 200;
const daySeconds = 86_400;

const today = dayOf(Date.UTC(2026, 10, 1));
const clock = { now: () => today * daySeconds * 1000 + 3_600_000 };

/** A few days, repeated: their content does not matter, only that they are unpacked, ranked and formatted. */
const packedDays: (Buffer | undefined)[] = Array.from({ length: 40 });

await measureBillingRun();
await measureInvoiceList();

async function measureBillingRun(): Promise<void> {
  await using folder = await temporaryFolder('bench');
  const store = await openStore({ dataFolder: folder.path, database: undefined });
  await setPolicy(store, {});
  await seed(store);
  const parts = { store, clock, log: pino({ level: 'error' }), instanceId: 'bench' };
  const queue = await openQueue(parts, undefined);
  const deps = { billing: createBillingActions({ ...parts, queue }) };
  const startMs = performance.now();
  const cpuMs = startCpuWatch();
  await startDueRuns({ ...parts, queue }, { operation: 'bench' });
  await queue.start([workflowWorker({ ...parts, queue, deps, workflows: [billingRun] })]);
  await until(async () => (await countInvoices(store)) >= accounts, { saw: () => countInvoices(store), pollMs: 100 });
  const seconds = (performance.now() - startMs) / 1000;
  const cpuSeconds = cpuMs() / 1000;
  const megabytes = process.resourceUsage().maxRSS / 1024;
  await queue.stop();
  await store.close();
  printFigure('run over 10,000 accounts, s', seconds.toFixed(1), `< ${limits.seconds}`, seconds < limits.seconds);
  console.log(`  own CPU time, s: ${cpuSeconds.toFixed(1)}`);
  printFigure('peak memory, MB', megabytes.toFixed(0), `< ${limits.megabytes}`, megabytes < limits.megabytes);
}

async function countInvoices(store: Store): Promise<number> {
  const row = await store.queries
    .selectFrom('invoices')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Seeds accounts that were last billed a month ago. */
async function seed(store: Store): Promise<void> {
  const monthAgo = dayOf(Date.UTC(2026, 9, 1));
  await store.transaction(async (queries) => {
    await queries
      .insertInto('switches')
      .values({
        name: 'bench',
        driver: 'snmp',
        settings: '',
        revision: 0,
        next_poll_at: 0,
        last_poll_at: null,
        poll_error: null,
      })
      .execute();
    for (let id = 1; id <= accounts; id++) {
      const account = await addAccount({ ...store, queries }, id);
      await queries
        .insertInto('billing_accounts')
        .values({ account_id: account, bill_day: 1, next_day: today, last_day: monthAgo, run_day: null, revision: 0 })
        .execute();
      for (let index = 0; index < servicesPerAccount; index++)
        await addService(queries, account, (id - 1) * servicesPerAccount + index + 1, monthAgo);
    }
  });
}

async function addService(queries: Store['queries'], account: AccountId, id: number, monthAgo: number): Promise<void> {
  const metered = id % trafficEvery === 0;
  const names = { name: 'VPS', hostname: `s${id}.example.net`, ip: `2001:db8::${id.toString(16)}` };
  const service = { id, account_id: account, type: 'vps', status: 'Active', server: null, created_at: 0 } as const;
  await queries
    .insertInto('services')
    .values({ ...service, ...names, vmid: id })
    .execute();
  await queries
    .insertInto('service_terms')
    .values({
      ...plainTerms,
      account_id: account,
      service_id: id,
      committed_mbits: metered ? 10 : null,
      mbit_price_cents: 100,
      address_price_cents: 200,
      setup_cents: 0,
      anchor_day: monthAgo,
      from_day: monthAgo,
      until_day: null,
      billed_until: today,
    })
    .execute();
  if (metered) await addTraffic(queries, id, monthAgo);
}

async function addTraffic(queries: Store['queries'], service: number, monthAgo: number): Promise<void> {
  const port = await queries
    .insertInto('ports')
    .values({ switch: 'bench', if_index: service, service_id: service, alias: '', speed: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let day = monthAgo; day < today; day++) {
    const packed = (packedDays[(day + service) % packedDays.length] ??= packedDay(day, service));
    await queries
      .insertInto('traffic_days')
      .values({ port_id: port.id, day_start: day * daySeconds, packed })
      .execute();
  }
}
function packedDay(day: number, seed: number): Buffer {
  const samples = Array.from({ length: intervalsPerDay }, (_, index) => ({
    start: day * daySeconds + index * intervalSeconds,
    inBytes: 400_000_000 + ((index * 7919 + seed) % 997) * 100_000,
    outBytes: 300_000_000,
    marks: 0,
  }));
  return addToDay(undefined, day * daySeconds, samples);
}

async function measureInvoiceList(): Promise<void> {
  // Loaded late, so that the run is measured in a process without the test code.
  const { openTestApp } = await import('../test/support/app.ts');
  await using app = await openTestApp();
  const { key, account } = app.lab.customer;
  await app.parts.store.transaction(async (queries) => {
    const amounts = { subtotal_cents: 8900, credit_cents: 0, tax_cents: 1869, tax2_cents: 0, total_cents: 10_769 };
    const rates = { tax_rate: 2100, tax_rate2: 0, payment_method: 'banktransfer', notes: '', corrects_id: null };
    for (let number = 0; number < invoicesListed; number++)
      await queries
        .insertInto('invoices')
        .values({
          account_id: Number(account) as AccountId,
          number: `B-${number}`,
          day: 20_000 + number,
          due_day: 20_014 + number,
          paid_at: 1_760_000_000_000,
          status: 'Paid',
          ...amounts,
          ...rates,
        })
        .execute();
  });
  const agent = new Agent();
  const times: number[] = [];
  const cpuMs = startCpuWatch();
  for (let count = 0; count < listings; count++) {
    const startMs = performance.now();
    const response = await request(`${app.url}/v2/account/invoice`, {
      headers: { 'x-api-key': key },
      dispatcher: agent,
    });
    await response.body.bytes();
    times.push(performance.now() - startMs);
    if (response.statusCode !== 200) throw new Error(`unexpected status ${response.statusCode}`);
  }
  const cpuMsPerList = cpuMs() / listings;
  await agent.close();
  const ms = median(times);
  printFigure('list of 1,000 invoices, median ms', ms.toFixed(1), `< ${limits.listMs}`, ms < limits.listMs);
  console.log(`  CPU time including the client, ms: ${cpuMsPerList.toFixed(1)}`);
}
