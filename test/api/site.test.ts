// Applying a site repeatedly: the second time changes nothing, customers' changes are kept, and what the file omits
// stays until it is pruned.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { applySite } from '#app/site/apply.ts';
import { loadStoredSite } from '#app/site/export.ts';
import { readSite } from '#app/site/file.ts';
import { applySiteWithReport, dryRunSite, exportSiteText, reportLines } from '#app/site/report.ts';
import { catalogues } from '#app/site/settings.ts';
import type { Site, SiteServer, SiteSwitch } from '#contract/site/site.ts';
import type { AccountId } from '#store/account-id.ts';
import { contactCount } from '#store/account/contacts.ts';
import { portBind, portsOfSwitch } from '#store/network/switches.ts';
import { metersOf } from '#store/network/traffic.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { operatorResult } from '#test/support/operators.ts';
import { request, requestResult, type Envelope } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { fullSite } from '#test/support/full-site.ts';

describeOnEngines('a site applied again', { postgres: 'in long runs' }, ({ engine, newDatabase, openApp }) => {
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
      '= power strip pdu1 is not in the file and stays (server dc09r09ds09 is plugged into it)',
      '= customer 1 is not in the file and stays (customers can be closed, but not removed)',
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

  test('knows ports by their names, and rejects a file that may mean another port', async () => {
    const [first, ...others] = full.switches!;
    const { queries } = app.parts.store;
    const applyWith = (...ports: NonNullable<SiteSwitch['ports']>) =>
      applySite(app.parts, { ...full, switches: [{ ...first!, ports }, ...others] });
    const stored = async (ifIndex: number) =>
      (await portsOfSwitch(queries, first!.name)).find(({ if_index }) => if_index === ifIndex)!;
    const [own, other] = [
      { ifIndex: 1, name: 'ge-0/0/0', service: 1001 },
      { ifIndex: 3, name: 'ge-0/0/2', service: 1101 },
    ];
    await applyWith(own, other);
    assert.deepEqual([(await stored(1)).key, (await stored(3)).key], [own.name, other.name]);
    const exported = (await loadStoredSite(app.parts, queries))!.switches!.find(({ name }) => name === first!.name)!;
    assert.deepEqual(
      exported.ports!.find(({ ifIndex }) => ifIndex === 1),
      own,
    );
    // The switch renumbers them.
    await portBind(queries, (await stored(1)).id, { current_index: 3 });
    await portBind(queries, (await stored(3)).id, { current_index: 1 });
    await queries
      .insertInto('meters')
      .values({ port_id: (await stored(1)).id, meter: '{}' })
      .execute();
    await applyWith({ ifIndex: 1, service: 1001 }, { ifIndex: 3, service: 1101 });
    const swapped = [
      { ifIndex: 1, service: 1101 },
      { ifIndex: 3, service: 1001 },
    ];
    await assert.rejects(
      applyWith(...swapped),
      /port 1 of dc01sw01 \(name ge-0\/0\/0\) now has the number 3: add its name/,
    );
    assert.equal((await stored(1)).service_id, 1001);
    await applyWith({ ...other, ifIndex: 1 }, { ...own, ifIndex: 3 });
    const { key, service_id, current_index, id } = await stored(1);
    assert.deepEqual([key, service_id, current_index], [other.name, 1101, null]);
    // The counters of one port are not continued with those of another.
    assert.equal((await metersOf(queries, [id])).size, 0);
    await assert.rejects(
      applyWith({ ifIndex: 1, name: own.name, service: 1101 }),
      /ports 1 and 3 of dc01sw01 both have/,
    );
    await applyWith(own, other);
  });

  test('rejects a server under a new name, because its disks would be erased under the old one', async () => {
    const [{ rack: _, unit: _unit, ...first }, ...others] = full.servers! as [SiteServer, ...SiteServer[]];
    const servers = [{ ...first, name: 'web02' }, ...others];
    const services = full.services!.map((service) => (service.id === 1001 ? { ...service, server: 'web02' } : service));
    const before = await everything();
    for (const changed of [{ servers, services }, { servers }])
      await assert.rejects(
        applySiteWithReport(app.parts, { ...full, ...changed }, 'used'),
        /server web02 has the BMC address of server dc01r01ds01, which is assigned/,
      );
    assert.deepEqual(await everything(), before);
    // A server that is free may be removed and added under another name, in one go.
    const free = full.servers!.map((server) => (server.name === 'dc09r09ds09' ? { ...server, name: 'spare' } : server));
    await assert.rejects(
      applySite(app.parts, { ...full, servers: free }),
      /server spare has the BMC address of server dc09r09ds09, which is not in the file: .*--prune/,
    );
    await applySiteWithReport(app.parts, { ...full, servers: free }, 'unused');
    await applySiteWithReport(app.parts, full, 'unused');
  });

  /** The site with a further server and its service. */
  function withServer(server: string, id: number, bmc: SiteServer['bmc'] = unreachableBmc(id)): Site {
    const service = { id, customer: 1, type: 'dedicated', name: 'Own', hostname: 'own.example.net', server } as const;
    return {
      ...full,
      servers: [...full.servers!, { name: server, bmc }],
      services: [...full.services!, { ...service, ip: `203.0.113.${id - 1700}` }],
    };
  }
  const unreachableBmc = (id: number) => ({
    driver: 'ipmi',
    settings: { address: `192.0.2.${id - 1700}`, username: 'provider', password: 'secret' },
  });
  const deviceEntry = async (service: number) => {
    const call = { key: app.lab.customer.key, params: { service } };
    const [device] = await requestResult<{ server: string; alias: string }[]>(app, 'GET', '/v2/device/list', call);
    return device!;
  };

  test('keeps the names of servers, with an alias for those that the legacy API cannot take', async () => {
    const site = withServer('AMS1-r12_srv034.b', 1901, full.servers![0]!.bmc);
    await applySite(app.parts, site);
    const { server, alias } = await deviceEntry(1901);
    assert.equal(server, 'ams1-r12_srv034.b');
    assert.match(alias, /^dc[0-9]{2}r[0-9]{2}ds[0-9]{2}-[0-9]{2}$/);
    assert.deepEqual(
      [(await deviceEntry(1001)).server, (await deviceEntry(1001)).alias],
      ['dc01r01ds01', 'dc01r01ds01'],
    );

    const legacy = (name: string, key = app.lab.customer.key) =>
      request<Envelope>(app, 'POST', '/ipmi/power', { key, form: { server: name, action: 'checkOn' } });
    assertResult(await legacy(alias), 'true');
    assertResult(await legacy(alias.toUpperCase()), 'true');
    assertRejected(await legacy(alias, app.lab.stranger.key), 404);
    assert.match(
      assertRejected(await legacy(server), 400),
      /must be a server name such as dc01r01ds01 or dc01r01ds01-01/,
    );

    const [item] = await operatorResult<{ id: string }[]>(app, 'GET', 'service', { search: alias });
    assert.equal(item?.id, '1901');
    const devices = await operatorResult<{ device: string; alias: string }[]>(app, 'GET', 'device');
    assert.deepEqual(devices.find(({ device }) => device === server)?.alias, alias);
    await operatorResult(app, 'POST', 'device/lock', { device: 'AMS1-R12_SRV034.B', reason: 'A fan is replaced.' });
    assert.equal(
      assertRejected(
        await request(app, 'POST', '/ipmi/power', { key: app.lab.customer.key, form: { server: alias, action: 'on' } }),
        409,
      ),
      'The device is locked: A fan is replaced.',
    );
    await operatorResult(app, 'DELETE', 'device/lock', { device: server });
    assert.equal(
      (await operatorResult<{ device: string }>(app, 'POST', 'device/discover', { server, dryrun: true })).device,
      server,
    );

    await assert.rejects(
      applySite(app.parts, withServer(alias, 1902)),
      new RegExp(`${alias} is the legacy name of server ${server.replaceAll('.', '\\.')}`),
    );
    const before = await everything();
    assert.deepEqual(reportLines(await applySiteWithReport(app.parts, site, 'nothing')), []);
    assert.deepEqual(await everything(), before);
  });

  test('keeps an alias for the life of the server, and gives it to no other', async () => {
    const { server, alias } = await deviceEntry(1901);
    const gone = withServer(server, 1901).services!.map((service) =>
      service.id === 1901 ? { ...service, status: 'Terminated' as const } : service,
    );
    const { queries } = app.parts.store;
    await applySite(app.parts, { ...full, services: gone });
    await queries.updateTable('servers').set({ state: 'available' }).where('name', '=', server).execute();
    await applySiteWithReport(app.parts, full, 'unused');
    await applySite(app.parts, withServer('web01', 1903));
    const other = await deviceEntry(1903);
    assert.equal(other.server, 'web01');
    assert.notEqual(other.alias, alias);
    const back = withServer('web01', 1903);
    await applySite(app.parts, {
      ...back,
      ...withServer(server, 1904),
      servers: [...back.servers!, withServer(server, 1904).servers!.at(-1)!],
    });
    assert.deepEqual([(await deviceEntry(1904)).alias, (await deviceEntry(1903)).alias], [alias, other.alias]);
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

  test('adds a customer once if instances start together', async () => {
    const [ada] = app.site.customers!;
    const contacts = ada!.opening!.contacts!.slice(0, 1);
    const twin = { ...ada!, id: 4711, email: 'twin@example.net', keys: [], opening: { contacts } };
    const site = { ...full, customers: [...full.customers!, twin] };
    await Promise.all([1, 2, 3].map(() => applySite(app.parts, site)));
    assert.equal(await contactCount(app.parts.store.queries, twin.id as AccountId), 1);
  });
});
