// The migration to the ledger on a database that already has invoices, payments and credit: no balance changes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { engines } from '#test/support/app.ts';
import { openUnmigratedDatabase } from '#test/support/unmigrated-database.ts';
import { foundation } from './0001-foundation.ts';
import { dns } from './0007-dns.ts';
import { addresses } from './0009-addresses.ts';
import { ledger } from './0014-ledger.ts';

const person = `'', '', '', '', '', '', '', '', '', 'NL', '', null`;

describe('the migration to the ledger', { concurrency: true }, () => {
  for (const engine of engines) {
    it(`on ${engine.engine} keeps the balance of every account`, engine.suite, async () => {
      await using database = await openUnmigratedDatabase(engine);
      const { queries, run, migrate } = database;
      await migrate(foundation, dns, addresses);

      for (const [account, credit] of [
        [1, 500],
        [2, 0],
        [3, -200],
      ])
        await run(
          `insert into accounts values (${account}, ${person}, 'Active', 'EUR', '', '', ${credit}, 1000, null, null, null)`,
        );
      const invoice = (account: number, number: string, status: string, credit: number) =>
        run(`insert into invoices (account_id, number, day, due_day, status, subtotal_cents, credit_cents, tax_cents, tax2_cents,
          total_cents, tax_rate, tax_rate2, payment_method, notes)
          values (${account}, '${number}', 1, 15, '${status}', 8500, ${credit}, 1785, 85, ${10_370 - credit}, 2100, 100, '', '')`);
      await invoice(1, 'A', 'Unpaid', 0);
      await invoice(1, 'B', 'Paid', 370);
      await invoice(1, 'C', 'Cancelled', 0);
      await invoice(2, 'D', 'Unpaid', 70);
      await run(`insert into invoice_lines (account_id, invoice_id, type, description, amount_cents, taxed)
        select account_id, id, 'Hosting', '', 8900, 1 from invoices union all select account_id, id, 'Credit', '', -400, 1 from invoices`);
      await run(`insert into payments (account_id, invoice_id, amount_cents, paid_at, method, reference)
        select account_id, id, case number when 'A' then 1000 else total_cents end, 5, 'card', number from invoices
        where number in ('A', 'B')`);
      await migrate(ledger);

      const owed = await sql<{ account_id: number; cents: number }>`select account_id,
        sum(case when debit in ('receivable', 'credit') then amount_cents else 0 end
        - case when credit in ('receivable', 'credit') then amount_cents else 0 end) as cents
        from ledger group by account_id order by account_id`.execute(queries);
      assert.deepEqual(
        owed.rows.map(({ account_id, cents }) => [account_id, cents]),
        [
          [1, 10_370 - 1000 - 500],
          [2, 10_300],
          [3, 200],
        ],
      );
      const books = await sql<{ book: string; cents: number }>`select book, sum(cents) as cents from (
        select debit as book, amount_cents as cents from ledger union all select credit, -amount_cents from ledger) as sides
        group by book order by book`.execute(queries);
      assert.deepEqual(Object.fromEntries(books.rows.map(({ book, cents }) => [book, cents])), {
        credit: -300,
        opening: 370 + 70 + 500 - 200,
        'paid:card': 11_000,
        receivable: 10_370 - 1000 + 10_300,
        'revenue:Credit': 1200,
        'revenue:Hosting': -26_700,
        tax: -5355,
        tax2: -255,
      });
    });
  }
});
