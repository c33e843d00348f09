// Change sets: changes of several zones and of reverse DNS that are made together or not at all.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { rrTypes } from '#protocols/dns/types.ts';
import type { TestApp } from '#test/support/app.ts';
import { withDnsCalls, type Difference, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { request, requestResult } from '#test/support/request.ts';

type ZoneDifference = Difference & { zone: string };
const path = '/v2/dns/changes';

describeOnEngines('change sets', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let dns: DnsCalls;
  let stranger: DnsCalls;
  const zones = new Map<string, string>();
  const apply = (params: Record<string, unknown>) => dns.call<ZoneDifference[]>('POST', path, params);
  const reject = (status: number, params: Record<string, unknown>) => dns.assertRejected(status, 'POST', path, params);
  async function lookUp(name: string, type: keyof typeof rrTypes): Promise<string[]> {
    const records = app.parts.store.queries.selectFrom('records').select('content').where('name', '=', name);
    const rows = await records.where('type', '=', rrTypes[type]).orderBy('content').execute();
    return rows.map(({ content }) => content);
  }
  const serialOf = async (zone: string) => Number((await lookUp(zone, 'SOA'))[0]!.split(' ')[2]);
  const serials = () => Promise.all([...zones.keys()].map(serialOf));

  before(async () => {
    ({ app, dns, stranger } = await withDnsCalls(openApp()));
    for (const zone of ['one.example.com', 'two.example.com', 'deep.one.example.com'])
      zones.set(zone, await dns.makeZone(zone));
    await stranger.makeZone('theirs.example.org');
  });

  test('are applied to all zones, as one version of each and one entry of the audit log', async () => {
    const [one] = await serials();
    const changes = [
      { action: 'add', name: 'www.one.example.com', type: 'A', content: '192.0.2.1', ttl: 300 },
      { action: 'add', name: 'www.one.example.com', type: 'A', content: '192.0.2.2' },
      { action: 'add', name: 'www.deep.one.example.com', type: 'TXT', content: 'deep' },
      { action: 'replace', name: 'two.example.com', type: 'MX', content: '10 mx1.example.net' },
      { action: 'replace', name: 'two.example.com', type: 'MX', content: '20 mx2.example.net' },
      { action: 'add', name: 'ns.deep.one.example.com', type: 'TXT', content: 'above', zone: 'one.example.com' },
    ];
    const result = await apply({ changes });
    assert.deepEqual(
      result.map(({ zone, added, removed, applied }) => [zone, added.length, removed.length, applied]),
      [
        ['deep.one.example.com', 1, 0, true],
        ['one.example.com', 3, 0, true],
        ['two.example.com', 2, 0, true],
      ],
    );
    assert.deepEqual(await lookUp('www.one.example.com', 'A'), ['192.0.2.1', '192.0.2.2']);
    assert.deepEqual(await lookUp('two.example.com', 'MX'), ['10 mx1.example.net', '20 mx2.example.net']);
    assert.equal(await serialOf('one.example.com'), one! + 1);
    const { key } = app.lab.customer;
    const [entry] = await requestResult<{ operation: string }[]>(app, 'GET', '/v2/account/audit', {
      key,
      params: { limit: 1 },
    });
    assert.equal(entry!.operation, 'v2.changeSetApply');
    const [version] = await dns.call<{ operation: string; added: { ttl: string }[] }[]>('GET', '/v2/dns/history', {
      domain: zones.get('one.example.com'),
    });
    assert.deepEqual([version!.operation, version!.added.length], ['v2.changeSetApply', 3]);
    assert.deepEqual(version!.added.map(({ ttl }) => ttl).toSorted(), ['300', '300', '3600']);
    assert.equal((await dns.eventOf('dns.zone.changed', 'two.example.com'))!['added'], 2);
  });

  test('remove single records and whole sets, and change nothing if that is already so', async () => {
    const name = 'set.one.example.com';
    await apply({
      changes: ['1', '2', '3'].map((last) => ({ action: 'add', name, type: 'A', content: `192.0.2.${last}` })),
    });
    await apply({ changes: [{ action: 'remove', name, type: 'A', content: '192.0.2.2' }] });
    assert.deepEqual(await lookUp(name, 'A'), ['192.0.2.1', '192.0.2.3']);
    const earlier = await serials();
    const [same] = await apply({
      changes: [
        { action: 'add', name, type: 'A', content: '192.0.2.1' },
        { action: 'remove', name, type: 'A', content: '192.0.2.9' },
        { action: 'remove', name: 'absent.one.example.com', type: 'TXT' },
      ],
    });
    assert.deepEqual([same!.added, same!.removed, Number(same!.serial)], [[], [], earlier[0]]);
    assert.deepEqual(await serials(), earlier);
    await apply({ changes: [{ action: 'replace', name, type: 'A', content: '192.0.2.7', ttl: 60 }] });
    assert.deepEqual(await lookUp(name, 'A'), ['192.0.2.7']);
    await apply({ changes: [{ action: 'remove', name, type: 'A' }] });
    assert.deepEqual(await lookUp(name, 'A'), []);
  });

  test('change no zone if one change is rejected', async () => {
    const earlier = await serials();
    const good = { action: 'add', name: 'good.one.example.com', type: 'A', content: '192.0.2.1' };
    for (const [bad, status, expected] of [
      [{ name: 'a.two.example.com', type: 'A', content: 'no address' }, 400, /^add a\.two\.example\.com A: content/],
      [{ name: 'x.theirs.example.org', type: 'A', content: '192.0.2.1' }, 400, /is not in a zone of this account/],
      [{ name: 'x.absent.example.org', type: 'A', content: '192.0.2.1' }, 400, /is not in a zone of this account/],
      [
        { name: 'a.two.example.com', type: 'A', content: '192.0.2.1', zone: 'one.example.com' },
        400,
        /one\.example\.com/,
      ],
      [{ name: 'two.example.com', type: 'CNAME', content: 'x.example.com' }, 409, /the zone apex cannot be a CNAME/],
      [{ action: 'remove', name: 'two.example.com', type: 'NS' }, 409, /the zone has no NS record/],
      [{ action: 'remove', name: 'two.example.com', type: 'SOA' }, 409, /the zone has no SOA record/],
      [{ name: 'a.two.example.com', type: 'A' }, 400, /content is required/],
      [{ name: `aa.${'a.'.repeat(118)}two.example.com`, type: 'A', content: '192.0.2.1' }, 400, /changes/],
    ] as const) {
      const { message } = await reject(status, { changes: [good, { action: 'add', ...bad }] });
      assert.match(message, expected);
    }
    const set = { name: 'b.one.example.com', type: 'A', content: '192.0.2.1' };
    await reject(400, {
      changes: [
        { action: 'add', ...set },
        { action: 'replace', ...set },
      ],
    });
    await reject(400, {});
    await reject(400, { changes: [good], serials: [{ zone: 'two.example.com', serial: 1 }] });
    assert.deepEqual(await serials(), earlier);
    assert.deepEqual(await lookUp('good.one.example.com', 'A'), []);
  });

  test('are rejected if a zone has another serial than expected', async () => {
    const serial = await serialOf('two.example.com');
    const changes = [{ action: 'add', name: 'if.two.example.com', type: 'TXT', content: 'first' }];
    await apply({ changes, serials: [{ zone: 'Two.example.com.', serial }] });
    const { code, message } = await reject(409, {
      changes: [{ ...changes[0], content: 'second' }],
      serials: [{ zone: 'two.example.com', serial }],
    });
    assert.equal(code, 'state_conflict');
    assert.match(message, new RegExp(`two\\.example\\.com has changed. Its serial is now ${serial + 1}`));
    assert.deepEqual(await lookUp('if.two.example.com', 'TXT'), ['"first"']);
  });

  test('can be previewed without changing anything', async () => {
    const params = {
      changes: [{ action: 'replace', name: 'dry.one.example.com', type: 'TXT', content: 'dry' }],
      addresses: [{ ip: '203.0.113.10', record: 'dry.two.example.com' }],
    };
    const earlier = await serials();
    const preview = await apply({ ...params, dry_run: true });
    assert.deepEqual(
      preview.map(({ zone, applied, added }) => [zone, applied, added.map(({ type }) => type)]),
      [
        ['113.0.203.in-addr.arpa', false, ['PTR']],
        ['one.example.com', false, ['TXT']],
        ['two.example.com', false, ['A']],
      ],
    );
    assert.deepEqual(await serials(), earlier);
    assert.equal(await dns.eventOf('dns.zone.changed', 'dry.one.example.com'), undefined);
    await reject(409, { ...params, dry_run: true, serials: [{ zone: 'one.example.com', serial: 1 }] });
    assert.deepEqual([preview[1]!.serial, preview[2]!.serial], earlier.slice(0, 2).map(String));
    const applied = await apply(params);
    assert.deepEqual(
      applied.map(({ added, removed }) => ({ added, removed })),
      preview.map(({ added, removed }) => ({ added, removed })),
    );
  });

  test('set the name of an address and the address of its name, both or neither', async () => {
    const [ipv4, ipv6] = ['203.0.113.10', '2001:db8:1:1001::9'];
    const name = 'host.one.example.com';
    const reverse = '10.113.0.203.in-addr.arpa';
    const nothingHere = await lookUp(reverse, 'PTR');
    await reject(400, { addresses: [{ ip: ipv4, record: 'host.theirs.example.org' }] });
    await reject(409, {
      addresses: [{ ip: ipv4, record: name }],
      changes: [{ action: 'add', name, type: 'CNAME', content: 'x.example.com' }],
    });
    await reject(404, { addresses: [{ ip: '203.0.113.250', record: name }] });
    assert.deepEqual([await lookUp(reverse, 'PTR'), await lookUp(name, 'A')], [nothingHere, []]);
    await apply({
      addresses: [
        { ip: ipv4, record: name },
        { ip: ipv6, record: name },
      ],
    });
    assert.deepEqual(await lookUp(reverse, 'PTR'), [name]);
    assert.deepEqual([await lookUp(name, 'A'), await lookUp(name, 'AAAA')], [[ipv4], [ipv6]]);
    await reject(400, { addresses: [ipv4, ipv4].map((ip) => ({ ip, record: name })) });
  });

  test('are limited in number', async () => {
    const changes = Array.from({ length: 2001 }, (_, index) => ({
      action: 'add',
      name: `n${index}.one.example.com`,
      type: 'A',
      content: '192.0.2.1',
    }));
    const { fields } = await reject(400, { changes });
    assert.match(fields['changes']!, /1 to 2000 objects with action and name and type, and optionally content/);
  });

  test('of two callers that change the same zones are applied one after the other', async () => {
    const { key } = app.lab.customer;
    const names = ['one.example.com', 'two.example.com'];
    const calls = Array.from({ length: 10 }, (_, index) => {
      const order = index % 2 === 0 ? names : names.toReversed();
      const changes = order.map((zone) => ({ action: 'add', name: `race.${zone}`, type: 'TXT', content: `v${index}` }));
      return request(app, 'POST', path, { key, params: { changes } });
    });
    assert.deepEqual(new Set((await Promise.all(calls)).map(({ status }) => status)), new Set([200]));
    for (const zone of names) assert.equal((await lookUp(`race.${zone}`, 'TXT')).length, 10);
  });
});
