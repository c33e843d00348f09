// Concurrent issuing on both engines: invoice numbers have no gaps, and credit is used once.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { addAccount } from '#test/support/accounts.ts';
import { openBillingFixture, setPolicy, type BillingFixture } from '#test/support/billing-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { invoiceInsert } from '#store/billing/invoices.ts';
import { creditOf, ledgerPost, ledgerSum } from '#store/billing/ledger.ts';
import { cancelInvoice } from './corrections.ts';
import { issueInvoice, type InvoiceDraft } from './issue.ts';
import type { AccountId } from '#store/account-id.ts';

function draft(cents: number, now: number): InvoiceDraft {
  const line = { type: 'Hosting', service: undefined, description: 'One month', cents, isTaxed: true } as const;
  return { now, lines: [line] };
}

describeOnEngines('issuing', ({ owned, newDatabase }) => {
  let fixture: BillingFixture;
  before(async () => {
    fixture = owned.use(await openBillingFixture((await newDatabase()).database));
    await setPolicy(fixture.store, {});
  });
  const issue = (account: AccountId, cents: number, now = fixture.clock.now()) =>
    fixture.store.transaction((queries) => issueInvoice(queries, account, draft(cents, now)));

  it('gives numbers without gaps, even if some concurrent transactions fail', async () => {
    const accounts = await Promise.all([1, 2, 3, 4].map((id) => addAccount(fixture.store, id)));
    const attempts = Array.from({ length: 40 }, (_, index) =>
      fixture.store.transaction(async (queries) => {
        const issued = await issueInvoice(queries, accounts[index % 4]!, draft(1000 + index, fixture.clock.now()));
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

  it('gives each series numbers without gaps: credit notes have their own, and so has each year', async () => {
    await setPolicy(fixture.store, { numbers: 'A-{year}-{000}', creditNoteNumbers: 'CN-{year}-{000}' });
    const accounts = await Promise.all([11, 12, 13].map((id) => addAccount(fixture.store, id)));
    const times = [Date.UTC(2027, 5, 1), Date.UTC(2028, 5, 1)];
    const attempts = Array.from({ length: 48 }, (_, index) =>
      fixture.store.transaction(async (queries) => {
        const cents = index % 2 === 0 ? 1000 : -1000;
        const issued = await issueInvoice(queries, accounts[index % 3]!, draft(cents, times[(index >> 1) % 2]!));
        if (index % 5 === 0) throw new Error('given up');
        return issued.number;
      }),
    );
    const results = await Promise.allSettled(attempts);
    const numbers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const series = Map.groupBy(numbers, (number) => number.slice(0, -3));
    assert.deepEqual([...series.keys()].toSorted(), ['A-2027-', 'A-2028-', 'CN-2027-', 'CN-2028-']);
    for (const [name, members] of series)
      assert.deepEqual(
        members.toSorted(),
        members.map((_, index) => `${name}${String(index + 1).padStart(3, '0')}`),
      );
    await setPolicy(fixture.store, {});
  });

  it('skips a number that an imported invoice already has', async () => {
    const account = await addAccount(fixture.store, 5);
    const first = Number((await issue(account, 100)).number.slice(-5));
    const day = fixture.today();
    const zero = { subtotal_cents: 0, credit_cents: 0, tax_cents: 0, tax2_cents: 0, total_cents: 0 };
    const rest = { tax_rate: 0, tax_rate2: 0, payment_method: '', notes: '', corrects_id: null, paid_at: null };
    const number = `INV-2026-${String(first + 1).padStart(5, '0')}`;
    const imported = { number, day, due_day: day, status: 'Paid' as const, ...zero, ...rest };
    await invoiceInsert(fixture.store.queries, account, imported, []);
    assert.equal((await issue(account, 100)).number, `INV-2026-${String(first + 2).padStart(5, '0')}`);
  });

  it('restarts numbering with the year', async () => {
    const account = await addAccount(fixture.store, 6);
    assert.equal((await issue(account, 100, Date.UTC(2031, 0, 1))).number, 'INV-2031-00001');
  });

  it('taxes by country, uses credit once, and leaves nothing to pay if credit covers it all', async () => {
    const account = await addAccount(fixture.store, 7);
    await ledgerPost(fixture.store.queries, account, { at: 0, kind: 'credit' }, [
      { debit: 'goodwill', credit: 'credit', cents: 15_000 },
    ]);
    const [first, second] = await Promise.all([issue(account, 10_000), issue(account, 10_000)]);
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
    const note = await issue(account, -1000);
    assert.deepEqual([note.kind, note.total_cents, note.status], ['CreditNote', -1210, 'Paid']);
    assert.equal(await creditOf(fixture.store.queries, account), 1210);
    assert.equal(await ledgerSum(fixture.store.queries, account, 'receivable'), 0);
  });

  it('issues a credit note for an invoice without an amount', async () => {
    const account = await addAccount(fixture.store, 9);
    const free = draft(1000, fixture.clock.now());
    const discount = { ...free.lines[0]!, type: 'Discount', cents: -1000 } as const;
    const lines = [...free.lines, discount];
    const { number, id } = await fixture.store.transaction((queries) =>
      issueInvoice(queries, account, { ...free, lines }),
    );
    const cancel = () =>
      fixture.store.transaction((queries) => cancelInvoice(fixture.parts, queries, number, 'a mistake'));
    const note = await cancel();
    assert.deepEqual([note.kind, note.corrects_id, note.total_cents], ['CreditNote', id, 0]);
    await assert.rejects(cancel(), /already cancelled/);
  });
});
