// Reverse names of addresses, on both engines, with dig as the witness.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { applySiteWithReport } from '#app/site/report.ts';
import { dig } from '#drivers/dns/conformance.ts';
import { untilAnswered, withDnsCalls, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { needs } from '#test/support/needs.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

describeOnEngines('reverse names', { ...needs('dig'), postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let dns: DnsCalls;
  let stranger: DnsCalls;
  const lookUp = (name: string, type: string) => dig(app.dns, name, type);

  before(async () => void ({ app, dns, stranger } = await withDnsCalls(openApp({ answersDns: true }))));

  test("customers name their addresses, and see every IPv4 address, the named IPv6 ones, other blocks, and nobody else's", async () => {
    const ipv6 = '2001:0DB8:1:1001:0::7';
    await dns.call('PUT', '/v2/dns/reverse', { ip: '203.0.113.33', record: 'A.Example.com.' });
    assert.deepEqual(await lookUp('33.113.0.203.in-addr.arpa', 'PTR'), ['a.example.com']);
    await dns.call('POST', '/vps/rDNS', { ip: ipv6, record: 'under_score.example.com' });
    for (const record of ['203.0.113.33', '256.256.256.256.'])
      await dns.assertRejected(400, 'POST', '/vps/rDNS', { ip: ipv6, record });
    const nibbles = `7.${'0.'.repeat(15)}1.0.0.1.1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa`;
    assert.deepEqual(await lookUp(nibbles, 'PTR'), ['under_score.example.com']);
    const names = await dns.call<Record<string, string>>('GET', '/v2/dns/reverse/1001', {});
    assert.deepEqual(names, {
      '203.0.113.10': 'No Record Found',
      '203.0.113.32': 'No Record Found',
      '203.0.113.33': 'a.example.com',
      ...Object.fromEntries([34, 35, 36, 37, 38, 39].map((last) => [`203.0.113.${last}`, 'No Record Found'])),
      '2001:db8:1::10/124': 'No Record Found',
      '2001:db8:1:1001::7': 'under_score.example.com',
    });
    for (const ip of ['203.0.113.20', '203.0.113.99', '192.0.2.1', '2001:db8:1:2::1'])
      await dns.assertRejected(404, 'PUT', '/v2/dns/reverse', { ip, record: 'mine.example.com' });
    await dns.assertRejected(404, 'GET', `/v2/dns/reverse/${app.lab.stranger.service}`, {});
    assert.equal(await dns.call('DELETE', '/v2/dns/reverse', { ip: '203.0.113.33' }), 'Record Removed');
    assert.deepEqual(await lookUp('33.113.0.203.in-addr.arpa', 'PTR'), ['NXDOMAIN']);
    await dns.assertRejected(404, 'DELETE', '/v2/dns/reverse', { ip: '203.0.113.33' });
  });

  test('many reverse names are set together or not at all', async () => {
    const records = [
      { ip: '203.0.113.34', record: 'one.example.com' },
      { ip: '2001:db8:1:1001:0:0:0:8', record: 'two.example.com' },
    ];
    const set = await dns.call('POST', '/v2/dns/reverse', { records: JSON.stringify(records) });
    assert.deepEqual(set, { '203.0.113.34': 'one.example.com', '2001:db8:1:1001::8': 'two.example.com' });
    const changed = records.map(({ ip }) => ({ ip, record: 'changed.example.com' }));
    await dns.assertRejected(404, 'POST', '/v2/dns/reverse', {
      records: [...changed, { ip: '203.0.113.20', record: 'x.test' }],
    });
    const again = [...changed, { ip: '2001:db8:1:1001::0:8', record: 'x.test' }];
    const { fields } = await dns.assertRejected(400, 'POST', '/v2/dns/reverse', { records: again });
    assert.match(fields!['records']!, /2001:db8:1:1001::8 twice/);
    assert.deepEqual(await lookUp('34.113.0.203.in-addr.arpa', 'PTR'), ['one.example.com']);
  });

  test('a reverse name is set with its address record, both or neither', async () => {
    const zone = await dns.makeZone('both.example.com');
    const ip = '203.0.113.35';
    await dns.call('PUT', '/v2/dns/reverse', { ip, record: 'host.both.example.com', forward: true });
    await dns.call('PUT', '/v2/dns/reverse', {
      ip: '2001:db8:1::11',
      record: 'host.both.example.com',
      forward: true,
    });
    assert.deepEqual(await lookUp('35.113.0.203.in-addr.arpa', 'PTR'), ['host.both.example.com']);
    assert.deepEqual(await lookUp('host.both.example.com', 'A'), [ip]);
    assert.deepEqual(await lookUp('host.both.example.com', 'AAAA'), ['2001:db8:1::11']);
    await dns.add(zone, 'alias.both.example.com', 'CNAME', 'host.both.example.com');
    const forward = { ip, forward: true };
    await dns.assertRejected(409, 'PUT', '/v2/dns/reverse', { ...forward, record: 'alias.both.example.com' });
    const { fields } = await dns.assertRejected(400, 'PUT', '/v2/dns/reverse', {
      ...forward,
      record: 'x.nowhere.test',
    });
    assert.match(fields!['record']!, /not in a zone of this account/);
    assert.deepEqual(await lookUp('35.113.0.203.in-addr.arpa', 'PTR'), ['host.both.example.com']);
  });

  test('an address loses its name when it is taken away, and its new holder starts without one', async () => {
    await dns.call('PUT', '/v2/dns/reverse', { ip: '203.0.113.36', record: 'mine.example.com' });
    const netblocks = app.site.netblocks!.map((block) =>
      block.cidr === '203.0.113.32/29' ? { ...block, service: 1101 } : block,
    );
    await applySite(app.parts, { ...app.site, netblocks });
    await untilAnswered(() => lookUp('36.113.0.203.in-addr.arpa', 'PTR'), ['NXDOMAIN']);
    await dns.assertRejected(404, 'PUT', '/v2/dns/reverse', { ip: '203.0.113.36', record: 'mine.example.com' });
    const theirs = await stranger.call<Record<string, string>>('GET', '/v2/dns/reverse', {});
    assert.equal(theirs['203.0.113.36'], 'No Record Found');
    await applySite(app.parts, app.site);
  });

  test('reverse zones of blocks smaller than a /24 follow RFC 2317', async () => {
    const netblocks = [
      ...app.site.netblocks!,
      { cidr: '198.51.100.64/26' },
      { cidr: '198.51.100.70/32', service: 1001 },
    ];
    await applySite(app.parts, { ...app.site, netblocks });
    await dns.call('PUT', '/v2/dns/reverse', { ip: '198.51.100.70', record: 'small.example.com' });
    assert.deepEqual(await lookUp('70.64/26.100.51.198.in-addr.arpa', 'PTR'), ['small.example.com']);
    await applySiteWithReport(app.parts, app.site, 'used');
    await untilAnswered(() => lookUp('70.64/26.100.51.198.in-addr.arpa', 'PTR'), ['REFUSED']);
  });
});
