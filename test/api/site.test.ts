// Making the site so, again and again: the second time nothing changes, what customers did since is theirs, and what the file
// leaves out stays until somebody says otherwise.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { applySite } from '#app/site/apply.ts';
import { readSite } from '#app/site/file.ts';
import { applyTold, applyTried, exportText, reportLines } from '#app/site/report.ts';
import { catalogues } from '#app/site/settings.ts';
import type { Site } from '#contract/site.ts';
import { request } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

const extra = {
  racks: [{ name: 'r01', place: 'Hall 1' }],
  messages: { 'invoice.reminder': { subject: 'Invoice {invoicenum}', text: 'Dear {firstname}, please pay {total}.' } },
} satisfies Partial<Site>;

/** The lab, with what it has none of. */
function fullSite({ site }: TestYard): Site {
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

for (const { engine, suite, start } of engines) {
  describe(`a site that is applied again on ${engine}`, suite, () => {
    let running: Awaited<ReturnType<typeof start>>;
    let yard: TestYard;
    let full: Site;
    before(async () => {
      running = await start();
      yard = await openTestYard(await running.newDatabase());
      full = fullSite(yard);
      await applySite(yard.parts, full);
    });
    after(async () => {
      await yard?.[Symbol.asyncDispose]();
      await running?.[Symbol.asyncDispose]();
    });

    /** Every row; on PostgreSQL with the transaction that wrote it. */
    async function everything(): Promise<Record<string, unknown[]>> {
      const { queries } = yard.parts.store;
      const tables = await queries.introspection.getTables();
      const contents: Record<string, unknown[]> = {};
      const columns = engine === 'postgres' ? sql`xmin::text as written_by, *` : sql`*`;
      for (const { name, schema } of tables) {
        // The queue's own, where it has a schema.
        if (schema === 'pgboss') continue;
        const { rows } = await sql`select ${columns} from ${sql.table(name)}`.execute(queries);
        contents[name] = rows.map((row) => JSON.stringify(row)).sort();
      }
      return contents;
    }

    /** How many rows the writing connection of SQLite has touched, also in vain. */
    async function rowsWritten(): Promise<unknown> {
      if (engine === 'postgres') return 'told by each row';
      return yard.parts.store.transaction(
        async (queries) => (await sql`select total_changes() as count`.execute(queries)).rows,
      );
    }

    const told = async (site: Site) => reportLines(await applyTried(yard.parts, site, 'nothing'));

    test('changes nothing, and writes no row', async () => {
      const before = await everything();
      const written = await rowsWritten();
      yard.pass(86_400_000);
      assert.deepEqual(reportLines(await applyTold(yard.parts, full, 'nothing')), []);
      assert.deepEqual(await everything(), before);
      assert.deepEqual(await rowsWritten(), written);
    });

    test('can be exported, without a secret in clear, and what was exported changes nothing', async () => {
      const text = await exportText(yard.parts);
      for (const secret of ['spare secret', String(yard.site.switches![0]!.settings['community'])])
        assert.ok(!text.includes(secret), secret);
      assert.match(text, /password:\n\s+sealed: s1\./);
      const exported = readSite(text, 'export.yaml', yard.parts.secrets);
      const before = await everything();
      assert.deepEqual(reportLines(await applyTold(yard.parts, exported, 'used')), []);
      assert.deepEqual(await everything(), before);
      // In another installation it makes the same site, for who has the key.
      await using other = await openTestYard({ ...(await running.newDatabase()), beside: yard });
      await applySite(other.parts, exported);
      const again = readSite(await exportText(other.parts), 'again.yaml', yard.parts.secrets);
      assert.deepEqual(again, exported);
    });

    test('is applied whole or not at all', async () => {
      const before = await everything();
      const [ada, bruno] = yard.site.customers ?? [];
      const customers = [
        { ...ada!, city: 'Elsewhere' },
        { ...bruno!, email: ada!.email },
      ];
      await assert.rejects(applySite(yard.parts, { ...full, customers }), /signs in/);
      const there = { ...full.servers![1]!, rack: 'r01', unit: 8 };
      await assert.rejects(applySite(yard.parts, { ...full, servers: [there] }), /would share units of rack r01/);
      assert.deepEqual(await everything(), before);
    });

    test('tells before what it would change, field by field, and no secret', async () => {
      const before = await everything();
      const [first, ...others] = full.servers!;
      const settings = { ...first!.bmc.settings, password: 'another secret' };
      const servers = [{ ...first!, bmc: { ...first!.bmc, settings }, unit: 3 }, ...others];
      const taxes = full.taxes!.map((tax, index) => (index === 0 ? { ...tax, rate: '19.50' } : tax));
      const plans = [...full.plans!, { name: 'New', price: '1.00', cycle: 'monthly' as const }];
      const lines = await told({ ...full, servers, taxes, plans, webhooks: { allow: ['10.0.0.0/8'] } });
      assert.deepEqual(lines, [
        '+ plan New',
        `~ tax of ${taxes[0]!.country}`,
        `    rate: ${full.taxes![0]!.rate} → 19.50`,
        `~ server ${first!.name}`,
        '    bmc.settings.password: changed (secret)',
        '    unit: 1 → 3',
        '+ section webhooks',
      ]);
      assert.deepEqual(await everything(), before);
    });

    test('keeps what the file leaves out, and says so', async () => {
      const before = await everything();
      const { provider } = full;
      const report = await applyTold(yard.parts, { provider }, 'nothing');
      assert.deepEqual(report.changes, []);
      assert.deepEqual(await everything(), before);
      const lines = reportLines(report);
      for (const line of [
        '= server dc09r09ds09 is not in the file and stays (--prune removes it)',
        '= server dc01r01ds01 is not in the file and stays (service 1001 has it)',
        '= netblock 203.0.113.32/29 is not in the file and stays (service 1001 has it; --prune --yes removes it)',
        '= customer 1 is not in the file and stays (a customer is closed, never left out)',
        '= section nameserver is not in the file and stays (--prune removes it)',
      ])
        assert.ok(lines.includes(line), `${line} is not in\n${lines.join('\n')}`);
      for (const catalogue of Object.keys(catalogues))
        for (const entry of (full[catalogue as keyof Site] as object[] | undefined) ?? [])
          assert.ok(report.kept.some(({ list, key }) => list === catalogue && Object.values(entry).includes(key)));
    });

    test('prunes what nobody uses; what customers use only when that is said; what they run on never', async () => {
      const [first] = full.switches!;
      const portless = { ...first!, ports: first!.ports!.map(({ ifIndex }) => ({ ifIndex })) };
      const spared = full.servers!.filter(({ name }) => name !== 'dc09r09ds09');
      await assert.rejects(applyTold(yard.parts, { ...full, switches: [portless] }, 'unused'), (error: Error) => {
        assert.match(error.message, /Nothing was changed[\s\S]* {2}port 1 of \S+: service 1001 has it/);
        return true;
      });
      assert.deepEqual(await told(full), []);

      const unused = await applyTold(yard.parts, { ...full, servers: spared }, 'unused');
      assert.deepEqual(
        unused.changes.map(({ how, what }) => `${how} ${what}`),
        ['removed server dc09r09ds09'],
      );
      const gone = await yard.parts.store.queries
        .selectFrom('servers')
        .selectAll()
        .where('name', '=', 'dc09r09ds09')
        .executeTakeFirstOrThrow();
      assert.equal(yard.parts.secrets.open(gone.bmc_settings, 'bmc dc09r09ds09'), '{}');
      assert.ok(gone.removed_at !== null && gone.serial === null);

      const used = await applyTold(yard.parts, { ...full, servers: [], switches: [portless], templates: [] }, 'used');
      assert.ok(used.kept.some(({ list, key }) => list === 'servers' && key === 'dc01r01ds01'));
      assert.ok(
        used.kept.some(({ list }) => list === 'templates'),
        'of a machine that runs',
      );
      const ports = await yard.parts.store.queries.selectFrom('ports').select('service_id').execute();
      assert.ok(ports.every(({ service_id }) => service_id === null));

      await applyTold(yard.parts, full, 'used');
      assert.deepEqual(await told(full), []);
    });

    test('gives the ports that lead to a server to the service that has it', async () => {
      const name = full.switches![0]!.name;
      const [first, ...others] = full.servers!;
      const wired = [{ ...first!, ports: [{ switch: name, ifIndex: 48 }] }, ...others];
      await applySite(yard.parts, { ...full, servers: wired });
      const owner = async () =>
        (
          await yard.parts.store.queries
            .selectFrom('ports')
            .select(['service_id'])
            .where('if_index', '=', 48)
            .executeTakeFirstOrThrow()
        ).service_id;
      assert.equal(await owner(), 1001);
      await applySite(yard.parts, { ...full, servers: [{ ...first!, ports: [] }, ...others] });
      assert.equal(await owner(), null);
    });

    test('does not bring back what a customer removed', async () => {
      const { key } = yard.lab.customer;
      const contacts = () => request<{ result: { id: string }[] }>(yard, 'GET', '/v2/account/contact', { key });
      const [first] = (await contacts()).body.result;
      await request(yard, 'DELETE', '/v2/account/contact', { key, params: { id: first!.id } });
      const left = (await contacts()).body;
      await applySite(yard.parts, yard.site);
      assert.deepEqual((await contacts()).body, left);
    });

    test('does not undo the rotation or the revocation of a key that it names', async () => {
      const { key } = yard.lab.stranger;
      const ask = <Result>(method: string, params: object, as: string) =>
        request<{ result: Result }>(yard, method, '/v2/account/key', { key: as, params: { ...params } });
      const status = async (as: string) => (await request(yard, 'GET', '/v2/account', { key: as })).status;
      const [own] = (await ask<{ id: string }[]>('GET', {}, key)).body.result;
      const rotated = (await ask<{ key: string }>('PUT', { id: own!.id, rotate: true, overlap: 0 }, key)).body.result
        .key;
      assert.deepEqual([await status(key), await status(rotated)], [401, 200]);
      await applySite(yard.parts, yard.site);
      assert.deepEqual([await status(key), await status(rotated)], [401, 200]);
      await ask('DELETE', { id: own!.id }, rotated);
      await applySite(yard.parts, yard.site);
      assert.deepEqual([await status(key), await status(rotated)], [401, 401]);
    });
  });
}
