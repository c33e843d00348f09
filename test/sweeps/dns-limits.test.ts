// A key that is limited to the records of ACME challenges, at every endpoint that reads or changes zones: it changes
// nothing else, whatever the parameters are, and sees nothing else.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { acmeRule } from '#contract/shapes/dns-limits.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { createAccountFixtures, inputs, type AccountFixtures } from '#test/support/account-fixtures.ts';
import type { TestApp } from '#test/support/app.ts';
import { dnsCalls } from '#test/support/dns-fixtures.ts';
import { createTsigKey } from '#test/support/dns-updates.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { listEvents, readEvents, type StreamedData } from '#test/support/event-stream.ts';
import { powerdnsCalls, replaceSet } from '#test/support/powerdns-calls.ts';
import { createKey } from '#test/support/request.ts';
import { callRoute, routes, type Route } from '#test/support/routes.ts';

const ofZones = routes.filter(
  ({ endpoint, operation }) =>
    operation.api !== 'operator' && (endpoint.publishes === true || endpoint.access.startsWith('dns:')),
);
const reading = ofZones.filter(({ method }) => method === 'GET');
const changing = ofZones.filter(({ method }) => method !== 'GET');
/** Everything that a key of a customer can read. */
const readable = routes.filter(
  ({ method, operation, endpoint }) =>
    method === 'GET' && operation.api !== 'operator' && endpoint.access !== 'public' && endpoint.effect === undefined,
);
const refusals = new Set([400, 403, 404, 422]);
/** Write challenges, or nothing in the zone. */
const allowed = ['acmePresent', 'acmeCleanup', 'zoneUpdate', 'zoneNotify'];
/** Needs the public DNS, or a name server that signs. */
const unprovable = ['zoneClaimVerify', 'dnssecEnable', 'dnssecDisable', 'dnssecAct', 'dnssecGet'];

