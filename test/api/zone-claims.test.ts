// What is looked up in the public DNS, on both engines: claims of domains, and the targets of ALIAS records.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { createAliasWork } from '#app/dns/aliases.ts';
import { desiredZone } from '#app/dns/desired-zone.ts';
import { applySite } from '#app/site/apply.ts';
import { dig } from '#drivers/dns/conformance.ts';
import { dayMs } from '#lib/time.ts';
import { aliasPoll } from '#reconcilers/alias-poll.ts';
import { dnsSweep } from '#reconcilers/dns-sweep.ts';
import type { TestApp } from '#test/support/app.ts';
import { dnsCalls, readSerial } from '#test/support/dns-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { needs, needsRoot } from '#test/support/needs.ts';
import { freePort } from '#test/support/ports.ts';
import { startPowerDns, type PowerDns } from '#test/support/powerdns.ts';
import { startParentZone, startResolver } from '#test/support/public-dns.ts';
import { requestResult } from '#test/support/request.ts';

interface Claim {
  domain: string;
  record: string;
  content: string;
  expires: string;
}

const names = {
  delegated: ['delegated.com', 'handover.com', 'used.above.com'],
  elsewhere: [
    'squatted.com',
    'above.com',
    'parent.com',
    'tokens.com',
    'alias.com',
    'github.io',
    'resolved.com',
    'external.com',
    'cdn.com',
    'lost.com',
    'corp.com',
  ],
};

const options = { ...needs('dig', 'unbound', 'pdns_server'), postgres: 'in long runs' } as const;

