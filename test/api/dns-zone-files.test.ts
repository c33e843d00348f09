// Zone files and versions of zones, on both engines: imports, removals of several records, and a restored version.
// dig checks them.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sampleOwner, sampleRecords, dig } from '#drivers/dns/conformance.ts';
import { dnsCalls, readSerial, withDnsCalls, type Difference, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { createTsigKey, nsupdate } from '#test/support/dns-updates.ts';
import { needs } from '#test/support/needs.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { createKey, requestResult } from '#test/support/request.ts';

describeOnEngines('zone files and versions', { ...needs('dig'), postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let dns: DnsCalls;
  const lookUp = (name: string, type: string) => dig(app.dns, name, type);
  const withoutSerial = (file: string) => file.replace(/\d{10}/, '');
  const versionsOf = (domain: string) =>
    dns.call<{ version: string; operation: string }[]>('GET', '/v2/dns/history', { domain });

  before(async () => void ({ app, dns } = await withDnsCalls(openApp({ answersDns: true }))));

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
    assert.deepEqual([code, fields], ['state_conflict', { serial: `is now ${Number(tried.serial) + 1}` }]);
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
    const versions = await versionsOf(zone);
    assert.equal(versions[0]!.operation, 'v2.recordDeleteMany');
    await dns.call('POST', '/v2/dns/history', { domain: zone, version: versions[1]!.version });
    assert.deepEqual(await lookUp('b.bulk.example.com', 'A'), ['192.0.2.1']);
  });

  test('an earlier version is restored by one call, with a new serial, and that is a version too', async () => {
    const zone = await dns.makeZone('past.example.com');
    await dns.add(zone, 'www.past.example.com', 'A', '192.0.2.1');
    const [{ version } = { version: '' }] = await versionsOf(zone);
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
    assert.equal(withoutSerial(await dns.zoneFile(zone)), withoutSerial(then));
    const versions = await versionsOf(zone);
    assert.equal(versions[0]!.operation, 'v2.zoneRollBack');
    await dns.call('POST', '/v2/dns/history', { domain: zone, version: versions[1]!.version });
    assert.deepEqual(await lookUp('past.example.com', 'MX'), ['10 mail.example.net']);
    await dns.assertRejected(404, 'POST', '/v2/dns/history', { domain: zone, version: 999 });
  });

  test('the history shows who made each version of a zone', needs('nsupdate'), async () => {
    const { lab } = app;
    const opened = { params: { email: lab.customer.email, password: lab.customer.password } };
    const { key: session } = await requestResult<{ key: string }>(app, 'POST', '/v2/session', opened);
    const { key: named } = await createKey(app, lab.customer.key, {
      name: 'deploy',
      scopes: ['dns:write', 'dns:read'],
    });
    const tool = await createTsigKey(app, lab.customer.key, { name: 'host 1' });
    const authored = await dns.makeZone('authors.example.com');
    const at = (label: string) => `${label}.authors.example.com`;
    await dnsCalls(app, session).add(authored, at('person'), 'A', '192.0.2.1');
    await dnsCalls(app, named).add(authored, at('key'), 'A', '192.0.2.1');
    assert.equal(await nsupdate(app.dns, tool, 'authors.example.com', [`add ${at('tool')} 60 A 192.0.2.1`]), 'NOERROR');
    const authors = async (calls: DnsCalls) =>
      (await calls.call<{ author: object }[]>('GET', '/v2/dns/history', { domain: authored })).map(
        ({ author }) => author,
      );
    assert.deepEqual((await authors(dns)).slice(0, 3), [
      { kind: 'tsig', name: 'host 1' },
      { kind: 'key', name: 'deploy' },
      { kind: 'person', name: 'Ada Winter' },
    ]);
    const { key: limited } = await createKey(app, lab.customer.key, {
      scopes: ['dns:read'],
      dns: [{ zones: ['authors.example.com'], types: ['A'] }],
    });
    assert.deepEqual((await authors(dnsCalls(app, limited)))[0], { kind: 'unknown', name: '' });
  });
});
