// `hostyard apply` killed in the middle of its work: it is one transaction, so nothing of it remains, and the next run
// does all of it.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { stringify } from 'yaml';
import type { Store } from '#store/store.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { engines } from '#test/support/app.ts';
import { openTestStore } from '#test/support/store.ts';
import { until } from '#test/support/until.ts';

const customers = 120;
const root = join(import.meta.dirname, '..', '..');

const site = {
  provider: { name: 'Test', currency: { code: 'EUR' } },
  customers: Array.from({ length: customers }, (_, index) => ({
    id: index + 1,
    firstname: 'Ada',
    lastname: `Number ${index}`,
    email: `ada${index}@example.net`,
    address1: 'Street 1',
    city: 'Town',
    state: 'State',
    postcode: '12345',
    country: 'NL',
  })),
  services: [{ id: 1, customer: 1, type: 'vps', name: 'V', hostname: 'a.example.net', ip: '192.0.2.1', vmid: 1 }],
};

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  printed(): string;
}

function apply(file: string, data: string, database: string | undefined): Run {
  return command(['apply', file], data, database);
}

function command(args: readonly string[], data: string, database: string | undefined): Run {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
    HOSTYARD_DATA: data,
    HOSTYARD_SITE: '',
    HOSTYARD_DATABASE: database ?? '',
  };
  const child = spawn(process.execPath, ['bin/hostyard.js', ...args], { cwd: root, env });
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  child.stderr.on('data', (text: Buffer) => (printed += text.toString()));
  return { child, ended: once(child, 'close'), printed: () => printed };
}

/** Waits until it holds the write lock with its transaction open, and stops it there. */
async function stopInTransaction(run: Run, data: string): Promise<void> {
  using handle = disposable(new Database(join(data, 'hostyard.sqlite'), { timeout: 0 }));
  const isStopped = (): boolean => {
    assert.equal(run.child.exitCode, null, run.printed());
    if (!isTaken(handle.database)) return false;
    run.child.kill('SIGSTOP');
    if (isTaken(handle.database)) return true;
    run.child.kill('SIGCONT');
    return false;
  };
  await until(isStopped, { saw: run.printed, pollMs: 1 });
}

function disposable(database: Database.Database) {
  return { database, [Symbol.dispose]: () => void database.close() };
}

function isTaken(database: Database.Database): boolean {
  try {
    database.exec('begin immediate');
    database.exec('rollback');
    return false;
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'SQLITE_BUSY');
    return true;
  }
}

/** Locks the table after the customers' until the work is done. */
async function whileHeld(store: Store, run: () => Run, work: (run: Run) => Promise<void>): Promise<void> {
  await store.queries.transaction().execute(async (holding) => {
    await sql`lock table services in access exclusive mode`.execute(holding);
    const started = run();
    const waiting = sql<{ count: number }>`select count(*)::int as count from pg_locks
      where not granted and relation = 'services'::regclass`;
    await until(
      async () => {
        assert.equal(started.child.exitCode, null, started.printed());
        return (await waiting.execute(store.queries)).rows[0]?.count === 1;
      },
      { saw: started.printed },
    );
    await work(started);
  });
}

/** `hostyard diff` exits like diff: 0 if equal, 1 if not. */
async function compares(file: string, data: string): Promise<void> {
  const same = command(['diff', file], data, undefined);
  await same.ended;
  assert.deepEqual([same.child.exitCode, same.printed()], [0, '']);
  writeFileSync(file, stringify({ ...site, customers: [{ ...site.customers[0]!, city: 'Elsewhere' }] }));
  const other = command(['diff', file], data, undefined);
  await other.ended;
  assert.equal(other.child.exitCode, 1);
  const lines = other.printed().split('\n');
  assert.deepEqual(lines.slice(0, 2), ['~ customer 1', '    city: Town → Elsewhere']);
  assert.ok(lines.includes('= 119 customers are not in the file and stay (customers can be closed, but not removed)'));
}

describe('a site that is being applied', { concurrency: true }, () => {
  for (const { engine, suite, start } of engines) {
    test(
      `and killed in the middle on ${engine} leaves nothing, and is complete after the next run`,
      suite,
      async () => {
        await using running = await start();
        await using folder = await temporaryFolder('apply');
        const { database } = await running.newDatabase();
        const file = join(folder.path, 'site.yaml');
        writeFileSync(file, stringify(site));
        const store = await openTestStore({ dataFolder: folder.path, database });
        const count = async () => {
          const { rows } = await sql<{ count: number }>`select count(*) as count from accounts where id > 0`.execute(
            store.queries,
          );
          return Number(rows[0]!.count);
        };
        const shoot = async (run: Run): Promise<void> => {
          run.child.kill('SIGKILL');
          await run.ended;
          assert.equal(run.child.signalCode, 'SIGKILL', run.printed());
        };
        try {
          if (engine === 'postgres') await whileHeld(store, () => apply(file, folder.path, database), shoot);
          else {
            const run = apply(file, folder.path, database);
            await stopInTransaction(run, folder.path);
            await shoot(run);
          }
          assert.equal(await count(), 0);
          const next = apply(file, folder.path, database);
          await next.ended;
          assert.equal(next.child.exitCode, 0, next.printed());
          assert.match(next.printed(), /^\+ customer 120$[\s\S]*^\+ service 1$[\s\S]*^Applied\.$/m);
          assert.equal(await count(), customers);
          if (engine === 'sqlite') await compares(file, folder.path);
        } finally {
          await store.close();
        }
      },
    );
  }
});
