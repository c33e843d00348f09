// The largest zones: each operation lets other requests run in between, it happens as a whole or not at all, and it
// costs in proportion.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { createKeyText } from '#lib/key-text.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { largeZoneFile, type Difference, type ListedRecord } from '#test/support/dns-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { countTurns } from '#test/support/turns.ts';
import type { Envelope, ErrorResult } from '#test/support/request.ts';

const records = 19_000;

/** Calls without a socket, which would let the event loop turn anyway. */
function directCalls(app: TestApp, key = app.lab.customer.key) {
  const send = async <Result>(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
    const response = await app.http.inject({ method, url, headers: { 'x-api-key': key }, ...(payload && { payload }) });
    return { status: response.statusCode, headers: response.headers, ...response.json<Envelope<Result>>() };
  };
  return {
    send,
    async makeZone(domain: string): Promise<number> {
      return Number((await send<string>('POST', '/v2/dns/domain', { domain })).result);
    },
    importFile: (domain: number, zonefile: string, more: object = {}) =>
      send<Difference & ErrorResult>('POST', '/v2/dns/zonefile', { domain, zonefile, ...more }),
    records: async (domain: number) => (await send<ListedRecord[]>('GET', `/v2/dns/record/${domain}`)).result,
  };
}

// On PostgreSQL the loop turns while it waits for the database, whatever the work in between.
describe('a large zone', () => {
  const owned = suiteResources();
  let app: TestApp;
  let dns: ReturnType<typeof directCalls>;
  let zone: number;
  before(async () => {
    app = owned.use(await openTestApp());
    dns = directCalls(app);
    zone = await dns.makeZone('large.example.com');
  });

  for (const { title, least, work } of [
    { title: 'is previewed', least: 300, work: () => dns.importFile(zone, largeZoneFile(records), { dry_run: true }) },
    { title: 'is imported', least: 500, work: () => dns.importFile(zone, largeZoneFile(records)) },
    { title: 'is replaced', least: 700, work: () => dns.importFile(zone, largeZoneFile(records, { block: 2 })) },
    {
      title: 'changes its TTL',
      least: 500,
      work: () => dns.importFile(zone, largeZoneFile(records, { block: 2, ttl: 600 })),
    },
    { title: 'is exported', least: 75, work: () => dns.send('GET', `/v2/dns/zonefile/${zone}`) },
    { title: 'is rolled back', least: 700, work: () => rollBack() },
  ]) {
    test(`${title} while other requests run`, async () => {
      const done = work();
      const turns = await countTurns(done);
      const { status, result } = await done;
      assert.equal(status, 200, JSON.stringify(result).slice(0, 500));
      assert.ok(turns >= least, `${turns} turns`);
    });
  }

  async function rollBack() {
    const history = await dns.send<{ version: string }[]>('GET', `/v2/dns/history?domain=${zone}&limit=1`);
    return dns.send('POST', '/v2/dns/history', { domain: zone, version: Number(history.result[0]!.version) - 2 });
  }

  test('has a history whose pages are limited', async () => {
    const page = async (before = '') =>
      (await dns.send<{ version: string }[]>('GET', `/v2/dns/history?domain=${zone}&limit=100${before}`)).result;
    const first = await page();
    assert.equal(first.length, 1);
    assert.equal((await page(`&before=${first[0]!.version}`)).length, 1);
  });
});

