// A database of every release opens under this version, with everything in it, and is then like a new one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { dataChecks } from '#app/doctor/data-checks.ts';
import { createHttpServer } from '#http/server.ts';
import { readConfig } from '#lib/config.ts';
import { createApp } from '#server/create-app.ts';
import { openStore } from '#store/open.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { readTables, releases, restoreRelease, type StoredTable } from '#test/support/releases.ts';
import { readSchema } from '#test/support/schema.ts';

/** What migrations change on purpose, as a table or a column. */
const intendedChanges: Readonly<Record<string, string>> = {
  'accounts.credit_cents': '0014-ledger enters it in the ledger',
  serial_lines: '0022-reclaims deletes serial output in plain text',
  'machines.counter_received': '0032-machine-samples counts from new samples',
  'machines.counter_sent': '0032-machine-samples counts from new samples',
  'machines.next_meter_at': '0032-machine-samples counts from new samples',
  serial_history: '0036-background-work moves it to serial_output',
};

/** Migrations are the same on both engines, and take seconds on PostgreSQL. */
const oldestAndNewest = [releases.at(0)!, releases.at(-1)!];

describeOnEngines('a database of an earlier release', ({ engine, owned, emptyDatabase }) => {
  for (const release of engine === 'sqlite' || isLongRun ? releases : oldestAndNewest)
    test(`of ${release.name} opens with everything intact`, async () => {
      const folder = owned.use(await temporaryFolder('release'));
      const location = { dataFolder: folder.path, database: (await emptyDatabase()).database };
      await restoreRelease(release, location);
      const before = await readTables(location);
      assert.ok([...before.values()].reduce((sum, { rows }) => sum + rows.length, 0) > 100, 'it has data');

      const store = await openStore(location);
      try {
        assert.deepEqual(await readSchema(store), await newSchema());
      } finally {
        await store.close();
      }
      const after = await readTables(location);
      assert.deepEqual(
        [...before].flatMap(([table, stored]) => findLosses(table, stored, after.get(table))),
        [],
      );
      await assertUsable(location, release.sealingKey, release.keys[engine]);
    });

  let schema: Promise<unknown> | undefined;
  const newSchema = () => (schema ??= readNewSchema());
  async function readNewSchema(): Promise<unknown> {
    const folder = owned.use(await temporaryFolder('release'));
    const store = await openStore({ dataFolder: folder.path, database: (await emptyDatabase()).database });
    const found = await readSchema(store);
    await store.close();
    return found;
  }
});

function findLosses(table: string, before: StoredTable, after: StoredTable | undefined): string[] {
  if (table in intendedChanges) return [];
  if (after === undefined) return [`${table} is missing`];
  const kept = before.columns.filter((column) => !(`${table}.${column}` in intendedChanges));
  const missing = kept.filter((column) => !after.columns.includes(column));
  if (missing.length > 0) return missing.map((column) => `${table}.${column} is missing`);
  const left = rowTexts(after, kept);
  return rowTexts(before, kept)
    .filter((row) => !left.includes(row))
    .map((row) => `${table} has no row ${row.slice(0, 200)}`);
}

function rowTexts({ columns, rows }: StoredTable, kept: readonly string[]): string[] {
  const places = kept.map((column) => columns.indexOf(column));
  return rows.map((row) =>
    places.map((place) => (Buffer.isBuffer(row[place]) ? row[place].toString('hex') : String(row[place]))).join(' | '),
  );
}

async function assertUsable(
  location: { dataFolder: string; database: string | undefined },
  sealingKey: string,
  key: string,
): Promise<void> {
  const config = {
    ...readConfig({ HOSTYARD_DATA: location.dataFolder }),
    database: location.database,
    sealingKey: Buffer.from(sealingKey, 'base64'),
  };
  await using app = await createApp(config, { log: pino({ level: 'silent' }) });
  for (const check of dataChecks.filter(({ name }) => name !== 'clock'))
    assert.deepEqual([check.name, ...(await check.run(app)).map(({ message }) => message)], [check.name]);
  const http = await createHttpServer(app, config);
  const response = await http.inject({ url: '/v2/account/contact', headers: { 'x-api-key': key } });
  assert.ok(
    response.json<{ result: { firstname: string }[] }>().result.some(({ firstname }) => firstname === 'Anna'),
    response.body,
  );
  await http.close();
}
