// Every statement that serving all calls, running the background work and applying a site takes is explained by its
// database. One that reads a whole table of a growing kind fails, because it becomes slower with every customer.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { applySite } from '#app/site/apply.ts';
import { ensureMachine } from '#app/site/machines.ts';
import { dryRunSite } from '#app/site/report.ts';
import { giveBandwidthNotices } from '#app/network/bandwidth-notices.ts';
import { maintenanceWorker } from '#app/operator/maintenance-notification.ts';
import { bandwidthNotices } from '#reconcilers/bandwidth-notices.ts';
import { bmcAccess } from '#reconcilers/bmc-access.ts';
import { consoleUsers } from '#reconcilers/console-users.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { machineSampling } from '#reconcilers/machine-samples.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { volumeTidy } from '#reconcilers/volume-tidy.ts';
import { powerSync } from '#reconcilers/power-sync.ts';
import { sensorsPoll } from '#reconcilers/sensors-poll.ts';
import { sampleMerge } from '#reconcilers/sample-merge.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import { workflowSweep } from '#reconcilers/workflow-sweep.ts';
import { columnTypes, migrations } from '#store/migrate.ts';
import { workflowJob } from '#workflows/engine/runner.ts';
import { createAccountFixtures, inputs } from '#test/support/account-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { operatorCall } from '#test/support/operator-fixtures.ts';
import { bootableSite } from '#test/support/reloads.ts';
import { callRoute, freeDevices, routes } from '#test/support/routes.ts';
import { addManyServices, listedPages, type ListedPage } from '#test/support/many-services.ts';
import { requestResult } from '#test/support/request.ts';
import { collectStatements, countReads, type Reads } from '#test/support/statements.ts';
import type { TestApp } from '#test/support/app.ts';
import { uniqueAddress } from '#test/support/operators.ts';

/** Tables that do not grow with customers, or whose rows exist only while something is under way. */
const boundedTables = new Set([
  'console_forwards',
  'console_sessions',
  'console_tickets',
  'detectors',
  'device_holds',
  'device_locks',
  'exchange_rates',
  'image_uploads',
  'jobs',
  'licence_prices',
  'machine_copies',
  'machine_deletions',
  'maintenances',
  'meta',
  'migrations',
  'nodes',
  'operators',
  'passkey_challenges',
  'pdus',
  'pollers',
  'price_plans',
  'racks',
  'reconcilers',
  'screen_sessions',
  'templates',
  'zone_publications',
]);

/** Needs no row: the database counts the entries of an index. */
const countsAll = /^select count\(\*\) as "count" from "(?:servers|switches)"$/;

