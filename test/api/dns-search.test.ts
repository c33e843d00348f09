// Search of the records of all zones: by the beginning of the name or content, page by page, within the caller's limits.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { runCli } from '#test/support/cli.ts';
import { dnsCalls, withDnsCalls, type DnsCalls, type ListedRecord } from '#test/support/dns-fixtures.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { createKey } from '#test/support/request.ts';

describeOnEngines('the search of records', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let dns: DnsCalls;
  let stranger: DnsCalls;
  const zones: string[] = [];
  before(async () => {
    ({ app, dns, stranger } = await withDnsCalls(openApp()));
    for (const name of ['search-a.net', 'search-b.net']) {
      const zone = await dns.makeZone(name);
      zones.push(zone);
      for (const host of ['findme', 'findme-2', 'other.findme'])
        await dns.add(zone, `${host}.${name}`, 'A', '198.51.100.7');
      await dns.add(zone, `notes.${name}`, 'TXT', '"Verification=xyz"');
    }
    const other = await stranger.makeZone('search-c.net');
    await stranger.add(other, 'findme.search-c.net', 'A', '198.51.100.7');
  });

  const search = (calls: DnsCalls, params: Record<string, unknown>) =>
    calls.call<ListedRecord[]>('GET', '/v2/dns/search', params);
  const namesOf = (records: readonly ListedRecord[]) => records.map(({ name }) => name);
  const findme = ['findme-2.search-a.net', 'findme.search-a.net', 'findme-2.search-b.net', 'findme.search-b.net'];

  it('finds names in all zones of the account, and none of others', async () => {
    const found = await search(dns, { text: 'FindMe' });
    assert.deepEqual(namesOf(found), findme);
    assert.deepEqual(found[1], {
      id: await dns.idOf(zones[0]!, 'findme.search-a.net', 'A'),
      domain_id: zones[0],
      name: 'findme.search-a.net',
      type: 'A',
      content: '198.51.100.7',
      ttl: '3600',
    });
    assert.deepEqual(namesOf(await search(dns, { text: 'findme.search-b.net.' })), ['findme.search-b.net']);
    assert.deepEqual(namesOf(await search(stranger, { text: 'findme' })), ['findme.search-c.net']);
    assert.deepEqual(await search(dns, { text: '%' }), []);
  });

  it('finds contents, text without its quotation marks', async () => {
    assert.equal((await search(dns, { text: '198.51.100.7', field: 'content' })).length, 6);
    const notes = ['notes.search-a.net', 'notes.search-b.net'];
    for (const text of ['verification=', '"Verif'])
      assert.deepEqual(namesOf(await search(dns, { text, field: 'content' })), notes, text);
  });

  it('continues after a record, and not after one of another account', async () => {
    for (const limit of [1, 3]) {
      const names: string[] = [];
      for (let after: string | undefined; ;) {
        const page = await search(dns, { text: 'findme', limit, ...(after !== undefined && { after }) });
        names.push(...namesOf(page));
        if (page.length < limit) break;
        after = page.at(-1)!.id;
      }
      assert.deepEqual(names, findme);
    }
    const [foreign] = await search(stranger, { text: 'findme' });
    await dns.assertRejected(404, 'GET', '/v2/dns/search', { text: 'findme', after: foreign!.id });
  });

  it('returns only what a limited key may read', async () => {
    const limits = { zones: ['search-b.net'], names: ['findme', 'notes'] };
    const { key } = await createKey(app, app.lab.customer.key, { scopes: ['dns:read'], dns: [limits] });
    const limited = dnsCalls(app, key);
    assert.deepEqual(namesOf(await search(limited, { text: 'findme', limit: 1 })), ['findme.search-b.net']);
    assert.deepEqual(namesOf(await search(limited, { text: '198.51', field: 'content' })), ['findme.search-b.net']);
    const hidden = await dns.idOf(zones[0]!, 'findme.search-a.net', 'A');
    await limited.assertRejected(404, 'GET', '/v2/dns/search', { text: 'findme', after: hidden });
  });

  it('is a command', async () => {
    const server = { url: app.url, key: app.lab.customer.key };
    const { out } = await runCli(server, ['dns', 'record', 'search', 'other.findme.search-a', '--output', 'json']);
    assert.deepEqual(namesOf(JSON.parse(out) as ListedRecord[]), ['other.findme.search-a.net']);
  });
});
