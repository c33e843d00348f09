// A billing run over 10,000 accounts with 30,000 services on SQLite, as durable workflows, one service in thirty with a month
// of traffic to be ranked; and the list of invoices of an account that has 1,000, over HTTP.
//
//   npm run bench -- billing
import { pino } from 'pino';
import { Agent, request } from 'undici';
import { billingOffice, startDueRuns } from '#app/billing/run.ts';
import { openJobs } from '#jobs/open.ts';
import { addToDay } from '#kernel/traffic/packed-day.ts';
import { INTERVAL_SECONDS, INTERVALS_PER_DAY } from '#kernel/traffic/series.ts';
import { dayOf } from '#kernel/moments.ts';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { billingRun } from '#workflows/billing-run.ts';
import { workflowWorker } from '#workflows/runner.ts';
import { addAccount } from '../test/support/accounts.ts';
import { plainTerms, setPolicy } from '../test/support/billing-world.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { median } from './support/load.ts';

const limits = { seconds: 60, megabytes: 300, listMs: 5 };
const accounts = 10_000;
const servicesPerAccount = 3;
const trafficEvery = 30;
const invoicesListed = 1000;
const listings = 200;
const daySeconds = 86_400;

const today = dayOf(Date.UTC(2026, 10, 1));
const clock = { now: () => today * daySeconds * 1000 + 3_600_000 };

/** Some days, over and over: what a day holds is no matter, only that it is unpacked, ranked and put into words. */
const packedDays: (Buffer | undefined)[] = Array.from({ length: 40 });

await billingRunOf();
await invoiceList();

async function billingRunOf(): Promise<void> {
  await using folder = await temporaryFolder('bench');
  const store = await openStore({ dataFolder: folder.path, database: undefined });
  await setPolicy(store, {});
  await seed(store);
  const parts = { store, clock, log: pino({ level: 'error' }), node: 'bench' };
  const jobs = await openJobs(parts, undefined);
  const deps = { billing: billingOffice({ ...parts, jobs }) };
  const begun = performance.now();
  const cpuBefore = process.cpuUsage();
  await startDueRuns({ ...parts, jobs }, { operation: 'bench' });
  await jobs.start([workflowWorker({ ...parts, jobs, deps, workflows: [billingRun] })]);
  let invoices = 0;
  while (invoices < accounts) {
    await new Promise((resolve) => void setTimeout(resolve, 100));
    invoices = await countInvoices(store);
  }
  const seconds = (performance.now() - begun) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  const megabytes = process.resourceUsage().maxRSS / 1024;
  await jobs.stop();
  await store.close();
  print('run over 10,000 accounts, s', seconds.toFixed(1), `< ${limits.seconds}`, seconds < limits.seconds);
  console.log(`  of its own processor time, s: ${((cpu.user + cpu.system) / 1e6).toFixed(1)}`);
  print('memory at the most, MB', megabytes.toFixed(0), `< ${limits.megabytes}`, megabytes < limits.megabytes);
}

async function countInvoices(store: Store): Promise<number> {
  const row = await store.queries
    .selectFrom('invoices')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Accounts that were billed a month ago, so that there is a month behind them as well as one ahead. */
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
  if (metered) await addTrafficOf(queries, id, monthAgo);
}

async function addTrafficOf(queries: Store['queries'], service: number, monthAgo: number): Promise<void> {
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
  const samples = Array.from({ length: INTERVALS_PER_DAY }, (_, index) => ({
    start: day * daySeconds + index * INTERVAL_SECONDS,
    inBytes: 400_000_000 + ((index * 7919 + seed) % 997) * 100_000,
    outBytes: 300_000_000,
    marks: 0,
  }));
  return addToDay(undefined, day * daySeconds, samples);
}

async function invoiceList(): Promise<void> {
  // Only now: the run is measured in a process that has no more than it needs.
  const { openTestYard } = await import('../test/support/yard.ts');
  await using yard = await openTestYard();
  const { key, account } = yard.lab.customer;
  await yard.parts.store.transaction(async (queries) => {
    const zero = { subtotal_cents: 8900, credit_cents: 0, tax_cents: 1869, tax2_cents: 0, total_cents: 10_769 };
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
          ...zero,
          ...rates,
        })
        .execute();
  });
  const agent = new Agent();
  const times: number[] = [];
  const cpuBefore = process.cpuUsage();
  for (let count = 0; count < listings; count++) {
    const begun = performance.now();
    const answer = await request(`${yard.url}/v2/account/invoice`, {
      headers: { 'x-api-key': key },
      dispatcher: agent,
    });
    await answer.body.bytes();
    times.push(performance.now() - begun);
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
  }
  const cpu = process.cpuUsage(cpuBefore);
  await agent.close();
  const ms = median(times);
  print('list of 1,000 invoices at the median, ms', ms.toFixed(1), `< ${limits.listMs}`, ms < limits.listMs);
  const cpuMs = (cpu.user + cpu.system) / 1000 / listings;
  console.log(`  of processor time, client included, ms: ${cpuMs.toFixed(1)}`);
}

function print(what: string, value: string, limit: string, met: boolean): void {
  console.log([what.padEnd(44), value.padStart(6), limit.padEnd(8), met ? 'met' : 'not met'].join('  ').trimEnd());
  if (!met) process.exitCode = 1;
}
