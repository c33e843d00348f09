// The quota of records that an account's zones share.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { zoneLimits } from '#app/dns/change.ts';
import type { TestApp } from '#test/support/app.ts';
import { withDnsCalls, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { request } from '#test/support/request.ts';

const { accountRecords } = zoneLimits;
const names = ['full.example.com', 'one.example.com', 'two.example.com', 'three.example.com'];

describeOnEngines('the quota of DNS records', ({ openApp }) => {
  let app: TestApp;
  let dns: DnsCalls;
  let stranger: DnsCalls;
  const zones: string[] = [];
  before(async () => {
    ({ app, dns, stranger } = await withDnsCalls(openApp()));
    for (const name of names) zones.push(await dns.makeZone(name));
  });

  /** Lets the first zone have so many records that the account has this many. */
  async function fill(total: number): Promise<void> {
    const { queries } = app.parts.store;
    const rows = await queries.selectFrom('zones').selectAll().where('account_id', 'is not', null).execute();
    const { account_id, id } = rows.find((zone) => String(zone.id) === zones[0])!;
    const others = rows.filter((zone) => zone.account_id === account_id && zone.id !== id);
    const record_count = total - others.reduce((sum, zone) => sum + zone.record_count, 0);
    await queries.updateTable('zones').set({ record_count }).where('id', '=', id).execute();
  }

  test('counts those of all zones, and leaves those of an account that has more', async () => {
    const [, one] = zones as [string, string];
    await fill(accountRecords - 1);
    await dns.add(one, 'last.one.example.com', 'A', '192.0.2.1');
    const last = await dns.idOf(one, 'last.one.example.com', 'A');
    const add = { domain: one, record: 'more.one.example.com', type: 'A', content: '192.0.2.1' };
    const { code, message } = await dns.assertRejected(409, 'POST', '/v2/dns/record', add);
    assert.deepEqual(
      [code, message],
      ['state_conflict', `An account can have at most ${accountRecords} DNS records. Delete some first.`],
    );
    await dns.assertRejected(409, 'POST', '/v2/dns/domain', { domain: 'another.example.com' });
    await fill(accountRecords + 10);
    await dns.call('PUT', '/v2/dns/record', { domain: one, record: last, content: '192.0.2.2' });
    await dns.call('DELETE', '/v2/dns/record', { domain: one, record: last });
    await stranger.makeZone('theirs.example.org');
  });

  test('holds when many zones grow at once', async () => {
    await fill(accountRecords - 3);
    const adding = Array.from({ length: 12 }, (_, index) => {
      const name = names[1 + (index % 3)]!;
      const domain = zones[1 + (index % 3)]!;
      const params = { domain, record: `at-once-${index}.${name}`, type: 'A', content: '192.0.2.1' };
      return request(app, 'POST', '/v2/dns/record', { key: app.lab.customer.key, params });
    });
    const statuses = (await Promise.all(adding)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [...Array<number>(3).fill(200), ...Array<number>(9).fill(409)]);
  });
});
