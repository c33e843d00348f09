// Transactions that arrive together share a commit and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import SQLite from 'better-sqlite3';
import { sql } from 'kysely';
import { temporaryFolder } from '#test/support/folder.ts';
import { openTestStore } from '#test/support/store.ts';
import type { Queries, Store } from '../store.ts';
import { isUnavailable } from './unavailable.ts';

interface Notebook extends AsyncDisposable {
  readonly store: Store;
  /** Returns what another process would see, that is, what is committed. */
  numbers(): number[];
}

async function openNotebook(): Promise<Notebook> {
  const folder = await temporaryFolder('writer');
  const store = await openTestStore({ dataFolder: folder.path, database: undefined });
  await sql`create table notes (number integer primary key, text text not null)`.execute(store.queries);
  const other = new SQLite(`${folder.path}/hostyard.sqlite`, { readonly: true });
  return {
    store,
    numbers: () => other.prepare('select number from notes order by number').pluck().all() as number[],
    async [Symbol.asyncDispose]() {
      other.close();
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const note = (queries: Queries, number: number, text: string | null = ''): Promise<unknown> =>
  sql`insert into notes (number, text) values (${number}, ${text})`.execute(queries);

const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test('transactions share commits, and each resolves when all can see it', async () => {
  await using notebook = await openNotebook();
  const { store, numbers } = notebook;
  const seen: number[] = [];
  await Promise.all(
    oneTo(40).map(async (number) => {
      await store.transaction((queries) => note(queries, number));
      const visible = numbers();
      assert.ok(visible.includes(number));
      seen.push(visible.length);
    }),
  );
  assert.deepEqual(numbers(), oneTo(40));
  assert.ok(new Set(seen).size < 40, 'every transaction had its own commit');
});

test('a transaction that fails among others rolls back only its own writes', async () => {
  await using notebook = await openNotebook();
  const { store, numbers } = notebook;
  const outcomes = await Promise.allSettled(
    oneTo(60).map((number) =>
      store.transaction(async (queries) => {
        await note(queries, number);
        if (number % 3 === 0) throw new Error('rolled back');
        if (number % 5 === 0) await note(queries, number + 100, null);
      }),
    ),
  );
  const committed = oneTo(60).filter((number) => number % 3 !== 0 && number % 5 !== 0);
  assert.deepEqual(numbers(), committed);
  assert.deepEqual(
    oneTo(60).filter((number) => outcomes[number - 1]!.status === 'fulfilled'),
    committed,
  );
});

test('a single statement between transactions is committed in its turn', async () => {
  await using notebook = await openNotebook();
  const { store, numbers } = notebook;
  await Promise.all(
    oneTo(40).map((number) =>
      number % 4 === 0 ? note(store.queries, number) : store.transaction((queries) => note(queries, number)),
    ),
  );
  assert.deepEqual(numbers(), oneTo(40));
});

test('on a full disk, rejected transactions leave nothing and resolved ones are stored', async () => {
  await using notebook = await openNotebook();
  const { store, numbers } = notebook;
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.queries);
  await sql.raw(`pragma max_page_count = ${rows[0]!.page_count + 20}`).execute(store.queries);
  const outcomes = await Promise.allSettled(
    oneTo(60).map((number) => store.transaction((queries) => note(queries, number, 'x'.repeat(3000)))),
  );
  const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.ok(rejected.length > 0 && rejected.every(({ reason }) => isUnavailable(reason)));
  assert.deepEqual(
    numbers(),
    oneTo(60).filter((number) => outcomes[number - 1]!.status === 'fulfilled'),
  );
});