/** Statements that need every row, each with a reason. */
const allowed: readonly (readonly [reason: string, ...statements: RegExp[]])[] = [
  [
    'applying, comparing and exporting a site reads everything that the file describes, once',
    /^select \* from "(?:accounts|services|server_macs|servers|switches|ports|machines|netblocks|rack_mounts|service_terms)"(?: where "(?:id|origin)" !?= \S+| where "removed_at" is null)?(?: order by [^()]*)?$/,
    /^select \* from "keys" where (?:"revoked_at" is null and )?"site_hash" is not null/,
    /^select "account_id", "(?:bill_day|services|email)"(?:, "\w+")* from "(?:billing_accounts|billing_suspensions|sign_ins)"/,
    /^select "id", "status", "server" from "services"$/,
    /^select "services"."id" from "services" inner join "accounts" .* where \("services"."status" = \S+ or "accounts"/,
    /^select "image", "service_id" from "device_images"$/,
    /^select "service_id", "until_day" from "cancellations"$/,
    /^select distinct "name" from "licences"/,
    /^select \* from "withdrawn_zones" order by "id"$/,
    /^select "servers"."name", "servers"."alias" from "servers" inner join "servers" as "named"/,
  ],
  ['the overview for staff counts all equipment, for which the database needs no row', countsAll],
  [
    'staff adopt a machine with its addresses, which no service may have; that is rare',
    /^select "ip" from "services" where "status" != \S+$/,
  ],
  [
    'the page of tax counts VAT numbers by their state',
    /^select "state", count\(\*\) as "count" from "account_taxes" where "vat_number" != \S+ group by "state"$/,
  ],
  [
    'the page of plans counts the services of each',
    /^select "plan", count\(\*\) as "count" from "service_terms" .* group by "plan"$/,
  ],
  [
    'finding the block around an address walks a part of an index on either database',
    /^select "records"\.\* from "records" where "address" is not null and not exists/,
  ],
  [
    'housekeeping joins with the few attacks that have expired; PostgreSQL chooses how by their number',
    /^(?:update "nullroutes"|delete from "attack_(?:logs|records)") .*where "attack_id" in \(select "id" from "attacks"/,
  ],
  ['housekeeping looks at each account', /select account_id from audit_tips as account where events > 0/],
  ['few servers have such users', /^select (?:\*|distinct "server", "service_id") from "bmc_users" where "kind" = /],
  [
    'planning checks of sensors needs all servers, once a minute',
    /^select "name" from "servers" where "removed_at" is null$/,
  ],
  [
    'few servers have faults; without statistics, PostgreSQL reads the others next to them',
    /^select "server", "faults" from "server_sensors" inner join "servers" .* where "fault_count" > /,
  ],
  [
    'few machines are newer than a reading; the statement is planned each time, but here for no time',
    /^select "machines"\."service_id", .* and "services"\."installed_at" >= \$2 .*\/\* planned each time \*\/$/,
  ],
  [
    'a fixture of the tests',
    /^select "id" from "reloads"$/,
    /^update "workflows" set "ended_at" = \S+ where "name" like /,
    /^update "licences" set "status" = \S+ where "service_id" = \S+ and "status" <> /,
  ],
];

/** A constant number of extra rows depends on how the database finds them. */
const toleratedRows = 20;
const few = 100;
const many = 2000;
/** Statements that load the caller's key, which is cached for a moment, and record that it was used. */
const ofTheKey = 5;

// Both engines have the same indexes, as test/sweeps/schema.test.ts shows; planning everything on PostgreSQL takes a minute.
describeOnEngines('the statements of the store', { postgres: 'in long runs' }, ({ engine, owned, openApp }) => {
  let collector: ReturnType<typeof collectStatements>;
  let app: TestApp;
  before(async () => {
    collector = collectStatements(engine);
    app = await openApp({ trustedProxies: ['127.0.0.1'] });
  });

  test('find rows by an index, except those that need all', async () => {
    const { parts } = app;
    const folder = owned.use(await temporaryFolder('plans'));
    const site = { ...bootableSite(app.site, folder.path), webhooks: { allow: ['127.0.0.0/8'] } };
    await applySite(parts, site);
    for (const route of routes) {
      const encoding = route.method === 'GET' ? 'query' : 'json';
      await freeDevices(app);
      if (route.operation.api === 'operator') {
        const { params, key = app.lab.operator.key } = await operatorCall(app, route);
        await callRoute(app, route, params, encoding, { key });
        continue;
      }
      const fixtures = await createAccountFixtures(app, app.lab.customer.key, route);
      for (const input of inputs(route, fixtures, app.lab).slice(0, 2))
        await callRoute(app, route, input, encoding, { key: app.lab.customer.key });
    }
    for (const reconciler of [
      housekeeping(parts.store, parts.clock),
      workflowSweep(parts, workflowJob),
      powerSync(parts),
      sensorsPoll({ ...parts, canCustomersSee: async () => true }),
      machineSync(parts, async (queries, service) => void (await ensureMachine(parts, queries, service))),
      machineSampling(parts),
      machineTidy(parts),
      volumeTidy(parts),
      consoleUsers(parts),
      bmcAccess(parts),
      trafficPoll(parts),
      sampleMerge(parts),
      bandwidthNotices(parts.store, parts.clock, (signal) => giveBandwidthNotices(parts, signal)),
    ])
      await reconciler.run(AbortSignal.timeout(60_000));
    await notifyOfMaintenance(parts);
    await applySite(parts, site);
    await dryRunSite(parts, site, 'nothing');

    const migrated = new Set(migrations.flatMap((migration) => migration.statements(columnTypes[engine], engine)));
    const own = [...collector.statements].filter(
      (statement) => !migrated.has(statement) && !statement.includes('pgboss') && !isOfTests(statement),
    );
    assert.ok(own.length > 400, `only ${own.length} statements were collected`);
    const scans = (await collector.findScans(own)).filter(
      ({ table, statement }) =>
        !boundedTables.has(table) &&
        !allowed.some(([, ...patterns]) => patterns.some((pattern) => pattern.test(statement))),
    );
    const lines = scans.map(({ table, statement }) => `${table}: ${statement.replaceAll(/\s+/g, ' ')}`);
    assert.deepEqual(lines, []);
  });

  test('of a page read no more rows with many services than with few', async () => {
    const { store } = app.parts;
    const read = async ({ path, key }: ListedPage): Promise<Reads> => {
      const call = () => requestResult(app, 'GET', path, { key, headers: uniqueAddress() });
      await call();
      return countReads(engine, async () => void (await call()), countsAll);
    };
    const readAll = async (services: number): Promise<Map<string, Reads>> => {
      await addManyServices(store, services === few ? 0 : few, services);
      if (engine === 'postgres') await sql`vacuum analyze`.execute(store.queries);
      const reads = new Map<string, Reads>();
      for (const page of listedPages(app.lab)) reads.set(page.label, await read(page));
      return reads;
    };
    const withFew = await readAll(few);
    const growing = [...(await readAll(many))].flatMap(([label, { statements, rows }]) => {
      const before = withFew.get(label)!;
      const isSame = statements <= before.statements + ofTheKey && rows <= before.rows * 1.5 + toleratedRows;
      return isSame ? [] : [`${label}: ${before.statements} → ${statements} statements, ${before.rows} → ${rows} rows`];
    });
    assert.deepEqual(growing, []);
  });
});

/** Fixtures change all rows of a table. */
function isOfTests(statement: string): boolean {
  return /^(?:update|delete)\b/i.test(statement) && !/\bwhere\b/i.test(statement);
}

/** Notifies the customers of all announced maintenance, without a queue. */
async function notifyOfMaintenance(parts: TestApp['parts']): Promise<void> {
  const { store } = parts;
  const planned = await store.queries.selectFrom('maintenances').select(['id', 'revision']).execute();
  const inTransaction = <T>(work: (queries: typeof store.queries) => Promise<T>) => store.transaction(work);
  for (const { id, revision } of planned)
    await maintenanceWorker(parts).handle({
      id: '',
      attempt: 1,
      payload: { maintenance: id, revision, after: 0 },
      signal: AbortSignal.timeout(60_000),
      publish: inTransaction,
      complete: inTransaction,
    });
}