describeOnEngines('names in the public DNS', options, ({ owned, openApp }) => {
  let app: TestApp;
  let elsewhere: PowerDns;
  let dns: ReturnType<typeof dnsCalls>;
  let stranger: ReturnType<typeof dnsCalls>;
  let resolver: string;

  before(async () => {
    elsewhere = owned.use(await startPowerDns(['zone-cache-refresh-interval=0']));
    app = await openApp({ answersDns: true });
    dns = dnsCalls(app, app.lab.customer.key);
    stranger = dnsCalls(app, app.lab.stranger.key);
    resolver = await startResolver(owned, [
      { port: app.dns.port, domains: names.delegated },
      { port: elsewhere.port, domains: names.elsewhere },
    ]);
    await useResolvers([resolver]);
    await serveElsewhere('cdn.com');
  });

  async function useResolvers(resolvers: string[]): Promise<void> {
    await applySite(app.parts, { ...app.site, nameserver: { ...app.site.nameserver!, resolvers } });
  }

  /** Serves a domain at its owner's own name server. */
  async function serveElsewhere(domain: string): Promise<void> {
    await elsewhere.util('create-zone', domain, `ns.${domain}`);
  }
  async function publish(domain: string, { record, content }: Claim, type = 'TXT'): Promise<void> {
    const name = record === domain ? '@' : record.slice(0, -domain.length - 1);
    await elsewhere.util('add-record', domain, name, type, '60', type === 'TXT' ? `"${content}"` : content);
  }
  const refreshAliases = (of: TestApp) =>
    aliasPoll(of.parts, createAliasWork(of.parts)).run(AbortSignal.timeout(60_000));
  const setAddress = (name: string, ...addresses: string[]) =>
    elsewhere.util('replace-rrset', 'cdn.com', name, 'A', '3000', ...addresses);
  const claim = (calls: typeof dns, domain: string) => calls.call<Claim>('POST', '/v2/dns/claim', { domain });
  const verify = (calls: typeof dns, domain: string) => calls.call<string>('PUT', '/v2/dns/claim', { domain });
  async function assertUnproven(calls: typeof dns, domain: string): Promise<void> {
    const { code } = await calls.assertRejected(409, 'PUT', '/v2/dns/claim', { domain });
    assert.equal(code, 'claim_unproven');
  }

  test('a zone that is not delegated loses to an account that proves control, and its records stay with their owner', async () => {
    await serveElsewhere('squatted.com');
    const squatted = await stranger.makeZone('squatted.com');
    await stranger.add(squatted, 'www.squatted.com', 'TXT', 'of the stranger');
    const taken = await dns.assertRejected(409, 'POST', '/v2/dns/domain', { domain: 'squatted.com' });
    assert.deepEqual([taken.code, taken.message], ['already_exists', 'A zone with this name already exists.']);
    await dns.assertRejected(404, 'PUT', '/v2/dns/claim', { domain: 'squatted.com' });

    const mine = await claim(dns, 'Squatted.com.');
    assert.deepEqual([mine.domain, mine.record], ['squatted.com', '_hostyard-challenge.squatted.com']);
    assert.deepEqual(await claim(dns, 'squatted.com'), mine);
    await assertUnproven(dns, 'squatted.com');
    await stranger.add(squatted, mine.record, 'TXT', mine.content);
    await assertUnproven(dns, 'squatted.com');
    await stranger.assertRejected(409, 'POST', '/v2/dns/claim', { domain: 'squatted.com' });

    await publish('squatted.com', mine);
    const zone = await verify(dns, 'squatted.com');
    assert.notEqual(zone, squatted);
    assert.deepEqual((await dns.records(zone)).map(({ type }) => type).toSorted(), ['NS', 'NS', 'SOA']);
    assert.deepEqual(await dig(app.dns, 'www.squatted.com', 'TXT'), ['NXDOMAIN']);
    await stranger.assertRejected(404, 'GET', `/v2/dns/record/${squatted}`, {});
    assert.match(await stranger.zoneFile(squatted), /of the stranger/);
    await dns.assertRejected(404, 'GET', `/v2/dns/zonefile/${squatted}`, {});
    assert.deepEqual(await stranger.eventOf('dns.zone.withdrawn', 'squatted.com'), {
      domain_id: squatted,
      name: 'squatted.com',
      reason: 'proof',
    });
    assert.equal((await dns.eventOf('dns.zone.created', 'squatted.com'))?.['domain_id'], zone);
    const { key } = app.lab.customer;
    const audit = await requestResult<Record<string, string>[]>(app, 'GET', '/v2/account/audit', { key });
    const verified = audit.find(
      ({ operation, outcome }) => operation === 'v2.zoneClaimVerify' && outcome === 'success',
    );
    assert.equal(verified?.['target'], 'domain=squatted.com');

    // The token works once, and the record that is still published does nothing.
    await dns.call('DELETE', '/v2/dns/domain', { domain: zone });
    await dns.assertRejected(404, 'PUT', '/v2/dns/claim', { domain: 'squatted.com' });
    assert.notEqual((await claim(dns, 'squatted.com')).content, mine.content);
    await assertUnproven(dns, 'squatted.com');
  });

  test('a delegated zone stays with its holder, whose records decide', async () => {
    const held = await stranger.makeZone('delegated.com');
    const mine = await claim(dns, 'delegated.com');
    await serveElsewhere('delegated.com');
    await publish('delegated.com', mine);
    await assertUnproven(dns, 'delegated.com');
    assert.equal((await stranger.records(held)).length, 3);

    const handedOver = await stranger.makeZone('handover.com');
    const { record, content } = await claim(dns, 'handover.com');
    await stranger.add(handedOver, record, 'TXT', content);
    await verify(dns, 'handover.com');
    await stranger.assertRejected(404, 'GET', `/v2/dns/record/${handedOver}`, {});
  });

  test('a domain with zones of others below it needs proof, which takes those that are not delegated', async () => {
    await serveElsewhere('above.com');
    const shop = await stranger.makeZone('shop.above.com');
    const used = await stranger.makeZone('used.above.com');
    const overlap = await dns.assertRejected(409, 'POST', '/v2/dns/domain', { domain: 'above.com' });
    assert.equal(overlap.code, 'state_conflict');
    await publish('above.com', await claim(dns, 'above.com'));
    await verify(dns, 'above.com');
    await stranger.assertRejected(404, 'GET', `/v2/dns/record/${shop}`, {});
    assert.equal((await stranger.records(used)).length, 3);
    await stranger.assertRejected(409, 'POST', '/v2/dns/domain', { domain: 'shop.above.com' });
  });

  test('a part of a zone of another account needs proof, and the rest stays with its holder', async () => {
    await serveElsewhere('parent.com');
    const parent = await stranger.makeZone('parent.com');
    await dns.assertRejected(409, 'POST', '/v2/dns/domain', { domain: 'part.parent.com' });
    const mine = await claim(dns, 'part.parent.com');
    await assertUnproven(dns, 'part.parent.com');
    await publish('parent.com', mine);
    await verify(dns, 'part.parent.com');
    assert.equal((await stranger.records(parent)).length, 3);
  });

  test('a token belongs to one account, is not followed through an alias, and expires', async () => {
    for (const domain of ['tokens.com', 'alias.com']) await serveElsewhere(domain);
    await stranger.makeZone('tokens.com');
    const mine = await claim(dns, 'tokens.com');
    await elsewhere.util('add-record', 'alias.com', 'target', 'TXT', '60', `"${mine.content}"`);
    await publish('tokens.com', { ...mine, content: 'target.alias.com.' }, 'CNAME');
    await assertUnproven(dns, 'tokens.com');
    await elsewhere.util('delete-rrset', 'tokens.com', '_hostyard-challenge', 'CNAME');
    const { key } = app.lab.stranger;
    await stranger.call('DELETE', '/v2/dns/domain', {
      domain: (await requestResult<{ domain_id: string; name: string }[]>(app, 'GET', '/v2/dns/domain', { key })).find(
        ({ name }) => name === 'tokens.com',
      )!.domain_id,
    });
    await publish('tokens.com', mine);
    await claim(stranger, 'tokens.com');
    await assertUnproven(stranger, 'tokens.com');
    app.pass(8 * dayMs);
    await dns.assertRejected(404, 'PUT', '/v2/dns/claim', { domain: 'tokens.com' });
    assert.notEqual((await claim(dns, 'tokens.com')).content, mine.content);
  });

  test('a private suffix can be claimed by its owner, a registry’s or the provider’s name by nobody', async () => {
    for (const domain of ['co.uk', 'example.net', '113.0.203.in-addr.arpa', 'home.arpa'])
      await dns.assertRejected(409, 'POST', '/v2/dns/claim', { domain });
    await serveElsewhere('github.io');
    const mine = await claim(dns, 'github.io');
    assert.equal(mine.record, 'github.io');
    await publish('github.io', mine);
    await verify(dns, 'github.io');
  });

  test('only a recursive resolver is believed, and one that does not respond proves nothing', async () => {
    await stranger.makeZone('resolved.com');
    await serveElsewhere('resolved.com');
    await publish('resolved.com', await claim(dns, 'resolved.com'));
    await useResolvers([`127.0.0.1:${elsewhere.port}`]);
    const authority = await dns.assertRejected(502, 'PUT', '/v2/dns/claim', { domain: 'resolved.com' });
    assert.equal(authority.code, 'nameserver_error');
    await useResolvers([`127.0.0.1:${app.dns.port}`]);
    await dns.assertRejected(502, 'PUT', '/v2/dns/claim', { domain: 'resolved.com' });
    const nobody = `127.0.0.1:${await freePort()}`;
    await useResolvers([nobody]);
    const silent = await dns.assertRejected(504, 'PUT', '/v2/dns/claim', { domain: 'resolved.com' });
    assert.equal(silent.code, 'nameserver_unreachable');
    await useResolvers([nobody, resolver]);
    await verify(dns, 'resolved.com');
  });

  test('with an external name server, the new zone replaces the former there too', async () => {
    const published = owned.use(await startPowerDns());
    const powerdns = { url: published.apiUrl, apiKey: published.apiKey };
    const publishing = await openApp({
      site: { nameserver: { names: ['ns1.example.net'], powerdns, resolvers: [resolver] } },
    });
    const [owner, squatter] = [publishing.lab.customer, publishing.lab.stranger].map(({ key }) =>
      dnsCalls(publishing, key),
    );
    const squatted = await squatter!.makeZone('external.com');
    await squatter!.add(squatted, 'www.external.com', 'TXT', 'of the squatter');
    await squatter!.makeZone('below.external.com');
    assert.deepEqual(await dig(published, 'www.external.com', 'TXT'), ['"of the squatter"']);
    await serveElsewhere('external.com');
    await publish('external.com', await claim(owner!, 'external.com'));
    await verify(owner!, 'external.com');
    assert.deepEqual(await dig(published, 'www.external.com', 'TXT'), ['NXDOMAIN']);
    assert.deepEqual(await dig(published, 'below.external.com', 'SOA'), ['NXDOMAIN']);
    assert.deepEqual(await dig(published, 'external.com', 'NS'), ['ns1.example.net']);

    await setAddress('target', '9.9.9.30');
    const aliased = await owner!.makeZone('published.com');
    await owner!.add(aliased, 'published.com', 'ALIAS', 'target.cdn.com');
    await refreshAliases(publishing);
    const { driver } = publishing.parts.nameService.external!;
    await dnsSweep({ ...publishing.parts, driver, desiredZone }).run(AbortSignal.timeout(60_000));
    assert.deepEqual(await dig(published, 'published.com', 'A'), ['9.9.9.30']);
    assert.equal((await owner!.records(aliased)).filter(({ type }) => type === 'A').length, 0);
  });

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
    await useResolvers([resolver]);
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
    for (const name of ['one', 'two', 'corp', 'private'])
      assert.deepEqual(await dig(app.dns, at(name), 'A'), ['NXDOMAIN'], name);
    for (let time = 0; time < 3; time++) {
      app.pass(3_600_000);
      await refreshAliases(app);
    }
    const reasonOf = async (name: string) => (await dns.eventOf('dns.alias.failed', at(name)))?.['reason'];
    assert.match((await reasonOf('one')) ?? '', /leads back/);
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

  test(
    "a zone's delegation is what the parent's name servers say, and unknown if they cannot be asked",
    needsRoot('nsd'),
    async () => {
      const [ours, theirs] = [app.site.nameserver!.names, 'ns1.registrar.net'];
      const ns = (label: string, ...servers: string[]) => servers.map((server) => `${label} 60 NS ${server}.`);
      const address = await startParentZone(owned, 'registry.com', [
        ...ns('mine', ...ours),
        ...ns('gone', theirs),
        ...ns('half', ours[0]!, theirs),
        'www.exists 60 A 192.0.2.1',
      ]);
      const parent = await startResolver(owned, [{ address, port: 53, domains: ['registry.com'] }]);
      const allow = async (networks: string[]) =>
        applySite(app.parts, {
          ...app.site,
          nameserver: { ...app.site.nameserver!, resolvers: [parent] },
          webhooks: { allow: networks },
        });
      await allow([`${address}/32`]);
      const zones = new Map<string, string>();
      for (const label of ['mine', 'gone', 'half', 'free', 'exists'])
        zones.set(label, await dns.makeZone(`${label}.registry.com`));
      const check = (label: string, calls = dns) =>
        calls.call<Record<string, unknown>>('GET', `/v2/dns/delegation/${zones.get(label)}`, {});
      const found = async (label: string) => {
        const { status, parent: above, nameservers, reason } = await check(label);
        return [status, above, nameservers, reason];
      };
      assert.deepEqual(await found('mine'), ['ours', 'registry.com', ours, '']);
      assert.deepEqual(await found('gone'), ['others', 'registry.com', [theirs], '']);
      assert.deepEqual(await found('half'), ['partly', 'registry.com', [ours[0], theirs], '']);
      assert.deepEqual(await found('free'), ['none', 'registry.com', [], '']);
      assert.deepEqual(await found('exists'), ['none', 'registry.com', [], '']);
      await assert.rejects(check('mine', stranger), /404/);

      await allow([]);
      assert.deepEqual(await found('mine'), [
        'unknown',
        '',
        [],
        'The name servers of registry.com gave no clear answer.',
      ]);
      await useResolvers([`127.0.0.1:${await freePort()}`]);
      assert.deepEqual(await found('mine'), ['unknown', '', [], 'The public DNS could not be asked.']);
      await useResolvers([resolver]);
    },
  );

  test('of two accounts that create overlapping zones at once, one is rejected', async () => {
    for (let round = 0; round < 5; round++) {
      const create = (calls: typeof dns, domain: string) =>
        calls.makeZone(domain).then(
          () => true,
          () => false,
        );
      const created = await Promise.all([
        create(dns, `race${round}.org`),
        create(stranger, `a.race${round}.org`),
        create(dns, `b.a.race${round}.org`),
        create(stranger, `race${round}.org`),
      ]);
      const owners = new Set(created.flatMap((isCreated, index) => (isCreated ? [index % 2] : [])));
      assert.equal(owners.size, 1, JSON.stringify(created));
    }
  });
});
