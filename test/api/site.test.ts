// Applying a site repeatedly: the second time changes nothing, customers' changes are kept, and what the file omits
// stays until it is pruned.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { applySite } from '#app/site/apply.ts';
import { readSite } from '#app/site/file.ts';
import { applySiteWithReport, dryRunSite, exportSiteText, reportLines } from '#app/site/report.ts';
import { catalogues } from '#app/site/settings.ts';
import type { Site } from '#contract/site/site.ts';
import { request } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

const extra = {
  racks: [{ name: 'r01', place: 'Hall 1' }],
  messages: { 'invoice.reminder': { subject: 'Invoice {invoicenum}', text: 'Dear {firstname}, please pay {total}.' } },
} satisfies Partial<Site>;

/** The lab, extended by what it lacks. */
function fullSite({ site }: TestApp): Site {
  const [first, ...others] = site.servers!;
  const [ports, ...switches] = site.switches!;
  const spare = {
    name: 'dc09r09ds09',
    bmc: { driver: 'ipmi', settings: { address: '192.0.2.9', username: 'provider', password: 'spare secret' } },
    serial: 'SN-9',
    rack: 'r01',
    unit: 7,
    height: 2,
    macs: ['52:54:00:99:99:99'],
    ports: [{ switch: ports!.name, ifIndex: 47 }],
  };
  return {
    ...site,
    ...extra,
    racks: [...site.racks!, ...extra.racks],
    servers: [{ ...first!, rack: 'r01', unit: 1, serial: 'SN-1' }, ...others, spare],
    switches: [{ ...ports!, rack: 'r01', unit: 42 }, ...switches],
    netblocks: [...site.netblocks!, { cidr: '198.51.100.0/24', pool: 'ask' }],
  };
}

