// Claims of domains and delegations of zones, which the public DNS decides, on both engines.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { desiredZone } from '#app/dns/desired-zone.ts';
import { applySite } from '#app/site/apply.ts';
import { dig } from '#drivers/dns/conformance.ts';
import { dayMs } from '#lib/time.ts';
import { dnsSweep } from '#reconcilers/dns-sweep.ts';
import type { TestApp } from '#test/support/app.ts';
import { dnsCalls, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { needs, needsRoot } from '#test/support/needs.ts';
import { freePort } from '#test/support/ports.ts';
import { startPowerDns, type PowerDns } from '#test/support/powerdns.ts';
import { startParentZone, startResolver } from '#test/support/public-dns.ts';
import { publicNames } from '#test/support/public-names.ts';
import { requestResult } from '#test/support/request.ts';

interface Claim {
  domain: string;
  record: string;
  content: string;
  expires: string;
}

const domains = {
  delegated: ['delegated.com', 'handover.com', 'used.above.com'],
  elsewhere: 'squatted.com above.com parent.com tokens.com alias.com github.io resolved.com external.com'.split(' '),
};

const options = { ...needs('dig', 'unbound', 'pdns_server'), postgres: 'in long runs' } as const;

describeOnEngines('names in the public DNS', options, (suite) => {
  const names = publicNames(suite, domains);
  const { useResolvers, serveElsewhere, setAddress, refreshAliases } = names;
  let app: TestApp;
  let dns: DnsCalls;
  let stranger: DnsCalls;
  let elsewhere: PowerDns;
  let resolver: string;
  before(() => void ({ app, dns, stranger, elsewhere, resolver } = names));

  async function publish(domain: string, { record, content }: Claim, type = 'TXT'): Promise<void> {
    const name = record === domain ? '@' : record.slice(0, -domain.length - 1);
    await elsewhere.util('add-record', domain, name, type, '60', type === 'TXT' ? `"${content}"` : content);
  }
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
      await stranger.assertRejected(409, 'POST', '/v2/dns/claim', { domain });
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
    const published = suite.owned.use(await startPowerDns());
    const powerdns = { url: published.apiUrl, apiKey: published.apiKey };
    const publishing = await suite.openApp({
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

  test(
    "a zone's delegation is what the parent's name servers say, and unknown if they cannot be asked",
    needsRoot('nsd'),
    async () => {
      const [ours, theirs] = [app.site.nameserver!.names, 'ns1.registrar.net'];
      const ns = (label: string, ...servers: string[]) => servers.map((server) => `${label} 60 NS ${server}.`);
      const address = await startParentZone(suite.owned, 'registry.com', [
        ...ns('mine', ...ours),
        ...ns('gone', theirs),
        ...ns('half', ours[0]!, theirs),
        'www.exists 60 A 192.0.2.1',
      ]);
      const parent = await startResolver(suite.owned, [{ address, port: 53, domains: ['registry.com'] }]);
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
        'The name servers of registry.com gave an unclear answer.',
      ]);
      await useResolvers([`127.0.0.1:${await freePort()}`]);
      assert.deepEqual(await found('mine'), ['unknown', '', [], 'The public DNS could not be queried.']);
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
