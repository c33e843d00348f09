// Which names an account may have as a zone, on both engines, and what happens to a customer's zone that the provider
// needs.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { providerAuthor } from '#app/dns/change.ts';
import { addZone } from '#app/dns/zones.ts';
import { dnsSettings } from '#app/dns/settings.ts';
import { applySite } from '#app/site/apply.ts';
import { applySiteWithReport, dryRunSite, reportLines } from '#app/site/report.ts';
import { dig } from '#drivers/dns/conformance.ts';
import { pathOf } from '#store/dns/path.ts';
import { zoneClaims } from '#store/migrations/0024-zone-claims.ts';
import type { AccountId } from '#store/account-id.ts';
import { untilAnswered, withDnsCalls, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { needs } from '#test/support/needs.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

const customer = 1 as AccountId;

describeOnEngines('zone names', { ...needs('dig'), postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let dns: DnsCalls;
  let stranger: DnsCalls;
  const lookUp = (name: string, type: string) => dig(app.dns, name, type);

  before(async () => void ({ app, dns, stranger } = await withDnsCalls(openApp({ answersDns: true }))));

  /** Creates a zone as an older version allowed it. */
  function plantZone(name: string): Promise<string> {
    return app.parts.store.transaction(async (queries) => {
      const work = {
        app: app.parts,
        queries,
        operation: 'test',
        account: customer,
        limits: undefined,
        author: providerAuthor,
        afterCommit: () => {},
      };
      const zone = await addZone(work, await dnsSettings(queries), { name, kind: 'forward' });
      return String(zone!.id);
    });
  }

  test('public suffixes are nobody’s to claim', async () => {
    for (const domain of ['co.uk', 'com.au', 'CO.UK.', 'kobe.jp', 'any.kobe.jp', 'github.io', 's3.amazonaws.com']) {
      const { code, fields } = await dns.assertRejected(409, 'POST', '/v2/dns/domain', { domain });
      assert.equal(code, 'name_reserved');
      assert.match(fields!['domain']!, /public suffix/, domain);
    }
    await dns.assertRejected(409, 'POST', '/dns/domain', { name: 'co.uk' });
    for (const domain of ['registered.co.uk', 'user.github.io', 'city.kobe.jp', 'name.test'])
      await dns.makeZone(domain);
  });

  test('the domains of the provider are not for customers, unless the site file names their account', async () => {
    const screens = { ...app.site.screens, host: 'console.provider.co.uk' };
    const { account: _, ...withoutAccount } = app.site.nameserver!;
    await applySite(app.parts, { ...app.site, screens, nameserver: withoutAccount });
    const names = ['example.net', 'ns1.example.net', 'deep.ns2.example.net', 'www.example.net', 'provider.co.uk'];
    for (const domain of names) {
      const { code, fields } = await dns.assertRejected(409, 'POST', '/v2/dns/domain', { domain });
      assert.equal(code, 'name_reserved');
      assert.match(fields!['domain']!, /provider/, domain);
    }
    await applySite(app.parts, { ...app.site, screens });
    await stranger.assertRejected(409, 'POST', '/v2/dns/domain', { domain: 'example.net' });
    // In the lab, the first customer may have the domain of their servers, although it is the provider's too.
    const zone = await dns.makeZone('example.net');
    await dns.call('DELETE', '/v2/dns/domain', { domain: zone });
    await applySite(app.parts, app.site);
  });

  test('reverse names belong to whoever has the addresses', async () => {
    const service = Number(app.lab.dedicated.service);
    const own = { cidr: '100.64.7.0/24', service };
    await applySite(app.parts, { ...app.site, netblocks: [...app.site.netblocks!, own] });
    const names = ['8.64.100.in-addr.arpa', '64.100.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa', 'home.arpa', 'x.arpa'];
    for (const domain of names) {
      const { code } = await dns.assertRejected(409, 'POST', '/v2/dns/domain', { domain });
      assert.equal(code, 'name_reserved', domain);
    }
    await stranger.assertRejected(409, 'POST', '/v2/dns/domain', { domain: '7.64.100.in-addr.arpa' });
    const zone = await dns.makeZone('7.64.100.in-addr.arpa');
    await dns.add(zone, 'mail.7.64.100.in-addr.arpa', 'TXT', 'kept');
    // Taken away with the addresses.
    await applySiteWithReport(app.parts, app.site, 'used');
    await untilAnswered(() => lookUp('7.64.100.in-addr.arpa', 'SOA'), ['REFUSED']);
    assert.deepEqual(await dns.eventOf('dns.zone.withdrawn', '7.64.100.in-addr.arpa'), {
      domain_id: zone,
      name: '7.64.100.in-addr.arpa',
      reason: 'addresses',
    });
    assert.match(await dns.zoneFile(zone), /"kept"/);
    await stranger.assertRejected(404, 'GET', `/v2/dns/zonefile/${zone}`, {});
  });

  test('a block of the provider takes the reverse zones of customers with it, and the rest of the file applies', async () => {
    // One after the other, because the report follows the order of their ids.
    const above = await plantZone('51.198.in-addr.arpa');
    const same = await plantZone('100.51.198.in-addr.arpa');
    const below = await plantZone('9.100.51.198.in-addr.arpa');
    await dns.add(below, 'x.9.100.51.198.in-addr.arpa', 'TXT', 'theirs');
    const netblocks = [...app.site.netblocks!, { cidr: '198.51.100.0/24' }];
    const site = { ...app.site, netblocks, provider: { ...app.site.provider, name: 'Renamed' } };
    const dryRun = await dryRunSite(app.parts, site, 'nothing');
    const report = await applySiteWithReport(app.parts, site, 'nothing');
    for (const lines of [reportLines(dryRun), reportLines(report)]) {
      assert.deepEqual(
        lines.filter((line) => line.startsWith('!')),
        [
          '! zone 100.51.198.in-addr.arpa of customer 1 is set aside: its name belongs to a block of the provider',
          '! zone 9.100.51.198.in-addr.arpa of customer 1 is set aside: its name belongs to a block of the provider',
        ],
      );
      assert.ok(lines.some((line) => line.includes('Renamed')));
    }
    await untilAnswered(() => lookUp('9.100.51.198.in-addr.arpa', 'PTR'), ['NXDOMAIN']);
    assert.match((await lookUp('100.51.198.in-addr.arpa', 'SOA'))[0]!, /^ns1\.example\.net /);
    assert.equal((await dns.eventOf('dns.zone.withdrawn', '9.100.51.198.in-addr.arpa'))?.['reason'], 'provider');
    assert.match(await dns.zoneFile(below), /"theirs"/);
    const withdrawn = await dns.call<{ domain_id: string; name: string }[]>('GET', '/v2/dns/withdrawn', {});
    assert.deepEqual(
      withdrawn
        .slice(0, 2)
        .map(({ domain_id }) => domain_id)
        .toSorted(),
      [same, below].toSorted(),
    );
    assert.deepEqual(await stranger.call('GET', '/v2/dns/withdrawn', {}), []);
    await dns.call('DELETE', '/v2/dns/domain', { domain: above });
    await applySiteWithReport(app.parts, app.site, 'used');
  });

  test('zones of an older version are found by their path', async () => {
    const { queries, engine } = app.parts.store;
    await queries.updateTable('zones').set({ path: '' }).execute();
    const types = { id: '', integer: '', bytes: '', sortable: '' };
    const update = zoneClaims.statements(types, engine).find((statement) => statement.startsWith('update zones'));
    await sql.raw(update!).execute(queries);
    const zones = await queries.selectFrom('zones').select(['name', 'path']).execute();
    assert.ok(zones.some(({ name }) => name.includes('.arpa')));
    for (const { name, path } of zones) assert.equal(path, pathOf(name));
  });

  test('a customer’s zone that covers a name of the provider is reported and does not stop the file', async () => {
    await stranger.makeZone('future.example.org');
    const nameserver = { ...app.site.nameserver!, names: ['ns1.future.example.org'] };
    const report = await applySiteWithReport(app.parts, { ...app.site, nameserver }, 'nothing');
    assert.deepEqual(
      reportLines(report).filter((line) => line.startsWith('!')),
      [
        '! zone future.example.org of customer 2 overlaps example.org, a domain of the provider: ask them to delete it, or set nameserver.account if the account is yours',
      ],
    );
    await applySite(app.parts, app.site);
  });
});
