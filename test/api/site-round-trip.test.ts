// Any site file can be exported and applied again without a change: generated sites, one after the other on one
// database, each pruning what the previous one had. Also covers its message texts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { appendMessage } from '#app/billing/messages.ts';
import { applySite } from '#app/site/apply.ts';
import { readSite } from '#app/site/file.ts';
import { applySiteWithReport, exportSiteText } from '#app/site/report.ts';
import type { Site } from '#contract/site/site.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { request } from '#test/support/request.ts';
import type { AccountId } from '#store/account-id.ts';
import { machineCopiesObsolete, machineCopyPut } from '#store/devices/machine-copies.ts';
import { machineImageChange, machineImageInsert, machineImagesToDelete } from '#store/devices/machine-images.ts';
import { volumeInsert, volumesToDelete } from '#store/devices/volumes.ts';

const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 :#'"{}-]{0,18}[a-z]$/);
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/);
const price = fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Drops undefined members, as in a file. */
function asSite(value: object): Site {
  return JSON.parse(JSON.stringify(value)) as Site;
}

const racks = fc.uniqueArray(
  fc.record({ name, height: optional(fc.integer({ min: 40, max: 60 })), place: optional(word) }),
  { selector: (rack) => rack.name, minLength: 1, maxLength: 3 },
);

/** Unused equipment, each in its own rack unit. */
const equipment = racks.chain((drawnRacks) =>
  fc.record({
    racks: fc.constant(drawnRacks),
    servers: fc
      .array(
        fc.record({
          password: fc.string({ maxLength: 16 }),
          isMounted: fc.boolean(),
          part: word,
          serial: fc.boolean(),
        }),
        { maxLength: 4 },
      )
      .map((drafts) =>
        drafts.map(({ password, isMounted, part, serial }, index) => ({
          name: `dc07r01ds0${index}`,
          bmc: { driver: 'ipmi', settings: { address: `192.0.2.${index}`, username: 'provider', password } },
          ...(serial ? { serial: `SN ${index}` } : {}),
          ...(isMounted ? { rack: drawnRacks[0]!.name, unit: 2 * index + 1, height: 2 } : {}),
          parts: { CPU: [part] },
          macs: [`52:54:00:77:00:0${index}`],
          ...(isMounted ? { bootAddress: `198.51.100.${index}` } : {}),
          ports: [{ switch: 'round-trip', ifIndex: index + 1 }],
        })),
      ),
    switches: fc.constant([
      {
        name: 'round-trip',
        driver: 'snmp',
        settings: { version: '2c', address: '192.0.2.200', community: 'a secret' },
        ports: [{ ifIndex: 30, service: 1001 }, { ifIndex: 31 }],
      },
    ]),
  }),
);

const sections = fc.record(
  {
    taxes: fc.uniqueArray(fc.record({ country: fc.constantFrom('NL', 'DE', 'CA'), rate: price.map(() => '21.00') }), {
      selector: ({ country }) => country,
    }),
    images: fc
      .uniqueArray(name, { maxLength: 3 })
      .map((values) => values.map((value) => ({ value, file: `/iso/${value}` }))),
    licences: fc.constant([{ name: 'VPS_PANEL1' as const, price: '3.50' }]),
    webhooks: fc.constant({ allow: ['10.0.0.0/8'] }),
    keyLimits: fc.constant({ rate: 10, burst: 20 }),
    messages: fc.record({ subject: word, text: word }).map(({ subject, text }) => ({
      'invoice.paid': { subject: subject.replaceAll(/[{}]/g, ''), text: `{firstname}${text.replaceAll(/[{}]/g, '')}` },
    })),
    nameserver: fc.constant({
      names: ['ns1.example.net'],
      listen: '127.0.0.1:0',
      transfer: { keys: [{ name: 'key.example.net', algorithm: 'hmac-sha256' as const, secret: 'c2VjcmV0' }] },
    }),
    billing: fc.record({ terms: fc.integer({ min: 1, max: 60 }), reminders: fc.constant([3, 10]) }),
  },
  { requiredKeys: [] },
);

