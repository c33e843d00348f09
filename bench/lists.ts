// Lists, searches, the fleet and the feeds next to their cost with 100 services, on each database: CPU time per request
// of every page that staff and a customer with few services see, including PostgreSQL's own; and of an event, its
// delivery to a webhook and its way to a stream, while all other accounts have webhooks and open streams. CPU times
// are compared in alternating rounds, and the median ratio counts, because timings on this machine vary.
//
//   node bench/lists.ts               10,000 services
//   node bench/lists.ts 1000 50000    these numbers
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { webhookWorker } from '#app/events/webhook-delivery.ts';
import { eventFeed } from '#app/events/log-stream.ts';
import { applySite } from '#app/site/apply.ts';
import { appendEvent } from '#events/append.ts';
import { createKeyText } from '#lib/key-text.ts';
import type { AccountId } from '#store/account-id.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { readEvents } from '#test/support/event-stream.ts';
import { accountOf, addManyServices, listedPages, type ListedPage } from '#test/support/many-services.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { requestResult } from '#test/support/request.ts';
import { median, printFigure } from './support/figures.ts';
import { cpuSecondsOfTree } from './support/load.ts';

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(10_000);
const smallSize = 100;
const maxGrowth = 1.5;
/** Many, because a collection of garbage can double a round, which takes 30 ms. */
const rounds = 11;
const requests = 100;
const parallel = 4;
const events = 200;
const openStreams = 500;
const idleSeconds = 5;
const quietShare = 0.1;
const unlimited = { rate: 1_000_000, burst: 1_000_000 };

/** CPU seconds so far, of this process and its database. */
type Spent = () => number;

interface Provider {
  readonly app: TestApp;
  services: number;
}

async function openProvider(database: string | undefined): Promise<Provider> {
  const app = await openTestApp(database === undefined ? {} : { database });
  const { parts } = app;
  await applySite(parts, { ...app.site, webhooks: { allow: ['127.0.0.0/8'] } });
  await parts.store.queries.updateTable('keys').set(unlimited).execute();
  parts.authentication.forget();
  await parts.queue.start([webhookWorker(parts)]);
  await appendEvents(app);
  return { app, services: 0 };
}

async function grow(provider: Provider, services: number, spent: Spent): Promise<void> {
  const { store } = provider.app.parts;
  await addManyServices(store, provider.services, services);
  provider.services = services;
  if (store.engine === 'postgres') await sql`vacuum analyze`.execute(store.queries);
  // The name server reads the new zones, and the collector has much to do.
  for (let share = 1; share > quietShare;) {
    const startSeconds = spent();
    await sleep(1000);
    share = spent() - startSeconds;
  }
}