describeOnEngines('a large import', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let dns: ReturnType<typeof directCalls>;
  before(async () => {
    app = await openApp();
    dns = directCalls(app);
  });

  test('is rejected if the zone changes after the preview, even while the file is parsed', async () => {
    const zone = await dns.makeZone('changed.example.com');
    const { result } = await dns.importFile(zone, largeZoneFile(records), { dry_run: true });
    const importing = dns.importFile(zone, largeZoneFile(records), { serial: Number(result.serial) });
    const record = { domain: zone, record: 'www.changed.example.com', type: 'A', content: '192.0.2.1' };
    assert.equal((await dns.send('POST', '/v2/dns/record', record)).status, 200);
    const rejected = await importing;
    assert.equal(rejected.status, 409);
    assert.match(rejected.result.message, /has changed since you previewed/);
    const types = (await dns.records(zone)).map(({ type }) => type);
    assert.deepEqual(types, ['SOA', 'NS', 'NS', 'A']);
  });

  test('fails as a whole if its transaction fails at the end', async () => {
    const zone = await dns.makeZone('whole.example.com');
    assert.equal((await dns.importFile(zone, largeZoneFile(100))).status, 200);
    const before = await dns.records(zone);
    const store = app.parts.store as { transaction: TestApp['parts']['store']['transaction'] };
    const { transaction } = store;
    store.transaction = (work) =>
      transaction.call(app.parts.store, async (queries) => {
        await work(queries);
        throw new Error('injected failure');
      }) as never;
    const failed = await dns.importFile(zone, largeZoneFile(records, { block: 2 }));
    store.transaction = transaction;
    assert.equal(failed.status, 500);
    assert.deepEqual(await dns.records(zone), before);
    assert.equal((await dns.importFile(zone, largeZoneFile(200, { block: 3 }))).status, 200);
    assert.equal((await dns.records(zone)).length, 203);
  });

  test('and another change at the same time are both applied, one after the other', async () => {
    const zone = await dns.makeZone('both.example.com');
    const names = Array.from({ length: 20 }, (_, index) => `w${index}.both.example.com`);
    const importing = dns.importFile(zone, largeZoneFile(records));
    const additions = names.map((record) =>
      dns.send('POST', '/v2/dns/record', { domain: zone, record, type: 'A', content: '192.0.2.1' }),
    );
    for (const { status } of await Promise.all([importing, ...additions])) assert.equal(status, 200);
    const stored = await dns.records(zone);
    const added = stored.filter(({ name }) => names.includes(name));
    assert.equal(stored.length, records + 3 + added.length);
    const row = await app.parts.store.queries
      .selectFrom('zones')
      .select(['record_count', 'revision'])
      .where('id', '=', zone)
      .executeTakeFirstOrThrow();
    assert.deepEqual(row, { record_count: stored.length, revision: 1 + 1 + names.length });
  });
});

describe('the rate limit', () => {
  const owned = suiteResources();
  let app: TestApp;
  let keys: string[];
  before(async () => {
    app = owned.use(await openTestApp());
    const texts = [createKeyText(), createKeyText()];
    const limited = texts.map(({ printableId, secretHash }, index) => ({
      name: `limited ${index}`,
      id: printableId,
      hash: secretHash.toString('hex'),
      scopes: ['all' as const],
      limits: { rate: 1, burst: 200 },
    }));
    const customers = (app.site.customers ?? []).map((customer) =>
      customer.id === 1 ? { ...customer, keys: [...(customer.keys ?? []), ...limited] } : customer,
    );
    await applySite(app.parts, { ...app.site, customers });
    keys = texts.map(({ text }) => text);
  });
  const remaining = ({ headers }: { headers: Record<string, unknown> }) =>
    Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);

  test('counts an import by its size, over all keys of the account', async () => {
    const [first, second] = keys.map((key) => directCalls(app, key));
    const zone = await first!.makeZone('limited.example.com');
    const before = remaining(await first!.send('GET', '/v2/account'));
    const small = remaining(await first!.importFile(zone, largeZoneFile(10)));
    const medium = remaining(await first!.importFile(zone, largeZoneFile(1000)));
    assert.deepEqual([before - small, small - medium], [10, 36]);
    const rejected = await first!.importFile(zone, largeZoneFile(records));
    assert.equal(rejected.status, 429);
    assert.equal((await second!.importFile(zone, largeZoneFile(records))).status, 429);
    assert.equal((await second!.send('GET', '/v2/account')).status, 200);
  });

  test('counts a response by its size', async () => {
    const zone = await directCalls(app).makeZone('response.example.com');
    assert.equal((await directCalls(app).importFile(zone, largeZoneFile(records))).status, 200);
    const limited = directCalls(app, keys[1]);
    const before = remaining(await limited.send('GET', '/v2/account'));
    assert.equal((await limited.send('GET', `/v2/dns/record/${zone}`)).status, 200);
    const after = remaining(await limited.send('GET', '/v2/account'));
    assert.ok(before - after >= 20, `${before} before, ${after} after`);
  });

  test('counts large responses over all keys of the account, and delays no other calls', async () => {
    const zone = await directCalls(app).makeZone('owing.example.com');
    assert.equal((await directCalls(app).importFile(zone, largeZoneFile(records))).status, 200);
    const [first, second] = keys.map((key) => directCalls(app, key));
    const reads = await Promise.all(Array.from({ length: 4 }, () => first!.send('GET', `/v2/dns/record/${zone}`)));
    assert.deepEqual(new Set(reads.map(({ status }) => status)), new Set([200]));
    const rejected = await second!.send('GET', `/v2/dns/record/${zone}`);
    assert.equal(rejected.status, 429);
    assert.ok(Number(rejected.headers['retry-after']) > 0);
    assert.equal((await second!.send('GET', '/v2/account')).status, 200);
  });
});