describeOnEngines('a site applied again', ({ engine, newDatabase, openApp }) => {
  let app: TestApp;
  let full: Site;
  before(async () => {
    app = await openApp();
    full = fullSite(app);
    await applySite(app.parts, full);
  });

  /** Every row; on PostgreSQL with the transaction that wrote it. */
  async function everything(): Promise<Record<string, unknown[]>> {
    const { queries } = app.parts.store;
    const tables = await queries.introspection.getTables();
    const contents: Record<string, unknown[]> = {};
    const columns = engine === 'postgres' ? sql`xmin::text as written_by, *` : sql`*`;
    for (const { name, schema } of tables) {
      // The queue's own tables, if it has a schema.
      if (schema === 'pgboss') continue;
      const { rows } = await sql`select ${columns} from ${sql.table(name)}`.execute(queries);
      contents[name] = rows.map((row) => JSON.stringify(row)).sort();
    }
    return contents;
  }

  /** Number of rows that SQLite's writing connection has touched, even without a change. */
  async function rowsWritten(): Promise<unknown> {
    if (engine === 'postgres') return 'told by each row';
    return app.parts.store.transaction(
      async (queries) => (await sql`select total_changes() as count`.execute(queries)).rows,
    );
  }

  const previewLines = async (site: Site) => reportLines(await dryRunSite(app.parts, site, 'nothing'));

  test('changes nothing, and writes no row', async () => {
    const before = await everything();
    const written = await rowsWritten();
    app.pass(86_400_000);
    assert.deepEqual(reportLines(await applySiteWithReport(app.parts, full, 'nothing')), []);
    assert.deepEqual(await everything(), before);
    assert.deepEqual(await rowsWritten(), written);
  });

  test('can be exported without secrets in clear text, and the export changes nothing', async () => {
    const text = await exportSiteText(app.parts);
    for (const secret of ['spare secret', String(app.site.switches![0]!.settings['community'])])
      assert.ok(!text.includes(secret), secret);
    assert.match(text, /password:\n\s+sealed: s1\./);
    const exported = readSite(text, 'export.yaml', app.parts.secrets);
    const before = await everything();
    assert.deepEqual(reportLines(await applySiteWithReport(app.parts, exported, 'used')), []);
    assert.deepEqual(await everything(), before);
    // In another installation with the same key it creates the same site.
    await using other = await openTestApp({ ...(await newDatabase()), firstInstance: app });
    await applySite(other.parts, exported);
    const again = readSite(await exportSiteText(other.parts), 'again.yaml', app.parts.secrets);
    assert.deepEqual(again, exported);
  });

  test('is applied completely or not at all', async () => {
    const before = await everything();
    const [ada, bruno] = app.site.customers ?? [];
    const customers = [
      { ...ada!, city: 'Elsewhere' },
      { ...bruno!, email: ada!.email },
    ];
    await assert.rejects(applySite(app.parts, { ...full, customers }), /signs in/);
    const mounted = { ...full.servers![1]!, rack: 'r01', unit: 8 };
    await assert.rejects(applySite(app.parts, { ...full, servers: [mounted] }), /would share units of rack r01/);
    assert.deepEqual(await everything(), before);
  });

  test('previews its changes field by field, without secrets', async () => {
    const before = await everything();
    const [first, ...others] = full.servers!;
    const settings = { ...first!.bmc.settings, password: 'another secret' };
    const servers = [{ ...first!, bmc: { ...first!.bmc, settings }, unit: 3 }, ...others];
    const taxes = full.taxes!.map((tax, index) => (index === 0 ? { ...tax, rate: '19.50' } : tax));
    const plans = [...full.plans!, { name: 'New', price: '1.00', cycle: 'monthly' as const }];
    const lines = await previewLines({ ...full, servers, taxes, plans, webhooks: { allow: ['10.0.0.0/8'] } });
    assert.deepEqual(lines, [
      '+ plan New',
      `~ tax for ${taxes[0]!.country}`,
      `    rate: ${full.taxes![0]!.rate} → 19.50`,
      `~ server ${first!.name}`,
      '    bmc.settings.password: changed (secret)',
      '    unit: 1 → 3',
      '+ section webhooks',
    ]);
    assert.deepEqual(await everything(), before);
  });

  test('keeps what the file omits, and says so', async () => {
    const before = await everything();
    const { provider } = full;
    const report = await applySiteWithReport(app.parts, { provider }, 'nothing');
    assert.deepEqual(report.changes, []);
    assert.deepEqual(await everything(), before);
    const lines = reportLines(report);
    for (const line of [
      '= server dc09r09ds09 is not in the file and stays (--prune removes it)',
      '= server dc01r01ds01 is not in the file and stays (service 1001 uses it)',
      '= netblock 203.0.113.32/29 is not in the file and stays (it belongs to service 1001; --prune --yes removes it)',
      '= customer 1 is not in the file and stays (customers are closed, never removed)',
      '= section nameserver is not in the file and stays (--prune removes it)',
    ])
      assert.ok(lines.includes(line), `${line} is not in\n${lines.join('\n')}`);
    for (const catalogue of Object.keys(catalogues))
      for (const entry of (full[catalogue as keyof Site] as object[] | undefined) ?? [])
        assert.ok(report.retained.some(({ list, key }) => list === catalogue && Object.values(entry).includes(key)));
  });

  test('prunes what is unused; what customers use only with --yes; what they run on never', async () => {
    const [first] = full.switches!;
    const portless = { ...first!, ports: first!.ports!.map(({ ifIndex }) => ({ ifIndex })) };
    const spared = full.servers!.filter(({ name }) => name !== 'dc09r09ds09');
    await assert.rejects(
      applySiteWithReport(app.parts, { ...full, switches: [portless] }, 'unused'),
      (error: Error) => {
        assert.match(error.message, /Nothing was changed[\s\S]* {2}port 1 of \S+: it belongs to service 1001/);
        return true;
      },
    );
    assert.deepEqual(await previewLines(full), []);

    const unused = await applySiteWithReport(app.parts, { ...full, servers: spared }, 'unused');
    assert.deepEqual(
      unused.changes.map(({ how, what }) => `${how} ${what}`),
      ['removed server dc09r09ds09'],
    );
    const removed = await app.parts.store.queries
      .selectFrom('servers')
      .selectAll()
      .where('name', '=', 'dc09r09ds09')
      .executeTakeFirstOrThrow();
    assert.equal(app.parts.secrets.open(removed.bmc_settings, 'bmc dc09r09ds09'), '{}');
    assert.ok(removed.removed_at !== null && removed.serial === null);

    const used = await applySiteWithReport(
      app.parts,
      { ...full, servers: [], switches: [portless], templates: [] },
      'used',
    );
    assert.ok(used.retained.some(({ list, key }) => list === 'servers' && key === 'dc01r01ds01'));
    assert.ok(
      used.retained.some(({ list }) => list === 'templates'),
      'of a machine that runs',
    );
    const ports = await app.parts.store.queries.selectFrom('ports').select('service_id').execute();
    assert.ok(ports.every(({ service_id }) => service_id === null));

    await applySiteWithReport(app.parts, full, 'used');
    assert.deepEqual(await previewLines(full), []);
  });

  test('assigns the ports that lead to a server to its service', async () => {
    const name = full.switches![0]!.name;
    const [first, ...others] = full.servers!;
    const wired = [{ ...first!, ports: [{ switch: name, ifIndex: 48 }] }, ...others];
    await applySite(app.parts, { ...full, servers: wired });
    const owner = async () =>
      (
        await app.parts.store.queries
          .selectFrom('ports')
          .select(['service_id'])
          .where('if_index', '=', 48)
          .executeTakeFirstOrThrow()
      ).service_id;
    assert.equal(await owner(), 1001);
    await applySite(app.parts, { ...full, servers: [{ ...first!, ports: [] }, ...others] });
    assert.equal(await owner(), null);
  });

  test('does not restore what a customer deleted', async () => {
    const { key } = app.lab.customer;
    const contacts = () => request<{ result: { id: string }[] }>(app, 'GET', '/v2/account/contact', { key });
    const [first] = (await contacts()).body.result;
    await request(app, 'DELETE', '/v2/account/contact', { key, params: { id: first!.id } });
    const left = (await contacts()).body;
    await applySite(app.parts, app.site);
    assert.deepEqual((await contacts()).body, left);
  });

  test('does not undo the rotation or revocation of a key that it names', async () => {
    const { key } = app.lab.stranger;
    const send = <Result>(method: string, params: object, as: string) =>
      request<{ result: Result }>(app, method, '/v2/account/key', { key: as, params: { ...params } });
    const status = async (as: string) => (await request(app, 'GET', '/v2/account', { key: as })).status;
    const [own] = (await send<{ id: string }[]>('GET', {}, key)).body.result;
    const rotated = (await send<{ key: string }>('PUT', { id: own!.id, rotate: true, overlap: 0 }, key)).body.result
      .key;
    assert.deepEqual([await status(key), await status(rotated)], [401, 200]);
    await applySite(app.parts, app.site);
    assert.deepEqual([await status(key), await status(rotated)], [401, 200]);
    await send('DELETE', { id: own!.id }, rotated);
    await applySite(app.parts, app.site);
    assert.deepEqual([await status(key), await status(rotated)], [401, 401]);
  });
});
