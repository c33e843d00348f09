// ALIAS records, which are answered with the addresses that the public DNS has for their targets, on both engines.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { dig } from '#drivers/dns/conformance.ts';
import type { TestApp } from '#test/support/app.ts';
import { readSerial, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { needs } from '#test/support/needs.ts';
import { freePort } from '#test/support/ports.ts';
import type { PowerDns } from '#test/support/powerdns.ts';
import { startResolver } from '#test/support/public-dns.ts';
import { publicNames } from '#test/support/public-names.ts';

const options = { ...needs('dig', 'unbound', 'pdns_server'), postgres: 'in long runs' } as const;

describeOnEngines('ALIAS records', options, (suite) => {
  const names = publicNames(suite, { delegated: [], elsewhere: ['lost.com', 'corp.com'] });
  const { useResolvers, serveElsewhere, setAddress, refreshAliases } = names;
  let app: TestApp;
  let dns: DnsCalls;
  let stranger: DnsCalls;
  let elsewhere: PowerDns;
  before(() => void ({ app, dns, stranger, elsewhere } = names));

  test('an ALIAS at the apex is answered with the addresses of its target, which are no records of the customer', async () => {
    await setAddress('edge', '9.9.9.9', '9.9.9.10');
    await elsewhere.util('add-record', 'cdn.com', 'edge', 'AAAA', '3000', '2620:fe::fe');
    await elsewhere.util('add-record', 'cdn.com', 'www', 'CNAME', '3000', 'edge.cdn.com');
    const zone = await dns.makeZone('apex.com');
    await dns.add(zone, 'apex.com', 'ALIAS', 'WWW.cdn.com.', { ttl: 3600 });
    const serial = await readSerial(app.dns, 'apex.com');
    const [versions, records, file] = [
      await dns.call('GET', '/v2/dns/history', { domain: zone }),
      await dns.records(zone),
      (await dns.zoneFile(zone)).replace(/\d{10}/, ''),
    ];
    assert.deepEqual(await dig(app.dns, 'apex.com', 'A'), []);
    await refreshAliases(app);
    const target = [`@${app.dns.address}`, '-p', String(app.dns.port)];
    const { stdout } = await promisify(execFile)('dig', [...target, '+noall', '+answer', 'apex.com', 'A']);
    assert.deepEqual(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/))
        .sort(),
      [
        ['apex.com.', '3000', 'IN', 'A', '9.9.9.10'],
        ['apex.com.', '3000', 'IN', 'A', '9.9.9.9'],
      ],
    );
    assert.deepEqual(await dig(app.dns, 'apex.com', 'AAAA'), ['2620:fe::fe']);
    assert.deepEqual(await dig(app.dns, 'apex.com', 'TYPE65401'), []);
    assert.equal(await readSerial(app.dns, 'apex.com'), serial + 1);
    assert.deepEqual(await dns.call('GET', '/v2/dns/history', { domain: zone }), versions);
    const withoutSoa = (list: typeof records) => list.filter(({ type }) => type !== 'SOA');
    assert.deepEqual(withoutSoa(await dns.records(zone)), withoutSoa(records));
    assert.equal((await dns.zoneFile(zone)).replace(/\d{10}/, ''), file);
    assert.match(file, /^@\t3600\tIN\tALIAS\twww\.cdn\.com\.$/m);

    app.pass(60_000);
    await setAddress('edge', '9.9.9.11');
    await refreshAliases(app);
    assert.equal((await dig(app.dns, 'apex.com', 'A')).length, 2, 'not due before its TTL has passed');
    app.pass(3_000_000);
    await refreshAliases(app);
    assert.deepEqual(await dig(app.dns, 'apex.com', 'A'), ['9.9.9.11']);
    const changed = await readSerial(app.dns, 'apex.com');
    assert.ok(changed > serial + 1);
    app.pass(3_600_000);
    await refreshAliases(app);
    assert.equal(await readSerial(app.dns, 'apex.com'), changed, 'only a change raises the serial');

    const record = await dns.idOf(zone, 'apex.com', 'ALIAS');
    await setAddress('other', '9.9.9.12');
    await dns.call('PUT', '/v2/dns/record', { domain: zone, record, content: 'other.cdn.com' });
    await refreshAliases(app);
    assert.deepEqual(await dig(app.dns, 'apex.com', 'A'), ['9.9.9.12'], 'a new target is looked up at once');
    assert.deepEqual(await dig(app.dns, 'apex.com', 'AAAA'), []);
    await dns.call('DELETE', '/v2/dns/record', { domain: zone, record });
    assert.deepEqual(await dig(app.dns, 'apex.com', 'A'), []);
  });

  test('a target that fails keeps its last addresses, and the customer learns of it once', async () => {
    await serveElsewhere('lost.com');
    await elsewhere.util('add-record', 'lost.com', 'www', 'A', '60', '9.9.9.20');
    const zone = await dns.makeZone('keeps.com');
    await dns.add(zone, 'keeps.com', 'ALIAS', 'www.lost.com');
    await refreshAliases(app);
    const event = (type: string) => dns.eventOf(type, 'keeps.com');
    const look = async (times: number) => {
      for (let time = 0; time < times; time++) {
        app.pass(3_600_000);
        await refreshAliases(app);
      }
    };
    await elsewhere.util('delete-zone', 'lost.com');
    await look(2);
    assert.equal(await event('dns.alias.failed'), undefined);
    await look(3);
    const reason = 'the name servers of the target do not respond';
    const data = { domain_id: zone, name: 'keeps.com', target: 'www.lost.com' };
    assert.deepEqual(await event('dns.alias.failed'), { ...data, reason });
    assert.deepEqual(await dig(app.dns, 'keeps.com', 'A'), ['9.9.9.20']);
    await serveElsewhere('lost.com');
    await elsewhere.util('add-record', 'lost.com', 'www', 'A', '60', '9.9.9.21');
    await look(1);
    assert.deepEqual(await event('dns.alias.recovered'), data);
    assert.deepEqual(await dig(app.dns, 'keeps.com', 'A'), ['9.9.9.21']);
    await useResolvers([`127.0.0.1:${await freePort()}`]);
    await look(4);
    assert.deepEqual(await dig(app.dns, 'keeps.com', 'A'), ['9.9.9.21'], 'without a resolver');
    await useResolvers([names.resolver]);
  });

  test('a target whose name servers stay silent fails, while the resolver works', async () => {
    const silent = suite.owned.use(await openSilentPort());
    await useResolvers([await startResolver(suite.owned, [{ port: silent.port, domains: ['silent.com'] }])]);
    const zone = await dns.makeZone('waits.com');
    await dns.add(zone, 'waits.com', 'ALIAS', 'www.silent.com');
    for (let time = 0; time < 3; time++) {
      app.pass(3_600_000);
      await refreshAliases(app);
    }
    const reason = 'the name servers of the target do not respond';
    const data = { domain_id: zone, name: 'waits.com', target: 'www.silent.com' };
    assert.deepEqual(await dns.eventOf('dns.alias.failed', 'waits.com'), { ...data, reason });
    await useResolvers([names.resolver]);
  });

  test("a target in the account's zones is read from them, and one in a stranger's zone is not", async () => {
    const zone = await dns.makeZone('inside.com');
    const at = (name: string) => `${name}.inside.com`;
    await dns.add(zone, at('*.wild'), 'A', '192.0.2.1');
    await dns.add(zone, at('cname'), 'CNAME', at('x.wild'));
    await dns.add(zone, at('moved'), 'DNAME', at('wild'));
    await dns.add(zone, at('next'), 'ALIAS', at('cname'));
    await dns.add(zone, 'inside.com', 'ALIAS', at('next'));
    await dns.add(zone, at('d'), 'ALIAS', at('y.moved'));
    const label = 'x'.repeat(63);
    await dns.add(zone, at('longer'), 'DNAME', `${label}.${label}.invalid`);
    await dns.add(zone, at('long'), 'ALIAS', at(`${label}.${label}.longer`));
    await dns.add(zone, at('root'), 'DNAME', '.');
    await dns.add(zone, at('out'), 'ALIAS', at('other.cdn.com.root'));
    await dns.add(zone, at('one'), 'ALIAS', at('two'));
    await dns.add(zone, at('two'), 'ALIAS', at('one'));
    const claimed = await stranger.makeZone('corp.com');
    await stranger.add(claimed, 'www.corp.com', 'A', '9.9.9.66');
    await dns.add(zone, at('corp'), 'ALIAS', 'www.corp.com');
    await elsewhere.util('add-record', 'cdn.com', 'private', 'A', '60', '10.0.0.1');
    await dns.add(zone, at('private'), 'ALIAS', 'private.cdn.com');
    await refreshAliases(app);
    for (const name of ['inside.com', at('next'), at('d')])
      assert.deepEqual(await dig(app.dns, name, 'A'), ['192.0.2.1'], name);
    assert.deepEqual(await dig(app.dns, at('out'), 'A'), ['9.9.9.12'], 'by a DNAME to the root');
    for (const name of ['one', 'two', 'corp', 'private'])
      assert.deepEqual(await dig(app.dns, at(name), 'A'), ['NXDOMAIN'], name);
    for (let time = 0; time < 3; time++) {
      app.pass(3_600_000);
      await refreshAliases(app);
    }
    const reasonOf = async (name: string) => (await dns.eventOf('dns.alias.failed', at(name)))?.['reason'];
    assert.match((await reasonOf('one')) ?? '', /points back/);
    assert.match((await reasonOf('long')) ?? '', /no addresses/);
    assert.match((await reasonOf('corp')) ?? '', /no addresses|do not respond/);
    assert.match((await reasonOf('private')) ?? '', /not public/);
  });

  test('an ALIAS is refused next to addresses, twice at a name, and beyond the limit of the account', async () => {
    const zone = await dns.makeZone('limits.com');
    const reject = (name: string, type: string, content: string) =>
      dns.assertRejected(409, 'POST', '/v2/dns/record', { domain: zone, record: `${name}.limits.com`, type, content });
    await dns.add(zone, 'a.limits.com', 'A', '192.0.2.1');
    await dns.add(zone, 'b.limits.com', 'ALIAS', 'www.cdn.com');
    await dns.add(zone, 'b.limits.com', 'MX', '10 mail.cdn.com');
    assert.match((await reject('a', 'ALIAS', 'www.cdn.com')).message, /cannot coexist with A and AAAA/);
    assert.match((await reject('b', 'AAAA', '2001:db8::1')).message, /cannot coexist with A and AAAA/);
    assert.match((await reject('b', 'ALIAS', 'edge.cdn.com')).message, /only one ALIAS/);
    const many = Array.from({ length: 101 }, (_, index) => `a${index} ALIAS www.cdn.com.`).join('\n');
    const { message } = await dns.assertRejected(409, 'POST', '/v2/dns/zonefile', {
      domain: zone,
      zonefile: `@ NS ns1.example.net.\n${many}\n`,
    });
    assert.match(message, /at most 100 ALIAS records/);
    assert.deepEqual(await dig(app.dns, 'a.limits.com', 'A'), ['192.0.2.1']);
  });
});

/** A port that takes queries and never responds. */
async function openSilentPort() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: socket.address().port, [Symbol.asyncDispose]: async () => void socket.close() };
}
