// Zones and records, on both engines. dig checks every change: the response must match what the world sees.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createZoneSigning } from '#app/dns/dnssec-zones.ts';
import { applySite } from '#app/site/apply.ts';
import { sampleOwner, sampleRecords, dig } from '#drivers/dns/conformance.ts';
import type { AccountId } from '#store/account-id.ts';
import { readSerial, withDnsCalls, type DnsCalls, type ListedRecord } from '#test/support/dns-fixtures.ts';
import { needs } from '#test/support/needs.ts';
import { requestResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

interface Dnssec {
  status: string;
  ds: string[];
  cds?: string;
  keys?: { tag: string; state: string }[];
  rollover?: string;
}

describeOnEngines('DNS', { ...needs('dig'), postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let dns: DnsCalls;
  let stranger: DnsCalls;
  const lookUp = (name: string, type: string) => dig(app.dns, name, type);

  before(async () => void ({ app, dns, stranger } = await withDnsCalls(openApp({ answersDns: true }))));

  test("a new zone has the provider's SOA and name servers, and is deleted with all its records", async () => {
    const zone = await dns.makeZone('Born.Example.COM.');
    assert.deepEqual(await lookUp('born.example.com', 'NS'), ['ns1.example.net', 'ns2.example.net']);
    assert.match((await lookUp('born.example.com', 'SOA'))[0]!, /^ns1\.example\.net hostmaster\.example\.net \d{10} /);
    const zones = await dns.call<Record<string, string>[]>('GET', '/v2/dns/domain', {});
    assert.deepEqual(zones.at(-1), { domain_id: zone, name: 'born.example.com', client: '1', subclient: 0 });
    assert.equal(await dns.call('DELETE', '/v2/dns/domain', { domain: zone }), `ID: ${zone} removed`);
    assert.deepEqual(await lookUp('born.example.com', 'SOA'), ['REFUSED']);
    await dns.assertRejected(404, 'GET', `/v2/dns/record/${zone}`, {});
  });

  test('every record type is added, answered, updated in place and removed, each with a new serial', async () => {
    const zone = await dns.makeZone('types.example.com');
    // Types without a name are accepted in zone files and by the doors of other tools.
    const { TYPE65280: _, ...named } = sampleRecords;
    for (const [type, content] of Object.entries(named)) {
      const name = sampleOwner('types.example.com', type);
      const serial = await readSerial(app.dns, 'types.example.com');
      assert.equal(await dns.add(zone, name, type, content), 'Record Added');
      // A delegation is answered in the authority section.
      if (type !== 'NS') assert.deepEqual(await lookUp(name, type), [content], type);
      assert.equal(await readSerial(app.dns, 'types.example.com'), serial + 1);
    }
    const record = await dns.idOf(zone, 'a.types.example.com', 'A');
    const changed = await dns.call('PUT', '/v2/dns/record', { domain: zone, record, content: '192.0.2.99', ttl: 60 });
    assert.equal(changed, 'Record Updated');
    assert.deepEqual(await lookUp('a.types.example.com', 'A'), ['192.0.2.99']);
    assert.equal(await dns.idOf(zone, 'a.types.example.com', 'A'), record);
    assert.equal(await dns.call('DELETE', '/v2/dns/record', { domain: zone, record }), `ID: ${record} removed`);
    assert.deepEqual(await lookUp('a.types.example.com', 'A'), ['NXDOMAIN']);
  });

  test('the SOA is replaced, never removed, and its serial never decreases', async () => {
    const zone = await dns.makeZone('soa.example.com');
    const now = await readSerial(app.dns, 'soa.example.com');
    const soa = (serial: number) => `ns9.example.net me.example.net ${serial} 7200 600 86400 300`;
    await dns.add(zone, 'soa.example.com', 'SOA', soa(1));
    assert.deepEqual(await lookUp('soa.example.com', 'SOA'), [soa(now + 1)], 'an older serial is replaced by the next');
    await dns.add(zone, 'soa.example.com', 'SOA', soa(now + 1));
    assert.deepEqual(await lookUp('soa.example.com', 'SOA'), [soa(now + 2)]);
    await dns.add(zone, 'soa.example.com', 'SOA', soa(now + 100));
    assert.deepEqual(await lookUp('soa.example.com', 'SOA'), [soa(now + 100)]);
    const record = await dns.idOf(zone, 'soa.example.com', 'SOA');
    await dns.call('PUT', '/v2/dns/record', { domain: zone, record, content: soa(2) });
    assert.deepEqual(await lookUp('soa.example.com', 'SOA'), [soa(now + 101)]);
    await dns.assertRejected(409, 'DELETE', '/v2/dns/record', { domain: zone, record });
    assert.equal((await dns.records(zone)).filter(({ type }) => type === 'SOA').length, 1);
  });

  test('an RRset has one TTL, that of the set or the one given last', async () => {
    const zone = await dns.makeZone('ttl.example.com');
    await dns.add(zone, 'www.ttl.example.com', 'A', '192.0.2.1', { ttl: 300 });
    await dns.add(zone, 'www.ttl.example.com', 'A', '192.0.2.2', { ttl: 120 });
    const times = async () =>
      (await dns.records(zone)).filter(({ type }) => type === 'A').map(({ content, ttl }) => `${content} ${ttl}`);
    assert.deepEqual(await times(), ['192.0.2.1 120', '192.0.2.2 120']);
    await dns.add(zone, 'www.ttl.example.com', 'A', '192.0.2.3');
    assert.deepEqual(await times(), ['192.0.2.1 120', '192.0.2.2 120', '192.0.2.3 120']);
    await dns.add(zone, 'www.ttl.example.com', 'A', '192.0.2.4', { ttl: 0 });
    assert.deepEqual(new Set((await times()).map((text) => text.split(' ')[1])), new Set(['0']));
    await dns.call('PUT', '/v2/dns/reverse', { ip: '203.0.113.35', record: 'www.ttl.example.com', forward: true });
    assert.deepEqual((await times()).at(-1), '203.0.113.35 0', 'an address record that a reverse name brings along');
    await dns.importFile(zone, '@ 0 NS ns1.example.net.\nsoon 0 A 192.0.2.5\n');
    assert.deepEqual(await times(), ['192.0.2.5 0']);
    await dns.call('DELETE', '/v2/dns/reverse', { ip: '203.0.113.35' });
  });

  test('names with underscores, stars and other top-level domains are accepted and answered', async () => {
    const zone = await dns.makeZone('names.example.com');
    for (const label of ['mail_2020._domainkey', '_', 'a-*', 'b.*', '*.*', '*.c', 'x_', '_a_b-c', 'xn--p1ai.123-4'])
      await dns.add(zone, `${label}.names.example.com`, 'TXT', `at ${label}`);
    assert.deepEqual(await lookUp('mail_2020._domainkey.names.example.com', 'TXT'), ['"at mail_2020._domainkey"']);
    assert.deepEqual(await lookUp('a-*.names.example.com', 'TXT'), ['"at a-*"']);
    assert.deepEqual(await lookUp('a-x.names.example.com', 'TXT'), [], 'only a whole label is a wildcard');
    assert.deepEqual(await lookUp('b.x.names.example.com', 'TXT'), [], 'only the first label is a wildcard');
    assert.deepEqual(await lookUp('b.*.names.example.com', 'TXT'), ['"at b.*"']);
    await dns.assertRejected(400, 'POST', '/v2/dns/domain', { domain: 'xn--e1afmkfd.xn--p1ai' });
    await applySite(app.parts, { ...app.site, provider: { ...app.site.provider, lastLabel: 63 } });
    const international = await dns.makeZone('xn--e1afmkfd.xn--p1ai');
    await dns.add(international, 'www.xn--e1afmkfd.xn--p1ai', 'A', '192.0.2.1');
    assert.deepEqual(await lookUp('www.xn--e1afmkfd.xn--p1ai', 'A'), ['192.0.2.1']);
    await applySite(app.parts, app.site);
  });

  test('a new zone lets resolvers forget for five minutes that a name does not exist', async () => {
    await dns.makeZone('negative.example.com');
    assert.match((await lookUp('negative.example.com', 'SOA'))[0]!, / 300$/);
  });

  test('nothing exists below a DNAME, and a name has one', async () => {
    const zone = await dns.makeZone('dname.example.com');
    const at = (name: string) => `${name}.dname.example.com`;
    await dns.add(zone, at('moved'), 'DNAME', 'new.elsewhere.test');
    await dns.add(zone, at('moved'), 'TXT', 'beside it');
    await dns.add(zone, at('a.full'), 'A', '192.0.2.1');
    const reject = (record: string, type: string, content: string) =>
      dns.assertRejected(409, 'POST', '/v2/dns/record', { domain: zone, record, type, content });
    assert.match((await reject(at('www.moved'), 'A', '192.0.2.1')).message, /DNAME at moved\.dname\.example\.com/);
    assert.match((await reject(at('full'), 'DNAME', 'x.test')).message, /a\.full\.dname\.example\.com/);
    assert.match((await reject(at('moved'), 'DNAME', 'x.test')).message, /only one DNAME/);
    assert.match((await reject(at('moved'), 'CNAME', 'x.test')).message, /CNAME/);
    await dns.assertRejected(409, 'POST', '/v2/dns/record', {
      domain: zone,
      record: 'dname.example.com',
      type: 'DNAME',
      content: 'x.test',
    });
    const file = '@ NS ns1.example.net.\nd DNAME x.test.\nwww.d A 192.0.2.1\n';
    const { fields } = await dns.assertRejected(400, 'POST', '/v2/dns/zonefile', { domain: zone, zonefile: file });
    assert.match(fields!['zonefile']!, /www\.d\.dname\.example\.com A: .*below the DNAME/);
    assert.deepEqual(await lookUp(at('moved'), 'DNAME'), ['new.elsewhere.test']);
    assert.deepEqual(await lookUp(at('www.moved'), 'CNAME'), ['www.new.elsewhere.test'], 'RFC 6672');
  });

  test('invalid input is rejected with parameter and reason, and changes nothing', async () => {
    const zone = await dns.makeZone('bad.example.com');
    const foreign = await stranger.makeZone('theirs.example.org');
    await dns.add(zone, 'taken.bad.example.com', 'A', '192.0.2.1');
    await dns.add(zone, 'alias.bad.example.com', 'CNAME', 'www.elsewhere.test');
    const before = await dns.zoneFile(zone);
    const www = { domain: zone, record: 'www.bad.example.com' };
    const cases: [status: number, params: object, field: string | undefined, reason: RegExp][] = [
      [400, { ...www, type: 'CNAME', content: '192.0.2.1' }, 'content', /target/],
      [400, { ...www, type: 'A', content: '2001:db8::1' }, 'content', /must be an IPv4 address/],
      [400, { ...www, type: 'AAAA', content: '192.0.2.1' }, 'content', /must be an IPv6 address/],
      [400, { ...www, type: 'MX', content: 'mail.example.com' }, 'content', /priority/],
      [400, { ...www, type: 'TXT', content: '"broken' }, 'content', /quote is not closed/],
      [400, { ...www, type: 'TXT', content: 'a "b' }, 'content', /quote/],
      [400, { ...www, type: 'A', content: '192.0.2.1', ttl: 604_801 }, 'ttl', /0 to 604800/],
      [400, { ...www, type: 'TYPO', content: 'x.example.com' }, 'type', /must be one of A, AAAA, NS, .*TXT, .*CAA/],
      [400, { ...www, type: 'ANY', content: 'x.example.com' }, 'type', /must be one of/],
      [400, { ...www, type: 'CDS', content: '0 0 0 00' }, 'record', /only at the zone apex/],
      [400, { ...www, type: 'CAA', content: '0 issue' }, 'content', /value is missing/],
      [400, { domain: zone, record: 'www.example.org', type: 'A', content: '192.0.2.1' }, 'record', /outside the zone/],
      [400, { domain: zone, record: 'x.bad.example.com', type: 'SOA', content: 'a. b. 1 1 1 1 1' }, 'record', /apex/],
      [409, { domain: zone, record: 'taken.bad.example.com', type: 'CNAME', content: 'x.test' }, 'type', /CNAME/],
      [409, { domain: zone, record: 'bad.example.com', type: 'CNAME', content: 'x.test' }, 'type', /CNAME/],
      [409, { domain: zone, record: 'alias.bad.example.com', type: 'A', content: '192.0.2.1' }, 'type', /CNAME/],
      [409, { domain: zone, record: 'taken.bad.example.com', type: 'A', content: '192.0.2.1' }, undefined, /already/],
      [422, { ...www, type: 'RRSIG', content: 'x' }, 'type', /generated/],
      [422, { ...www, type: 'NSEC', content: 'x' }, 'type', /generated/],
      [404, { domain: foreign, record: 'www.theirs.example.org', type: 'A', content: '192.0.2.1' }, undefined, /./],
    ];
    for (const [status, params, field, reason] of cases) {
      const { fields, message } = await dns.assertRejected(status, 'POST', '/v2/dns/record', { ...params });
      assert.match(field === undefined ? message : (fields?.[field] ?? ''), reason, JSON.stringify(params));
    }
    assert.equal(await dns.zoneFile(zone), before);
    assert.deepEqual(await lookUp('www.bad.example.com', 'A'), ['NXDOMAIN']);
  });

  test("a zone of another account, a part of it, or a part of the provider's zone cannot be created", async () => {
    await stranger.makeZone('owned.example.org');
    for (const domain of ['owned.example.org', 'sub.owned.example.org', 'in-addr.arpa', '9.113.0.203.in-addr.arpa'])
      await dns.assertRejected(409, 'POST', '/v2/dns/domain', { domain });
    const long = await dns.assertRejected(400, 'POST', '/v2/dns/domain', { domain: 'example.technology' });
    assert.match(long.fields!['domain']!, /2 to 6 letters/);
    const provider = { ...app.site.provider, lastLabel: 63 };
    await applySite(app.parts, { ...app.site, provider });
    await dns.makeZone('example.technology');
    await applySite(app.parts, app.site);
  });

  test('the legacy API accepts relative names and @, and returns ids', async () => {
    const { key } = app.lab.customer;
    const post = (path: string, form: Record<string, string>) =>
      requestResult<string>(app, 'POST', path, { key, form });
    const zone = await post('/dns/domain', { name: 'old.example.com' });
    const record = await post(`/dns/domain/${zone}`, { name: 'www', type: 'A', content: '192.0.2.5', ttl: '300' });
    await post(`/dns/domain/${zone}`, { name: '@', type: 'A', content: '192.0.2.6' });
    await post(`/dns/domain/${zone}`, { name: 'full.old.example.com', type: 'PTR', content: 'x.example.com.' });
    assert.deepEqual(await lookUp('www.old.example.com', 'A'), ['192.0.2.5']);
    assert.deepEqual(await lookUp('old.example.com', 'A'), ['192.0.2.6']);
    assert.deepEqual(await lookUp('full.old.example.com', 'PTR'), ['x.example.com']);
    const list = await requestResult<ListedRecord[]>(app, 'GET', `/dns/domain/${zone}`, { key });
    const entry = list.find(({ id }) => id === record);
    const expected = {
      id: record,
      domain_id: zone,
      name: 'www.old.example.com',
      type: 'A',
      content: '192.0.2.5',
      ttl: '300',
    };
    assert.deepEqual(entry, expected);
  });

  test('lists are paged', async () => {
    const zone = await dns.makeZone('pages.example.com');
    for (const last of [1, 2, 3]) await dns.add(zone, `a${last}.pages.example.com`, 'A', `192.0.2.${last}`);
    const all = await dns.records(zone);
    const page: ListedRecord[] = [];
    for (let next = ''; page.length < all.length; next = page.at(-1)!.id) {
      const params = { limit: 2, ...(next === '' ? {} : { after: next }) };
      page.push(...(await dns.call<ListedRecord[]>('GET', `/v2/dns/record/${zone}`, params)));
    }
    assert.deepEqual(page, all);
    const [first] = await dns.call<{ domain_id: string }[]>('GET', '/v2/dns/domain', { limit: 1 });
    const [second] = await dns.call<{ domain_id: string }[]>('GET', '/v2/dns/domain', {
      limit: 1,
      after: first!.domain_id,
    });
    assert.ok(Number(second!.domain_id) > Number(first!.domain_id));
  });

  test('events report what happened, and to what', async () => {
    const zone = await dns.makeZone('told.example.com');
    await dns.add(zone, 'www.told.example.com', 'A', '192.0.2.1');
    await dns.add(zone, 'told.example.com', 'SOA', 'ns9.example.net me.example.net 1 7200 600 86400 300');
    const log = await dns.call<{ events: { type: string; data: Record<string, string> }[] }>('GET', '/v2/event', {
      limit: 1000,
    });
    const [created, added, changed] = log.events.slice(-3);
    assert.deepEqual([created!.type, created!.data['name']], ['dns.zone.created', 'told.example.com']);
    assert.deepEqual([added!.type, added!.data['content']], ['dns.record.created', '192.0.2.1']);
    const [soa] = await lookUp('told.example.com', 'SOA');
    assert.deepEqual([changed!.type, changed!.data['content']], ['dns.record.changed', soa]);
  });

  test('a zone that is deleted and created again continues its serials, so that secondaries notice', async () => {
    const name = 'again.example.com';
    const first = await dns.makeZone(name);
    for (const host of ['a', 'b']) await dns.add(first, `${host}.${name}`, 'A', '192.0.2.1');
    const last = await readSerial(app.dns, name);
    await dns.call('DELETE', '/v2/dns/domain', { domain: first });
    await dns.makeZone(name);
    assert.ok((await readSerial(app.dns, name)) > last);
  });

  test('many concurrent changes to one zone all take effect, each with its own serial', async () => {
    const zone = await dns.makeZone('busy.example.com');
    const serial = await readSerial(app.dns, 'busy.example.com');
    const hosts = Array.from({ length: 30 }, (_, index) => index);
    await Promise.all(hosts.map((host) => dns.add(zone, `h${host}.busy.example.com`, 'A', `192.0.2.${host}`)));
    assert.equal(await readSerial(app.dns, 'busy.example.com'), serial + hosts.length);
    assert.equal((await dns.records(zone)).length, 3 + hosts.length);
  });

  test('DNSSEC is enabled and disabled, and the name server alone writes keys into a signed zone', async () => {
    const zone = await dns.makeZone('signed.example.com');
    const call = (method: string, more: Record<string, unknown> = {}) =>
      dns.call<Dnssec>(method, '/v2/dns/dnssec', { domain: zone, ...more });
    assert.deepEqual(await call('GET'), { status: 'off', ds: [] });
    const own = await dns.add(zone, 'signed.example.com', 'DNSKEY', sampleRecords.DNSKEY);
    assert.equal(own, 'Record Added');
    const conflict = await dns.assertRejected(409, 'PUT', '/v2/dns/dnssec', { domain: zone });
    assert.match(conflict.message, /your own DNSKEY records/);
    const record = await dns.idOf(zone, 'signed.example.com', 'DNSKEY');
    await dns.call('DELETE', '/v2/dns/record', { domain: zone, record });

    const serial = await readSerial(app.dns, 'signed.example.com');
    const on = await call('PUT');
    assert.match(on.ds.join(), /^\d+ 13 2 [0-9a-f]{64}$/i);
    assert.deepEqual([on.status, on.cds, on.keys?.map(({ state }) => state)], ['on', 'publish', ['active']]);
    assert.deepEqual(await call('PUT'), on, 'enabling again keeps the key');
    assert.deepEqual(
      (await lookUp('signed.example.com', 'CDS')).map((ds) => ds.toLowerCase()),
      on.ds.map((ds) => ds.toLowerCase()),
    );
    assert.equal((await lookUp('signed.example.com', 'DNSKEY')).length, 1);
    assert.ok((await readSerial(app.dns, 'signed.example.com')) > serial);
    assert.equal((await dns.eventOf('dns.dnssec.changed', 'signed.example.com'))?.['change'], 'enabled');
    await stranger.assertRejected(404, 'GET', '/v2/dns/dnssec', { domain: zone });
    const params = { domain: zone, record: 'signed.example.com', type: 'DNSKEY', content: sampleRecords.DNSKEY };
    assert.equal((await dns.assertRejected(422, 'POST', '/v2/dns/record', params)).code, 'computed_record');
    const file = { domain: zone, zonefile: `@ 3600 NS ns1.example.net.\n@ 3600 DNSKEY ${sampleRecords.DNSKEY}\n` };
    assert.match((await dns.assertRejected(422, 'POST', '/v2/dns/zonefile', file)).message, /^Line 2: /);

    const withdrawn = await call('POST', { action: 'withdraw' });
    assert.equal(withdrawn.cds, 'delete');
    assert.deepEqual(await lookUp('signed.example.com', 'CDS'), ['0 0 0 00']);
    await dns.assertRejected(409, 'POST', '/v2/dns/dnssec', { domain: zone, action: 'rollover' });
    assert.deepEqual(await call('PUT'), on);
    assert.equal(
      (await dns.call<unknown[]>('GET', '/v2/dns/history', { domain: zone })).length,
      3,
      'records have changed twice',
    );
    assert.deepEqual(await call('DELETE', { force: true }), { status: 'off', ds: [] });
    assert.deepEqual(await lookUp('signed.example.com', 'DNSKEY'), []);
    assert.equal(await dns.add(zone, 'signed.example.com', 'DNSKEY', sampleRecords.DNSKEY), 'Record Added');
  });

  test('a key rollover does not continue after its zone was signed anew', async () => {
    const zone = await dns.makeZone('anew.example.com');
    const call = (method: string, more: Record<string, unknown> = {}) =>
      dns.call<Dnssec>(method, '/v2/dns/dnssec', { domain: zone, ...more });
    await call('PUT');
    const { rollover: former } = await call('POST', { action: 'rollover' });
    await call('DELETE', { force: true });
    await call('PUT');
    const current = await call('POST', { action: 'rollover' });
    const signing = createZoneSigning(app.parts);
    const target = { account: Number(app.lab.customer.account) as AccountId, zone: Number(zone) };
    assert.equal(await signing.addKey(target, former!), undefined);
    await app.parts.store.transaction((queries) => signing.finish(queries, target, former!, false));
    assert.deepEqual(await call('GET'), current);
  });
});
