// Applying the site of a large provider: what has not changed costs little, a preview holds nobody back, and a start
// with an unchanged file applies nothing.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { stringify } from 'yaml';
import { applyWithin } from '#app/site/apply.ts';
import { applySiteWithReport, dryRunSite, reportLines } from '#app/site/report.ts';
import type { Site } from '#contract/site/site.ts';
import { openSite } from '#server/open-site.ts';
import { metaPut } from '#store/meta.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { labCatalogue, smallMachine } from '#test/support/machine-site.ts';
import { createKeyText } from '#lib/key-text.ts';
import { operatorResult } from '#test/support/operators.ts';

const secretName = 'HOSTYARD_TEST_SITE_SECRET';

/** The site with as many more customers, each with a key, a server, a virtual machine and a network. */
function grown(site: Site, count: number): Site {
  const [customer] = site.customers!;
  const [server] = site.servers!;
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const names = (number: number) => `dc07r01ds${String(number).padStart(2, '0')}`;
  const service = (number: number) => ({
    customer: 1000 + number,
    hostname: `large${number}.example.net`,
    name: 'Large',
  });
  const { keys: _, opening: __, passwordHash: ___, ...person } = customer!;
  return {
    ...site,
    templates: [...site.templates!, ...labCatalogue.filter(({ value }) => value === smallMachine.template)].filter(
      ({ value }, index, all) => all.findIndex((other) => other.value === value) === index,
    ),
    plans: [...(site.plans ?? []), { name: 'Large', price: '9.00', cycle: 'monthly' }],
    racks: [...site.racks!, { name: 'large' }],
    customers: [
      ...site.customers!,
      ...numbers.map((number) => {
        const { printableId: id, secretHash } = createKeyText();
        const keys = [{ name: 'own', id, hash: secretHash.toString('hex'), scopes: ['all' as const] }];
        return { ...person, id: 1000 + number, email: `large${number}@example.net`, keys };
      }),
    ],
    servers: [
      ...site.servers!,
      ...numbers.map((number) => ({
        name: names(number),
        bmc: { ...server!.bmc, settings: { ...server!.bmc.settings, address: `192.0.2.${number}` } },
        rack: 'large',
        unit: number,
        macs: [`52:54:00:07:00:${number.toString(16).padStart(2, '0')}`],
        ports: [{ switch: site.switches![0]!.name, ifIndex: 1000 + number }],
      })),
    ],
    services: [
      ...site.services!,
      ...numbers.flatMap((number) => [
        {
          ...service(number),
          id: 7000 + number,
          type: 'dedicated' as const,
          ip: `198.18.100.${number}`,
          server: names(number),
        },
        {
          ...service(number),
          id: 8000 + number,
          type: 'vps' as const,
          ip: `198.18.101.${number}`,
          vmid: 8000 + number,
          machine: smallMachine,
          plan: 'Large',
          start: '2026-01-01',
        },
      ]),
    ],
    netblocks: [
      ...site.netblocks!,
      ...numbers.map((number) => ({ cidr: `198.18.102.${number * 4}/30`, service: 7000 + number })),
    ],
  };
}

describeOnEngines('the site of a large provider', { postgres: 'in long runs' }, ({ owned, openApp }) => {
  let app: TestApp;
  let site: Site;
  before(async () => {
    app = await openApp();
    site = app.site;
  });

  async function countStatements(applied: Site): Promise<number> {
    let count = 0;
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        count++;
        return result;
      },
    };
    await app.parts.store.transaction((queries) =>
      applyWithin(app.parts, queries.withPlugin(counter), applied, new Set()),
    );
    return count;
  }

  test('takes few statements for each new entry, and none for one that is stored', async () => {
    const [few, many] = [grown(site, 5), grown(site, 30)];
    await countStatements(few);
    const unchanged = await countStatements(few);
    const perCustomer = ((await countStatements(many)) - unchanged) / 30;
    assert.ok(perCustomer < 2, `${perCustomer} statements`);
    assert.equal(await countStatements(many), unchanged);
    site = many;
  });

  test('is previewed while a transaction is open, and does not hold it back', { timeout: 60_000 }, async () => {
    const added = grown(site, 0);
    const customer = { ...site.customers![0]!, id: 999, email: 'new@example.net', keys: [], opening: {} };
    const lines = await app.parts.store.transaction(async (queries) => {
      await metaPut(queries, 'preview', 'a write');
      return reportLines(
        await dryRunSite(app.parts, { ...added, customers: [...added.customers!, customer] }, 'nothing'),
      );
    });
    assert.ok(lines.includes('+ customer 999'), lines.join('\n'));
    const { queries } = app.parts.store;
    const rows = await queries.selectFrom('accounts').select('id').where('email', '=', customer.email).execute();
    assert.deepEqual(rows, []);
  });

  test('is applied at a start only if something has changed', async () => {
    const { queries } = app.parts.store;
    const folder = owned.use(await temporaryFolder('site'));
    const file = join(folder.path, 'site.yaml');
    const licenceHook = { url: 'https://licences.example.net', secret: { env: secretName } };
    const write = (comment: string): void =>
      writeFileSync(file, `# ${comment}\n${stringify({ ...site, licenceHook }, { aliasDuplicateObjects: false })}`);
    process.env[secretName] = 'first secret';
    owned.defer(() => void delete process.env[secretName]);
    write('first');

    const { id, firstname } = site.customers![0]!;
    /** Returns true if the start has restored what the file says. */
    async function startRestores(): Promise<boolean> {
      await queries
        .updateTable('accounts')
        .set({ firstname: 'Changed' })
        .where('id', '=', id as never)
        .execute();
      const settings = await openSite(app.parts, file);
      assert.deepEqual(settings.provider, site.provider);
      const account = await queries
        .selectFrom('accounts')
        .select('firstname')
        .where('id', '=', id as never)
        .execute();
      return account[0]!.firstname === firstname;
    }
    /** Staff's actions count for a minute, in case they were committed during the start. */
    const passTime = () => app.pass(120_000);
    assert.equal(await startRestores(), true, 'the first start');
    assert.equal(await startRestores(), false, 'an unchanged file');
    write('second');
    assert.equal(await startRestores(), true, 'a changed file');
    process.env[secretName] = 'second secret';
    assert.equal(await startRestores(), true, 'a changed secret');
    assert.equal(await startRestores(), false, 'an unchanged secret');
    await applySiteWithReport(app.parts, site, 'nothing');
    assert.equal(await startRestores(), true, 'another file applied by a command');
    assert.equal(await startRestores(), false, 'nothing again');
    await operatorResult(app, 'POST', 'device/lock', { device: site.servers![0]!.name, reason: 'A fan is replaced.' });
    assert.equal(await startRestores(), true, 'an action of staff');
    passTime();
    assert.equal(await startRestores(), true, 'an action of staff shortly before');
    assert.equal(await startRestores(), false, 'an action of staff long before');
  });
});
