// Zones, records and reverse names, on both engines. dig checks every change: the response must match what the world
// sees.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { applySiteWithReport } from '#app/site/report.ts';
import { sampleOwner, sampleRecords, dig } from '#drivers/dns/conformance.ts';
import {
  readSerial,
  withDnsCalls,
  type Difference,
  type DnsCalls,
  type ListedRecord,
  untilAnswered,
} from '#test/support/dns-fixtures.ts';
import { needs } from '#test/support/needs.ts';
import { requestResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

interface Dnssec {
  status: string;
  ds: string[];
  cds?: string;
  keys?: { tag: string; state: string }[];
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
    const back = await dns.assertRejected(400, 'POST', '/v2/dns/record', {
      domain: zone,
      record: 'soa.example.com',
      type: 'SOA',
      content: soa(now - 1),
    });
    assert.match(back.fields!['content']!, new RegExp(`would decrease the serial, which is ${now} now`));
    await dns.add(zone, 'soa.example.com', 'SOA', soa(now));
    assert.deepEqual(await lookUp('soa.example.com', 'SOA'), [soa(now + 1)]);
    await dns.add(zone, 'soa.example.com', 'SOA', soa(now + 100));
    assert.deepEqual(await lookUp('soa.example.com', 'SOA'), [soa(now + 100)]);
    const record = await dns.idOf(zone, 'soa.example.com', 'SOA');
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

  test('a zone file with every type is restored unchanged, in the same zone and in a new one', async () => {
    const zone = await dns.makeZone('file.example.com');
    for (const [type, content] of Object.entries(sampleRecords)) {
      if (type !== 'TYPE65280') await dns.add(zone, sampleOwner('file.example.com', type), type, content);
    }
    const unnamed = `type65280 TYPE65280 ${sampleRecords.TYPE65280}\n`;
    const { added } = await dns.importFile(zone, (await dns.zoneFile(zone)) + unnamed);
    assert.deepEqual(added, [
      { name: 'type65280.file.example.com', type: 'TYPE65280', ttl: '3600', content: sampleRecords.TYPE65280 },
    ]);
    assert.deepEqual(await lookUp('type65280.file.example.com', 'TYPE65280'), [sampleRecords.TYPE65280]);
    const file = await dns.zoneFile(zone);
    const nothing = {
      added: [],
      removed: [],
      applied: true,
      serial: String(await readSerial(app.dns, 'file.example.com')),
    };
    assert.deepEqual(await dns.importFile(zone, file), nothing);
    assert.equal(await dns.zoneFile(zone), file);
    await dns.call('DELETE', '/v2/dns/domain', { domain: zone });
    const again = await dns.makeZone('file.example.com');
    await dns.importFile(again, file);
    const withoutSerial = (text: string) => text.replace(/\d{10}/, '');
    assert.equal(withoutSerial(await dns.zoneFile(again)), withoutSerial(file));
    assert.deepEqual(await lookUp('txt.file.example.com', 'TXT'), [sampleRecords.TXT]);
  });

  test('an import previews its changes, is all or nothing, and names every problem with its line', async () => {
    const zone = await dns.makeZone('import.example.com');
    await dns.add(zone, 'old.import.example.com', 'A', '192.0.2.1');
    const file = '$TTL 300\n@ NS ns1.example.net.\nnew A 192.0.2.2\n* TXT "any"\n';
    const before = await dns.zoneFile(zone);
    const tried = await dns.importFile(zone, file, { dry_run: true });
    assert.equal(await dns.zoneFile(zone), before);
    assert.deepEqual(tried.added.map(({ name, type, ttl }) => `${name} ${type} ${ttl}`).sort(), [
      '*.import.example.com TXT 300',
      'import.example.com NS 300',
      'new.import.example.com A 300',
    ]);
    assert.equal(tried.applied, false);
    for (const [text, status, reason] of [
      ['@ NS ns1.example.net.\na A 1.2.3\nb MX mail\n', 400, /line 2, column 5: .*line 3, column 6: /],
      ['a A 192.0.2.1\n', 400, /has no NS record/],
      ['@ NS ns1.example.net.\na CNAME b\na A 192.0.2.1\n', 400, /CNAME cannot coexist/],
      ['@ NS ns1.example.net.\nwww.example.org. A 192.0.2.1\n', 400, /outside the zone/],
      ['@ 604801 NS ns1.example.net.\n', 400, /0 to 604800/],
      ['@ NS ns1.example.net.\na NSEC3PARAM 1 0 0 -\n', 400, /generates/],
      ['@ NS ns1.example.net.\na OPT x\n', 400, /line 2, column 3: records of type OPT are not supported/],
      ['@ NS ns1.example.net.\na NSEC b A\n', 422, /generated/],
    ] as const) {
      const { fields } = await dns.assertRejected(status, 'POST', '/v2/dns/zonefile', {
        domain: zone,
        zonefile: text,
      });
      assert.match(fields!['zonefile']!, reason);
    }
    assert.equal(await dns.zoneFile(zone), before);
    await dns.add(zone, 'meanwhile.import.example.com', 'A', '192.0.2.9');
    const looked = { domain: zone, zonefile: file, serial: tried.serial };
    const { code, fields } = await dns.assertRejected(409, 'POST', '/v2/dns/zonefile', looked);
    assert.deepEqual([code, fields], ['state_conflict', { serial: `is ${Number(tried.serial) + 1} now` }]);
    assert.deepEqual(await lookUp('meanwhile.import.example.com', 'A'), ['192.0.2.9']);
    const again = await dns.importFile(zone, file, { dry_run: true });
    const done = await dns.importFile(zone, file, { serial: again.serial });
    assert.deepEqual({ ...done, applied: false, serial: '' }, { ...again, serial: '' });
    assert.deepEqual(await lookUp('new.import.example.com', 'A'), ['192.0.2.2']);
    assert.deepEqual(await lookUp('anything.import.example.com', 'TXT'), ['"any"']);
    assert.deepEqual(await lookUp('old.import.example.com', 'A'), []);
  });

  test('several records are removed together or not at all, as one version that is restored as one', async () => {
    const zone = await dns.makeZone('bulk.example.com');
    for (const name of ['a', 'b', 'c']) await dns.add(zone, `${name}.bulk.example.com`, 'A', '192.0.2.1');
    const present = await dns.records(zone);
    const ids = (type: string) => present.filter((record) => record.type === type).map(({ id }) => id);
    const remove = (records: readonly string[], status: number) =>
      dns.assertRejected(status, 'DELETE', '/v2/dns/records', { domain: zone, records });
    const before = await dns.zoneFile(zone);
    await remove([], 400);
    await remove([...ids('A'), '999999999'], 404);
    assert.match((await remove([...ids('A'), ...ids('SOA')], 409)).message, /keep its SOA/);
    assert.match((await remove([...ids('A'), ...ids('NS')], 409)).message, /at least one NS/);
    assert.equal(await dns.zoneFile(zone), before);
    const removal = await dns.call<Difference>('DELETE', '/v2/dns/records', {
      domain: zone,
      records: [...ids('A').slice(1), ...ids('NS').slice(1)],
    });
    assert.deepEqual([removal.added.length, removal.removed.length], [0, 1 + ids('NS').length]);
    assert.deepEqual(await lookUp('b.bulk.example.com', 'A'), ['NXDOMAIN']);
    assert.deepEqual(await lookUp('a.bulk.example.com', 'A'), ['192.0.2.1']);
    const versions = await dns.call<{ version: string; operation: string }[]>('GET', '/v2/dns/history', {
      domain: zone,
    });
    assert.equal(versions[0]!.operation, 'v2.recordDeleteMany');
    await dns.call('POST', '/v2/dns/history', { domain: zone, version: versions[1]!.version });
    assert.deepEqual(await lookUp('b.bulk.example.com', 'A'), ['192.0.2.1']);
  });

  test('an earlier version is restored by one call, with a new serial, and that is a version too', async () => {
    const zone = await dns.makeZone('past.example.com');
    await dns.add(zone, 'www.past.example.com', 'A', '192.0.2.1');
    const [{ version } = { version: '' }] = await dns.call<{ version: string }[]>('GET', '/v2/dns/history', {
      domain: zone,
    });
    const then = await dns.zoneFile(zone);
    const record = await dns.idOf(zone, 'www.past.example.com', 'A');
    await dns.call('PUT', '/v2/dns/record', { domain: zone, record, content: '192.0.2.2', ttl: 60 });
    await dns.add(zone, 'past.example.com', 'MX', '10 mail.example.net');
    await dns.call('DELETE', '/v2/dns/record', { domain: zone, record });
    const serial = await readSerial(app.dns, 'past.example.com');
    const back = await dns.call<Difference>('POST', '/v2/dns/history', { domain: zone, version });
    assert.equal(Number(back.serial), serial + 1);
    assert.deepEqual(await lookUp('www.past.example.com', 'A'), ['192.0.2.1']);
    assert.deepEqual(await lookUp('past.example.com', 'MX'), []);
    const withoutSerial = (file: string) => file.replace(/\d{10}/, '');
    assert.equal(withoutSerial(await dns.zoneFile(zone)), withoutSerial(then));
    const versions = await dns.call<{ version: string; operation: string }[]>('GET', '/v2/dns/history', {
      domain: zone,
    });
    assert.equal(versions[0]!.operation, 'v2.zoneRollBack');
    await dns.call('POST', '/v2/dns/history', { domain: zone, version: versions[1]!.version });
    assert.deepEqual(await lookUp('past.example.com', 'MX'), ['10 mail.example.net']);
    await dns.assertRejected(404, 'POST', '/v2/dns/history', { domain: zone, version: 999 });
  });

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
    assert.match(fields!['record']!, /no zone of this account/);
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

  test('events report what happened, and to what', async () => {
    const zone = await dns.makeZone('told.example.com');
    await dns.add(zone, 'www.told.example.com', 'A', '192.0.2.1');
    const log = await dns.call<{ events: { type: string; data: Record<string, string> }[] }>('GET', '/v2/event', {
      limit: 1000,
    });
    const [created, added] = log.events.slice(-2);
    assert.deepEqual([created!.type, created!.data['name']], ['dns.zone.created', 'told.example.com']);
    assert.deepEqual([added!.type, added!.data['content']], ['dns.record.created', '192.0.2.1']);
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
    assert.match(conflict.message, /DNSKEY records of yours/);
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
});