describeOnEngines('a key limited to ACME challenges', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let limited: string;
  let elsewhere: string;
  before(async () => {
    app = await openApp({ site: { webhooks: { allow: ['127.0.0.0/8'] } } });
    const newKey = async (zones?: string[]) =>
      (await createKey(app, app.lab.customer.key, { scopes: ['all'], dns: [acmeRule(zones)] })).key;
    limited = await newKey();
    elsewhere = await newKey(['elsewhere.example.org']);
  });

  const send = (route: Route, input: Record<string, unknown>, key: string) =>
    callRoute(app, route, input, route.method === 'GET' ? 'query' : 'json', { key });

  /** All zones, and all records but challenges and serials. */
  async function snapshot(): Promise<string> {
    const { queries } = app.parts.store;
    const records = queries.selectFrom('records').select(['id', 'name', 'type', 'ttl', 'content']).orderBy('id');
    const isOther = ({ name, type }: { name: string; type: number }) =>
      type !== rrTypes.SOA && !(type === rrTypes.TXT && name.startsWith('_acme-challenge.'));
    const rows = [
      await queries.selectFrom('zones').select(['id', 'name', 'account_id']).orderBy('id').execute(),
      (await records.execute()).filter(isOther),
      await queries.selectFrom('zone_claims').select(['name']).orderBy('name').execute(),
    ];
    return JSON.stringify(rows);
  }

  async function createFixtures(route: Route): Promise<AccountFixtures> {
    const fixtures = await createAccountFixtures(app, app.lab.customer.key, route);
    const dns = dnsCalls(app, app.lab.customer.key);
    const record = route.operation.name === 'reverseDelete' ? 'www.example.com' : 'other.example.com';
    if ('ip' in route.endpoint.params || 'records' in route.endpoint.params)
      await dns.call('PUT', '/v2/dns/reverse', { ip: '203.0.113.10', record });
    // A later version, so that rolling back to the first changes something.
    if (fixtures.zoneName !== 'absent.example.org')
      await dns.add(fixtures.zone, `www.${fixtures.zoneName}`, 'A', '192.0.2.7');
    return fixtures;
  }

  for (const route of changing) {
    test(`changes nothing with ${route.label}`, async () => {
      const fixtures = await createFixtures(route);
      const earlier = await snapshot();
      const statuses: number[] = [];
      for (const input of inputs(route, fixtures, app.lab)) {
        const { status, body } = await send(route, input, limited);
        assert.ok(refusals.has(status) || allowed.includes(route.operation.name), JSON.stringify({ input, body }));
        statuses.push(status);
        assert.ok(!JSON.stringify(body).includes('192.0.2.'), JSON.stringify(body));
        assert.ok(refusals.has((await send(route, input, elsewhere)).status));
        assert.ok((await snapshot()) === earlier, JSON.stringify(input));
      }
      assert.ok(statuses.some((status) => status !== 400));
      if ([...allowed, ...unprovable].includes(route.operation.name)) return;
      // The same calls of a key without limits do change something.
      for (const input of inputs(route, fixtures, app.lab)) await send(route, input, app.lab.customer.key);
      assert.ok((await snapshot()) !== earlier);
    });
  }

  for (const route of reading) {
    test(`sees nothing else with ${route.label}`, async () => {
      const fixtures = await createFixtures(route);
      const challenge = `_acme-challenge.${fixtures.zoneName}`;
      if ('domain' in route.endpoint.params || 'domain_id' in route.endpoint.params)
        await dnsCalls(app, limited).add(fixtures.zone, challenge, 'TXT', 'token');
      for (const input of inputs(route, fixtures, app.lab)) {
        const { status, body } = await send(route, input, limited);
        // The provider's name servers are no secret.
        const text = JSON.stringify(body).replace(/"expected":\[[^\]]*\]/, '');
        assert.ok(status === 200 || unprovable.includes(route.operation.name), text);
        assert.ok(!/192\.0\.2\.|203\.0\.113\.|\bwww\.|\bns1\./.test(text), text);
        const hidden = await send(route, input, elsewhere);
        assert.ok(!JSON.stringify(hidden.body).includes(fixtures.zoneName));
      }
    });
  }

  test('writes, updates and deletes challenges, however they are named', async () => {
    const dns = dnsCalls(app, app.lab.customer.key);
    const acme = dnsCalls(app, limited);
    const zone = await dns.makeZone('acme.example.org');
    for (const name of ['_acme-challenge', '_acme-challenge.www', '_ujm._acme-challenge.www']) {
      await acme.add(zone, `${name}.acme.example.org`, 'TXT', 'one', { ttl: 60 });
      await acme.add(zone, `${name}.acme.example.org`, 'TXT', 'two', { ttl: 120 });
    }
    const record = await acme.idOf(zone, '_acme-challenge.acme.example.org', 'TXT');
    await acme.call('PUT', '/v2/dns/record', { domain: zone, record, content: 'three' });
    const records = await acme.records(zone);
    assert.equal(records.length, 6);
    assert.ok(records.every(({ type, ttl }) => type === 'TXT' && ttl === '120'));
    const page = await acme.call<{ id: string }[]>('GET', `/v2/dns/record/${zone}`, { limit: 2, after: 0 });
    assert.deepEqual(
      page.map(({ id }) => id),
      records.slice(0, 2).map(({ id }) => id),
    );
    await acme.call('DELETE', '/v2/dns/record', { domain: zone, record });
    const rest = records.map(({ id }) => id).filter((id) => id !== record);
    await acme.call('DELETE', '/v2/dns/records', { domain: zone, records: rest });
    assert.deepEqual(await acme.records(zone), []);
    assert.equal((await dns.records(zone)).length, 3);
    for (const [name, type] of [
      ['_acme-challenge', 'CNAME'],
      ['_validation-persist', 'TXT'],
      ['*', 'TXT'],
    ] as const) {
      const params = { domain: zone, record: `${name}.acme.example.org`, type, content: 'x.example.org' };
      const { code, message } = await acme.assertRejected(403, 'POST', '/v2/dns/record', params);
      assert.equal(code, 'scope_missing');
      assert.match(message, /limited to certain DNS records/);
    }
  });

  test('sees nothing of other zones in events, audit log, plans, keys, nor anywhere else', async () => {
    const { key } = app.lab.customer;
    const dns = dnsCalls(app, key);
    const name = 'hidden-zone.example.com';
    const zone = await dns.makeZone(name);
    await dns.add(zone, `www.${name}`, 'A', '192.0.2.9');
    const record = await dns.idOf(zone, `www.${name}`, 'A');
    await dns.importFile(zone, `@ NS ns1.example.net.\nwww A 192.0.2.9\nmail MX 10 mail.${name}.\n`);
    await dns.call('PUT', '/v2/dns/reverse', { ip: '203.0.113.10', record: `host.${name}` });
    await powerdnsCalls(app, key).patch(name, replaceSet(`tool.${name}.`, 'TXT', '"x"'));
    await createKey(app, key, { scopes: ['all'], dns: [acmeRule([name])] });
    await createTsigKey(app, key, { dns: JSON.stringify([{ zones: [name] }]) });
    const planned = { operation: 'recordDelete', params: { domain: zone, record } };
    const plan = await dns.call<{ id: string }>('POST', '/v2/plan', planned);
    const fixtures = await createAccountFixtures(app, key);

    const shownBy: string[] = [];
    for (const route of readable)
      for (const input of inputs(route, { ...fixtures, plan: plan.id }, app.lab)) {
        const [hidden, shown] = [await send(route, input, elsewhere), await send(route, input, key)];
        assert.ok(
          !JSON.stringify(hidden.body).includes('hidden-zone'),
          `${route.label}: ${JSON.stringify(hidden.body)}`,
        );
        if (JSON.stringify(shown.body).includes('hidden-zone')) shownBy.push(route.operation.name);
      }
    for (const operation of ['auditGet', 'planGet', 'keyGet', 'tsigKeyList', 'reverseList', 'zoneList'])
      assert.ok(shownBy.includes(operation), `${operation} shows it to a key without limits`);

    const stranger = dnsCalls(app, elsewhere);
    for (const query of [{ limit: 1000 }, { newest: true }, { newest: true, type: ['dns.zone.created'] }]) {
      const [hidden, shown] = [await listEvents(app, elsewhere, query), await listEvents(app, key, query)];
      assert.doesNotMatch(JSON.stringify(hidden), /hidden-zone/);
      assert.match(JSON.stringify(shown), /hidden-zone/);
    }
    await stranger.assertRejected(404, 'PUT', '/v2/plan', { id: plan.id, decision: 'refuse' });
    await stranger.assertRejected(404, 'POST', '/v2/plan', planned);
  });

  test('reads the events of its own records, and those that are not about DNS', async () => {
    const dns = dnsCalls(app, app.lab.customer.key);
    const zone = await dns.makeZone('watched.example.org');
    const { cursor } = await dns.call<{ cursor: string }>('GET', '/v2/event', { newest: true });
    await using stream = await readEvents(app, { key: limited, query: { after: cursor } });
    await dns.add(zone, 'www.watched.example.org', 'A', '192.0.2.9');
    await dns.add(zone, '_acme-challenge.watched.example.org', 'TXT', 'token');
    await createKey(app, app.lab.customer.key, { scopes: ['all'] });
    const seen = ['dns.record.created _acme-challenge.watched.example.org', 'key.created test'];
    const linesOf = (events: StreamedData[]) => events.map(({ type, data }) => `${type} ${String(data['name'])}`);
    assert.deepEqual(linesOf(await listEvents(app, limited, { after: cursor })), seen);
    assert.deepEqual(linesOf((await stream.take(seen.length)).map(({ data }) => data)), seen);
    const firstPage = await listEvents(app, limited, { after: cursor, limit: 1 });
    assert.deepEqual(linesOf(firstPage), seen.slice(0, 1), 'a page is empty only at the end');
  });

  test('has no webhook sent events of DNS', async () => {
    const dns = dnsCalls(app, app.lab.customer.key);
    const acme = dnsCalls(app, limited);
    const url = 'https://127.0.0.1/hook';
    const { id } = await dns.call<{ id: string }>('POST', '/v2/account/webhook', { url });
    for (const events of [[], ['dns.record.created'], ['invoice.paid', 'plan.created']]) {
      const refused = await acme.assertRejected(403, 'POST', '/v2/account/webhook', { url, events });
      assert.match(refused.message, /limited to certain DNS records/);
    }
    for (const change of [{ url: 'https://127.0.0.1/other' }, { rotate: true }, { events: ['invoice.paid'] }])
      await acme.assertRejected(403, 'PUT', '/v2/account/webhook', { id, ...change });
    const own = await acme.call<{ id: string }>('POST', '/v2/account/webhook', { url, events: ['invoice.paid'] });
    await acme.assertRejected(403, 'PUT', '/v2/account/webhook', { id: own.id, events: [] });
    await acme.call('PUT', '/v2/account/webhook', { id: own.id, events: ['invoice.paid', 'invoice.issued'] });
  });
});
