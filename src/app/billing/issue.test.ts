// Issuing at once from many sides, on both engines: numbers without gaps, credit used once.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addAccount } from '#test/support/accounts.ts';
import { openBillingWorld, setPolicy, type BillingWorld } from '#test/support/billing-world.ts';
import { engines } from '#test/support/yard.ts';
import { invoiceInsert } from '#store/billing/invoices.ts';
import { creditOf, ledgerPost, ledgerSum } from '#store/billing/ledger.ts';
import type { AccountId } from '#store/tables.ts';
import { invoiceIssue, type InvoiceDraft } from './issue.ts';

function draft(world: BillingWorld, cents: number): InvoiceDraft {
  const line = { type: 'Hosting', service: undefined, description: 'One month', cents, taxed: true } as const;
  return { now: world.clock.now(), lines: [line] };
}

for (const { engine, suite, start } of engines) {
  describe(`issuing on ${engine}`, suite, () => {
    const owned = new AsyncDisposableStack();
    let world: BillingWorld;
    before(async () => {
      const running = owned.use(await start());
      world = owned.use(await openBillingWorld((await running.newDatabase()).database));
      await setPolicy(world.store, {});
    });
    after(() => owned.disposeAsync());

    it('gives numbers without gaps, also where some of those who issue at once fail', async () => {
      const accounts = await Promise.all([1, 2, 3, 4].map((id) => addAccount(world.store, id)));
      const attempts = Array.from({ length: 40 }, (_, index) =>
        world.store.transaction(async (queries) => {
          const issued = await invoiceIssue(queries, accounts[index % 4]!, draft(world, 1000 + index));
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

    it('passes over a number that an account brought along', async () => {
      const account = await addAccount(world.store, 5);
      const issue = () => world.store.transaction((queries) => invoiceIssue(queries, account, draft(world, 100)));
      const first = Number((await issue()).number.slice(-5));
      const day = world.today();
      const zero = { subtotal_cents: 0, credit_cents: 0, tax_cents: 0, tax2_cents: 0, total_cents: 0 };
      const rest = { tax_rate: 0, tax_rate2: 0, payment_method: '', notes: '', corrects_id: null, paid_at: null };
      const number = `INV-2026-${String(first + 1).padStart(5, '0')}`;
      await invoiceInsert(
        world.store.queries,
        account,
        { number, day, due_day: day, status: 'Paid', ...zero, ...rest },
        [],
      );
      assert.equal((await issue()).number, `INV-2026-${String(first + 2).padStart(5, '0')}`);
    });

    it('begins anew with the year', async () => {
      const account = await addAccount(world.store, 6);
      const now = Date.UTC(2031, 0, 1);
      const issued = await world.store.transaction((queries) =>
        invoiceIssue(queries, account, { ...draft(world, 100), now }),
      );
      assert.equal(issued.number, 'INV-2031-00001');
    });

    it('taxes by country, uses credit up once, and leaves nothing to pay where it covers all', async () => {
      const account: AccountId = await addAccount(world.store, 7);
      await ledgerPost(world.store.queries, account, { at: 0, kind: 'credit' }, [
        { debit: 'goodwill', credit: 'credit', cents: 15_000 },
      ]);
      const issue = (cents: number) =>
        world.store.transaction((queries) => invoiceIssue(queries, account, draft(world, cents)));
      const [one, other] = await Promise.all([issue(10_000), issue(10_000)]);
      const sums = [one, other].toSorted((left, right) => left.total_cents - right.total_cents);
      assert.deepEqual(
        sums.map(({ tax_cents, credit_cents, total_cents, status }) => [tax_cents, credit_cents, total_cents, status]),
        [
          [2100, 12_100, 0, 'Paid'],
          [2100, 2900, 9200, 'Unpaid'],
        ],
      );
      assert.equal(await creditOf(world.store.queries, account), 0);
      assert.equal(await ledgerSum(world.store.queries, account, 'receivable'), 9200);
    });

    it('makes a credit note of what comes out below zero, and credit of it', async () => {
      const account = await addAccount(world.store, 8);
      const note = await world.store.transaction((queries) => invoiceIssue(queries, account, draft(world, -1000)));
      assert.deepEqual([note.kind, note.total_cents, note.status], ['CreditNote', -1210, 'Paid']);
      assert.equal(await creditOf(world.store.queries, account), 1210);
      assert.equal(await ledgerSum(world.store.queries, account, 'receivable'), 0);
    });
  });
}
