// Concurrent issuing on both engines: invoice numbers have no gaps, and credit is used once.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addAccount } from '#test/support/accounts.ts';
import { openBillingFixture, setPolicy, type BillingFixture } from '#test/support/billing-fixtures.ts';
import { engines } from '#test/support/app.ts';
import { invoiceInsert } from '#store/billing/invoices.ts';
import { creditOf, ledgerPost, ledgerSum } from '#store/billing/ledger.ts';
import { issueInvoice, type InvoiceDraft } from './issue.ts';
import type { AccountId } from '#store/account-id.ts';

function draft(fixture: BillingFixture, cents: number): InvoiceDraft {
  const line = { type: 'Hosting', service: undefined, description: 'One month', cents, taxed: true } as const;
  return { now: fixture.clock.now(), lines: [line] };
}

for (const { engine, suite, start } of engines) {
  describe(`issuing on ${engine}`, suite, () => {
    const owned = new AsyncDisposableStack();
    let fixture: BillingFixture;
    before(async () => {
      const running = owned.use(await start());
      fixture = owned.use(await openBillingFixture((await running.newDatabase()).database));
      await setPolicy(fixture.store, {});
    });
    after(() => owned.disposeAsync());

    it('gives numbers without gaps, even if some concurrent transactions fail', async () => {
      const accounts = await Promise.all([1, 2, 3, 4].map((id) => addAccount(fixture.store, id)));
      const attempts = Array.from({ length: 40 }, (_, index) =>
        fixture.store.transaction(async (queries) => {
          const issued = await issueInvoice(queries, accounts[index % 4]!, draft(fixture, 1000 + index));
          if (index % 3 === 0) throw new Error('given up');
          return issued.number;
        }),
      );
      const results = await Promise.allSettled(attempts);
      const numbers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      assert.equal(numbers.length, 26);
      const expected = numbers.map((_, index) => `INV-2026-${String(index + 1).padStart(5, '0')}`);
      assert.deepEqual(numbers.toSorted(), expected);
    });

    it('skips a number that an imported invoice already has', async () => {
      const account = await addAccount(fixture.store, 5);
      const issue = () => fixture.store.transaction((queries) => issueInvoice(queries, account, draft(fixture, 100)));
      const first = Number((await issue()).number.slice(-5));
      const day = fixture.today();
      const zero = { subtotal_cents: 0, credit_cents: 0, tax_cents: 0, tax2_cents: 0, total_cents: 0 };
      const rest = { tax_rate: 0, tax_rate2: 0, payment_method: '', notes: '', corrects_id: null, paid_at: null };
      const number = `INV-2026-${String(first + 1).padStart(5, '0')}`;
      await invoiceInsert(
        fixture.store.queries,
        account,
        { number, day, due_day: day, status: 'Paid', ...zero, ...rest },
        [],
      );
      assert.equal((await issue()).number, `INV-2026-${String(first + 2).padStart(5, '0')}`);
    });

    it('restarts numbering with the year', async () => {
      const account = await addAccount(fixture.store, 6);
      const now = Date.UTC(2031, 0, 1);
      const issued = await fixture.store.transaction((queries) =>
        issueInvoice(queries, account, { ...draft(fixture, 100), now }),
      );
      assert.equal(issued.number, 'INV-2031-00001');
    });

    it('taxes by country, uses credit once, and leaves nothing to pay if credit covers it all', async () => {
      const account: AccountId = await addAccount(fixture.store, 7);
      await ledgerPost(fixture.store.queries, account, { at: 0, kind: 'credit' }, [
        { debit: 'goodwill', credit: 'credit', cents: 15_000 },
      ]);
      const issue = (cents: number) =>
        fixture.store.transaction((queries) => issueInvoice(queries, account, draft(fixture, cents)));
      const [first, second] = await Promise.all([issue(10_000), issue(10_000)]);
      const sums = [first, second].toSorted((left, right) => left.total_cents - right.total_cents);
      assert.deepEqual(
        sums.map(({ tax_cents, credit_cents, total_cents, status }) => [tax_cents, credit_cents, total_cents, status]),
        [
          [2100, 12_100, 0, 'Paid'],
          [2100, 2900, 9200, 'Unpaid'],
        ],
      );
      assert.equal(await creditOf(fixture.store.queries, account), 0);
      assert.equal(await ledgerSum(fixture.store.queries, account, 'receivable'), 9200);
    });

    it('issues a credit note for a negative total, and turns it into credit', async () => {
      const account = await addAccount(fixture.store, 8);
      const note = await fixture.store.transaction((queries) => issueInvoice(queries, account, draft(fixture, -1000)));
      assert.deepEqual([note.kind, note.total_cents, note.status], ['CreditNote', -1210, 'Paid']);
      assert.equal(await creditOf(fixture.store.queries, account), 1210);
      assert.equal(await ledgerSum(fixture.store.queries, account, 'receivable'), 0);
    });
  });
}
