// The ledger on both engines is append-only, balances, and contains what was there before it.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { sql } from 'kysely';
import { addAccount } from '#test/support/accounts.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { openTestStore } from '#test/support/store.ts';
import type { Store } from '../store.ts';
import { creditOf, ledgerList, ledgerPost, ledgerSum } from './ledger.ts';
import type { Book } from './tables.ts';

const books = ['receivable', 'credit', 'tax', 'revenue:Hosting', 'paid:card', 'goodwill'] as const;
const movement = fc
  .record({
    debit: fc.constantFrom<Book>(...books),
    credit: fc.constantFrom<Book>(...books),
    cents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  })
  .filter(({ debit, credit }) => debit !== credit);

describeOnEngines('the ledger', ({ owned, newDatabase }) => {
  let store: Store;
  before(async () => {
    const folder = owned.use(await temporaryFolder('ledger'));
    store = await openTestStore({ dataFolder: folder.path, database: (await newDatabase()).database });
    owned.defer(() => store.close());
  });

  it('rejects changes to entries, invoices, lines, charges and receipts', async () => {
    const account = await addAccount(store, 1);
    await ledgerPost(store.queries, account, { at: 0, kind: 'credit' }, [
      { debit: 'goodwill', credit: 'credit', cents: 5 },
    ]);
    await sql`insert into invoices (account_id, number, day, due_day, status, subtotal_cents, credit_cents, tax_cents, tax2_cents,
        total_cents, tax_rate, tax_rate2, payment_method, notes) values (1, 'A', 0, 0, 'Unpaid', 1, 0, 0, 0, 1, 0, 0, '', '')`.execute(
      store.queries,
    );
    await sql`insert into invoice_lines (account_id, invoice_id, type, description, amount_cents, taxed)
        select 1, id, 'Hosting', '', 1, 0 from invoices`.execute(store.queries);
    await sql`insert into receipts (account_id, method, reference, amount_cents, paid_at) values (1, 'a', 'b', 1, 0)`.execute(
      store.queries,
    );
    await sql`insert into charges select 1, 0, 'Hosting', 'term 1', 0, 1, 1, id from invoices`.execute(store.queries);
    await sql`insert into payments (account_id, invoice_id, amount_cents, paid_at, method, reference)
        select 1, id, 1, 0, '', '' from invoices`.execute(store.queries);
    const attempts = [
      ['ledger', 'amount_cents = 6'],
      ['invoices', 'total_cents = 2'],
      ['invoices', "number = 'B'"],
      ['invoice_lines', 'amount_cents = 2'],
      ['charges', 'amount_cents = 2'],
      ['receipts', 'amount_cents = 2'],
      ['payments', 'amount_cents = 2'],
    ] as const;
    for (const [table, change] of attempts) {
      const appendOnly = new RegExp(`${table} is append-only`);
      await assert.rejects(sql.raw(`update ${table} set ${change}`).execute(store.queries), appendOnly, change);
      await assert.rejects(sql.raw(`delete from ${table}`).execute(store.queries), appendOnly, table);
    }
    await sql`update invoices set status = 'Paid', paid_at = 1`.execute(store.queries);
    assert.equal(await creditOf(store.queries, account), 5);
  });

  it("balances whatever is posted: the sum of an account's books is zero", async () => {
    let next = 100;
    await fc.assert(
      fc.asyncProperty(fc.array(movement, { maxLength: 12 }), async (movements) => {
        const account = await addAccount(store, next++);
        await ledgerPost(store.queries, account, { at: 0, kind: 'credit' }, movements);
        const sums = await Promise.all(books.map((book) => ledgerSum(store.queries, account, book)));
        assert.equal(
          sums.reduce((total, sum) => total + sum, 0),
          0,
        );
        for (const [index, book] of books.entries()) {
          const expected = movements.reduce(
            (sum, { debit, credit, cents }) => sum + (debit === book ? cents : credit === book ? -cents : 0),
            0,
          );
          assert.equal(sums[index], expected);
        }
        for (const entry of await ledgerList(store.queries, account)) assert.ok(entry.amount_cents > 0);
      }),
      { numRuns: 40 },
    );
  });
});