describe('a site', () => {
  let app: TestApp;
  before(async () => void (app = await openTestApp()));
  after(() => app[Symbol.asyncDispose]());

  test('that was applied and exported changes nothing when applied again', async () => {
    const { provider, customers, services, templates, nodes, plans } = app.site;
    const fixed = { provider, customers, services, templates, nodes, plans, servers: app.site.servers! };
    const property = fc.asyncProperty(equipment, sections, async (drawn, settings) => {
      const site = asSite({
        ...fixed,
        ...settings,
        ...drawn,
        racks: [...app.site.racks!, ...drawn.racks],
        servers: [...fixed.servers, ...drawn.servers],
        netblocks: app.site.netblocks!,
      });
      await applySiteWithReport(app.parts, site, 'used');
      const exported = readSite(await exportSiteText(app.parts), 'export.yaml', app.parts.secrets);
      const { changes, retained: left } = await applySiteWithReport(app.parts, exported, 'used');
      assert.deepEqual([changes, left], [[], []]);
      for (const list of ['racks', 'servers', 'switches'] as const)
        assert.equal(exported[list]?.length ?? 0, site[list]?.length ?? 0, list);
      for (const section of Object.keys(settings) as (keyof Site)[])
        if ((site[section] as unknown[]).length !== 0) assert.deepEqual(exported[section], site[section]);
    });
    await fc.assert(property, { numRuns: 8 });
  });

  test('fills in its messages next to the events, in the words of the file', async () => {
    const messages = {
      'account.suspended': {
        subject: 'To {firstname}',
        text: '{provider} waits for {invoicenum}, {company}{reminder}.',
      },
    };
    await applySite(app.parts, { ...app.site, messages });
    const account = 1 as AccountId;
    await app.parts.store.transaction((queries) =>
      appendMessage(app.parts, queries, { account, type: 'account.suspended', data: { invoicenum: 'A {firstname}' } }),
    );
    const { data } = await app.parts.store.queries
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'account.suspended')
      .executeTakeFirstOrThrow();
    const { company } = app.site.customers![0]!;
    assert.deepEqual(JSON.parse(data), {
      invoicenum: 'A {firstname}',
      message: {
        subject: `To ${app.site.customers![0]!.firstname}`,
        text: `Hostyard lab waits for A {firstname}, ${company ?? ''}.`,
      },
    });
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

  test('removes no server that is not erased, and hands it out under no other name', async () => {
    const { queries } = app.parts.store;
    const stateSet = (state: 'quarantined' | 'available') =>
      queries.updateTable('servers').set({ state }).where('name', '=', 'web03').execute();
    const unreachableBmc = (id: number) => ({
      driver: 'ipmi',
      settings: { address: `192.0.2.${id - 1700}`, username: 'provider', password: 'secret' },
    });
    const full = app.site;
    const customer = full.customers![0]!.id;
    const ended = {
      id: 1905,
      customer,
      type: 'dedicated',
      name: 'Own',
      hostname: 'own.example.net',
      server: 'web03',
    } as const;
    const site: Site = { ...full, services: [...full.services!, { ...ended, ip: '203.0.113.205' }] };
    const web03 = {
      name: 'web03',
      bmc: unreachableBmc(1905),
      macs: ['52:54:00:19:05:01'],
      uuid: '4c4c4544-0000-2010-8020-80c04f190501',
    };
    await applySite(app.parts, { ...site, servers: [...full.servers!, web03] });
    const gone = site.services!.map((service) =>
      service.id === 1905 ? { ...service, status: 'Terminated' as const } : service,
    );
    const pruned = async () => {
      const { retained } = await applySiteWithReport(app.parts, { ...full, services: gone }, 'used');
      return retained.find(({ key }) => key === 'web03')?.why;
    };
    assert.equal(await pruned(), 'its disks are not erased yet');
    await stateSet('quarantined');
    assert.equal(await pruned(), 'it is in quarantine');
    const { macs, uuid, bmc } = web03;
    const twins = { 'BMC address': { bmc }, 'MAC address': { macs }, UUID: { uuid: uuid.toUpperCase() } };
    for (const [what, twin] of Object.entries(twins)) {
      const servers = [...full.servers!, { name: 'web04', bmc: unreachableBmc(1906), ...twin }];
      await assert.rejects(
        applySiteWithReport(app.parts, { ...full, services: gone, servers }, 'used'),
        new RegExp(`server web04 has the ${what} of server web03, which is quarantined`),
      );
    }
    await stateSet('available');
    assert.equal(await pruned(), undefined);
  });

  test('a hypervisor stays as long as it has what customers keep, and what is left to be removed needs a confirmation', async () => {
    const full = app.site;
    const { queries } = app.parts.store;
    const account = Number(full.customers![0]!.id) as AccountId;
    const [{ id: service = 0 } = {}] = full.services!;
    const old = { name: 'old1', driver: 'lab', settings: { address: '192.0.2.9', port: 1, token: 'secret-enough' } };
    await applySite(app.parts, { ...full, nodes: [...full.nodes!, old] });
    const common = { account_id: account, service_id: service, node: 'old1', created_at: 0 };
    const volume = { ...common, name: 'data', size_gb: 1, grows_to_gb: null, state: 'Ready', is_attached: 0 } as const;
    const { id } = (await volumeInsert(queries, volume))!;
    const left = { source: 'new1', workflow_id: 'w', mode: null, is_obsolete: 1, progress_at: 0 };
    await machineCopyPut(queries, { ...common, ...left, vmid: 1, memory_mb: 1, disk_gb: 1 });
    const entryAfter = async (prune: 'unused' | 'used') => {
      const { retained } = await applySiteWithReport(app.parts, full, prune);
      const { use, why } = retained.find(({ key }) => key === 'old1') ?? {};
      return [use, why];
    };
    assert.deepEqual(await entryAfter('used'), ['stays', `volume ${id} of customer ${account} is on it`]);
    const image = await machineImageInsert(queries, {
      ...common,
      name: 'golden',
      kind: 'Xen',
      disk_gb: 1,
      template: 'debian-12',
    });
    await queries.updateTable('volumes').set({ state: 'Deleting' }).where('id', '=', id).execute();
    assert.deepEqual(await entryAfter('used'), ['stays', `image ${image.id} of customer ${account} is on it`]);
    await machineImageChange(queries, image.id, { state: 'deleting' });
    const [use, why] = await entryAfter('unused').catch((error: unknown) => ['customers', String(error)]);
    assert.equal(use, 'customers');
    assert.match(why!, /not removed from it yet/);
    assert.deepEqual(await entryAfter('used'), [undefined, undefined]);
    const rows = [
      await volumesToDelete(queries),
      await machineImagesToDelete(queries),
      await machineCopiesObsolete(queries),
    ];
    assert.deepEqual(rows, [[], [], []], 'nobody waits for a hypervisor that is gone');
  });
});