/** Returns microseconds of CPU per request. A number of requests, not a time, so that other load does not matter. */
async function costOf({ app }: Provider, { key, path }: ListedPage, spent: Spent): Promise<number> {
  const startSeconds = spent();
  for (let sent = 0; sent < requests; sent += parallel) {
    const responses = Array.from({ length: parallel }, () =>
      app.http.inject({ url: path, headers: { 'x-api-key': key } }),
    );
    for (const { statusCode, body } of await Promise.all(responses))
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${body}`);
  }
  return ((spent() - startSeconds) / requests) * 1e6;
}

async function appendEvents({ parts, lab }: TestApp): Promise<void> {
  const account = Number(lab.customer.account) as AccountId;
  for (let number = 0; number < events; number++)
    await parts.store.transaction((queries) =>
      appendEvent(parts, queries, { account, type: 'key.revoked', data: { keyid: String(number), name: 'bench' } }),
    );
}

type Feed = (provider: Provider) => Promise<void>;
/** Each handles this number of events. */
const feeds: Readonly<Record<string, Feed>> = {
  'an event, with streams of all others': async ({ app, services }) => {
    const feed = eventFeed(app.parts);
    for (let index = 0; index < services; index += 10) feed.listen(accountOf(index), () => {});
    let wakeups = 0;
    feed.listen(Number(app.lab.customer.account) as AccountId, () => wakeups++);
    await appendEvents(app);
    feed.close();
    if (wakeups === 0) throw new Error('the stream was not woken');
  },
  'an event of a stream that catches up': async ({ app }) => {
    await using stream = await readEvents(app, { key: app.lab.customer.key });
    await stream.take(events);
  },
  'an event with its delivery to a webhook': async ({ app }) => {
    const { key } = app.lab.customer;
    await using receiver = await startReceiver();
    const params = { url: receiver.url, events: ['key.revoked'] };
    const { id } = await requestResult<{ id: string }>(app, 'POST', '/v2/account/webhook', { key, params });
    await appendEvents(app);
    await receiver.accepted(events);
    await requestResult(app, 'DELETE', '/v2/account/webhook', { key, params: { id } });
  },
};

/** Returns microseconds of CPU per event. */
async function costOfEvent(provider: Provider, feed: Feed, spent: Spent): Promise<number> {
  const startSeconds = spent();
  await feed(provider);
  return ((spent() - startSeconds) / events) * 1e6;
}

/** Prints what open streams cost while nothing happens. */
async function measureOpenStreams(engine: string, { app }: Provider, spent: Spent): Promise<void> {
  await using owned = new AsyncDisposableStack();
  for (let index = 0; index < openStreams; index++) {
    const { text, printableId, secretHash } = createKeyText();
    await app.parts.store.queries
      .updateTable('keys')
      .set({ printable_id: printableId, secret_hash: secretHash.toString('hex') })
      .where('printable_id', '=', `many${index * 10}`)
      .execute();
    owned.use(await readEvents(app, { key: text }));
  }
  const startSeconds = spent();
  await sleep(idleSeconds * 1000);
  const cost = ((spent() - startSeconds) / idleSeconds / openStreams) * 1e6;
  printFigure(`${engine}: an open stream, µs of CPU per second`, cost.toFixed(0));
}

async function measureEngine(engine: string, newDatabase: () => Promise<string | undefined>, spent: Spent) {
  const small = await openProvider(await newDatabase());
  const large = await openProvider(await newDatabase());
  await using _ = small.app;
  await using __ = large.app;
  await grow(small, smallSize, spent);
  for (const services of sizes) {
    await grow(large, services, spent);
    const compare = async (label: string, measure: (provider: Provider) => Promise<number>): Promise<void> => {
      const runs: { small: number; large: number }[] = [];
      for (let round = 0; round <= rounds; round++)
        runs.push({ small: await measure(small), large: await measure(large) });
      // The first round is for the compiler.
      const measured = runs.slice(1);
      const growth = median(measured.map((run) => run.large / run.small));
      const [from, to] = (['small', 'large'] as const).map((size) =>
        median(measured.map((run) => run[size])).toFixed(0),
      );
      printFigure(
        `${engine}: ${label}, ${services} services (${from} → ${to} µs)`,
        growth.toFixed(2),
        `<= ${maxGrowth}`,
        growth <= maxGrowth,
        `${smallSize} services`,
      );
    };
    const ofLarge = new Map(listedPages(large.app.lab).map((page) => [page.label, page]));
    for (const page of listedPages(small.app.lab))
      await compare(page.label, (provider) =>
        costOf(provider, provider === small ? page : ofLarge.get(page.label)!, spent),
      );
    for (const [label, feed] of Object.entries(feeds))
      await compare(label, (provider) => costOfEvent(provider, feed, spent));
  }
  if (large.services >= openStreams * 10) await measureOpenStreams(engine, large, spent);
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

await measureEngine('SQLite', async () => undefined, ownSeconds);
await using postgres = await startPostgres();
const postgresPid = postgres.daemon.process.pid!;
await measureEngine(
  'PostgreSQL',
  () => postgres.createDatabase(),
  () => ownSeconds() + cpuSecondsOfTree(postgresPid),
);
