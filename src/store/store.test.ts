// Transactions are isolated and atomic, and several processes can start at once.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { temporaryFolder } from '#test/support/folder.ts';
import { engines, type RunningEngine } from '#test/support/app.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { metaInsertOnce } from './meta.ts';
import { prepared } from './engine/prepared.ts';
import { takeProcessLock } from './engine/process-lock.ts';
import type { StoreLocation } from './location.ts';
import { openStore } from './open.ts';
import type { Queries, Store } from './store.ts';

const root = join(import.meta.dirname, '..', '..');
const metaByName = prepared((queries: Queries, values: { name: string; other: string }) =>
  queries.selectFrom('meta').selectAll().where('name', 'in', [values.name, values.other]).orderBy('name'),
);

for (const { engine, suite, start } of engines) {
  describe(`the store on ${engine}`, suite, () => {
    const owned = suiteResources();
    let running: RunningEngine;
    let location: StoreLocation;
    let store: Store;
    before(async () => {
      running = owned.use(await start());
      const folder = owned.use(await temporaryFolder('store'));
      location = { dataFolder: folder.path, database: (await running.newDatabase()).database };
      store = await openStore(location);
      owned.defer(() => store.close());
    });
    const names = async (queries: Queries = store.queries) =>
      (await queries.selectFrom('meta').select('name').orderBy('name').execute()).map(({ name }) => name);
    const insert = (queries: Queries, name: string) =>
      queries.insertInto('meta').values({ name, value: 'x' }).execute();

    test('hides open transactions from built and prepared queries', async () => {
      const committed = await names();
      await store.transaction(async (transaction) => {
        await insert(transaction, 'open');
        assert.ok((await names(transaction)).includes('open'));
        assert.equal((await metaByName(transaction, { name: 'open', other: '' })).length, 1);
        assert.deepEqual(await names(), committed);
        assert.deepEqual(await metaByName(store.queries, { name: 'open', other: '' }), []);
      });
      assert.ok((await names()).includes('open'));
      assert.deepEqual(await metaByName(store.queries, { name: 'open', other: '' }), [{ name: 'open', value: 'x' }]);
    });

    test('rolls back a failed transaction and continues', async () => {
      const failing = store.transaction(async (transaction) => {
        await insert(transaction, 'half');
        throw new Error('no');
      });
      await assert.rejects(failing, /no/);
      await assert.rejects(store.transaction((transaction) => insert(transaction, 'open')));
      assert.ok(!(await names()).includes('half'));
      await store.transaction((transaction) => insert(transaction, 'after'));
      assert.ok((await names()).includes('after'));
    });

    test('runs many transactions at once, each atomic', async () => {
      const transactions = Array.from({ length: 50 }, (_, index) =>
        store.transaction(async (transaction) => {
          await insert(transaction, `many ${index} a`);
          await new Promise((resolve) => setImmediate(resolve));
          await insert(transaction, `many ${index} b`);
        }),
      );
      await Promise.all(transactions);
      assert.equal((await names()).filter((name) => name.startsWith('many')).length, 100);
    });

    // SQLite has one at a time.
    if (engine === 'postgres')
      test('lets a transaction decide again if another one inserted the same after it had looked', async () => {
        let attempts = 0;
        const outcome = await store.transaction(async (transaction) => {
          if ((await names(transaction)).includes('raced')) return 'there';
          if (attempts++ === 0) await store.transaction((other) => insert(other, 'raced'));
          await insert(transaction, 'raced');
          return 'inserted';
        });
        assert.deepEqual([outcome, attempts], ['there', 1]);
      });

    if (engine === 'postgres')
      test('ends a transaction that violates the same constraint again in the same way', async () => {
        let attempts = 0;
        const violate = (next: (attempt: number) => string) => {
          attempts = 0;
          return assert.rejects(
            store.transaction((queries) => insert(queries, next(attempts++))),
            /duplicate key/,
          );
        };
        await insert(store.queries, 'taken');
        await insert(store.queries, 'taken too');
        await violate(() => 'taken');
        assert.equal(attempts, 2);
        // Another violation may be another race.
        await violate((attempt) => (attempt % 2 === 0 ? 'taken' : 'taken too'));
        assert.equal(attempts, 5);
      });

    test('gives a prepared query its own values every time', async () => {
      const read = async (name: string, other: string) =>
        (await metaByName(store.queries, { name, other })).map((row) => row.name);
      assert.deepEqual(await read('open', 'after'), ['after', 'open']);
      assert.deepEqual(await read("' or 1=1 --", 'open'), ['open']);
      assert.deepEqual(await read('', ''), []);
    });

    test('stores a settled value only once', async () => {
      const stored = await Promise.all(['a', 'b', 'c'].map((value) => metaInsertOnce(store.queries, 'fact', value)));
      assert.equal(new Set(stored).size, 1);
    });

    test('is migrated once if several processes start at the same time', async () => {
      await using fresh = await temporaryFolder('migrate');
      const empty = { dataFolder: fresh.path, database: (await running.emptyDatabase()).database };
      const script = `import { openStore } from '#store/open.ts';
        const store = await openStore(${JSON.stringify(empty)});
        await store.close();`;
      const starting = Array.from({ length: 4 }, async () => {
        const child = spawn(
          process.execPath,
          ['--import=./test/support/preload.ts', '--input-type=module', '--eval', script],
          { cwd: root },
        );
        let output = '';
        child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
        const [code] = (await once(child, 'exit')) as [number];
        assert.equal(code, 0, output);
      });
      await Promise.all(starting);
      const migrated = await openStore(empty);
      const { rows } = await sql<{ name: string }>`select name from migrations`.execute(migrated.queries);
      assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length);
      await migrated.close();
    });

    test('rejects a database that a newer version has migrated', async () => {
      await sql`insert into migrations (name) values ('9999-later')`.execute(store.queries);
      await assert.rejects(openStore(location), /newer Hostyard/);
      await sql`delete from migrations where name = '9999-later'`.execute(store.queries);
    });
  });
}

describe('the lock of a data folder', () => {
  test('is held by one process at a time, and can be taken again once released', async () => {
    await using folder = await temporaryFolder('lock');
    const lock = takeProcessLock(folder.path);
    assert.ok(lock);
    assert.equal(takeProcessLock(folder.path), undefined);
    lock.release();
    takeProcessLock(folder.path)!.release();
  });
});
