// Whatever happens to the invoices of an account, the books balance, what it owes is what is open on its invoices, and
// the reports and exports add up to the ledger.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { ApiError } from '#lib/api-error.ts';
import { moneyCents } from '#lib/money.ts';
import { dayMs, dayNumberText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { invoiceCorrections, invoiceFind, invoiceLines, invoicesOpen } from '#store/billing/invoices.ts';
import { creditOf, ledgerList, ledgerSum } from '#store/billing/ledger.ts';
import { metaPut } from '#store/meta.ts';
import { addAccount } from '#test/support/accounts.ts';
import { openBillingFixture, setPolicy, type BillingFixture } from '#test/support/billing-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { giveCredit, issueCreditNote, refundCredit } from './corrections.ts';
import { issueInvoice } from './issue.ts';
import { sendNotices } from './notices.ts';
import { receivePayment } from './payments.ts';
import { reportDatev } from './reports/datev.ts';
import { findDebtors, totalOf } from './reports/receivables.ts';
import { divideCents, revenueReport } from './reports/revenue.ts';
import { paymentReport } from './reports/payments.ts';
import { taxReport } from './reports/taxes.ts';
import { writeOffInvoice } from './write-offs.ts';

const cents = fc.integer({ min: 1, max: 20_000 });
const pick = fc.nat({ max: 20 });
const step = fc.oneof(
  fc.record({ do: fc.constant('issue' as const), cents: fc.array(cents, { minLength: 1, maxLength: 3 }) }),
  fc.record({ do: fc.constant('pay' as const), cents }),
  fc.record({ do: fc.constant('credit' as const), cents }),
  fc.record({ do: fc.constant('refund' as const), cents }),
  fc.record({ do: fc.constant('cancel' as const), pick }),
  fc.record({ do: fc.constant('note' as const), pick, line: pick, cents }),
  fc.record({ do: fc.constant('write off' as const), pick }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const period = { from: '2026-01-01', until: '2026-12-31' };
let reference = 0;

describeOnEngines('receivables', { postgres: 'in long runs' }, ({ owned, newDatabase }) => {
  let fixture: BillingFixture;
  let next = 1;
  before(async () => {
    fixture = owned.use(await openBillingFixture((await newDatabase()).database));
    await setPolicy(fixture.store, {});
    await metaPut(fixture.store.queries, 'datev', '{"consultant":1001,"client":1,"chart":"skr03"}');
  });
  const run = <T>(work: Parameters<BillingFixture['store']['transaction']>[0]): Promise<T> =>
    fixture.store.transaction(work) as Promise<T>;
  const newAccount = (): Promise<AccountId> => addAccount(fixture.store, next++);
  const issue = (account: AccountId, amounts: readonly number[]): Promise<{ id: number; number: string }> =>
    run((queries) =>
      issueInvoice(queries, account, {
        now: fixture.clock.now(),
        lines: amounts.map((amount, index) => ({
          type: index === 0 ? 'Hosting' : 'Setup',
          service: undefined,
          description: `Line ${index}`,
          cents: amount,
          isTaxed: index < 2,
        })),
      }),
    );
  const pay = (account: AccountId, amount: number): Promise<unknown> =>
    run((queries) =>
      receivePayment(fixture.parts, queries, {
        payer: { account },
        cents: amount,
        paidAt: fixture.clock.now(),
        method: 'banktransfer',
        reference: `R${reference++}`,
      }),
    );
  const invoiceOf = async (account: AccountId, id: number) => (await invoiceFind(fixture.store.queries, account, id))!;
  const credit = async (account: AccountId, id: number, lines?: { id: number; cents?: number }[]) => {
    const invoice = await invoiceOf(account, id);
    return run<{ total_cents: number; tax_cents: number }>((queries) =>
      issueCreditNote(fixture.parts, queries, invoice, { reason: 'wrong', lines }),
    );
  };
  const writeOff = async (account: AccountId, id: number) => {
    const invoice = await invoiceOf(account, id);
    return run<number>((queries) => writeOffInvoice(fixture.parts, queries, invoice));
  };

  async function take(account: AccountId, issued: number[], action: Step): Promise<void> {
    const { parts } = fixture;
    const chosen = 'pick' in action ? issued[action.pick % issued.length] : undefined;
    if ('pick' in action && chosen === undefined) return;
    switch (action.do) {
      case 'issue':
        issued.push((await issue(account, action.cents)).id);
        break;
      case 'pay':
        await pay(account, action.cents);
        break;
      case 'credit':
        await run((queries) => giveCredit(parts, queries, account, action.cents, 'sorry'));
        break;
      case 'refund': {
        const refund = { account, cents: action.cents, method: 'banktransfer', reference: `R${reference++}` };
        await run((queries) => refundCredit(parts, queries, refund));
        break;
      }
      case 'cancel':
        await credit(account, chosen!);
        break;
      case 'note': {
        const lines = await invoiceLines(fixture.store.queries, account, chosen!);
        await credit(account, chosen!, [{ id: lines[action.line % lines.length]!.id, cents: action.cents }]);
        break;
      }
      case 'write off':
        await writeOff(account, chosen!);
    }
  }

  async function requireBalance(account: AccountId, issued: readonly number[]): Promise<void> {
    const { queries } = fixture.store;
    const open = await invoicesOpen(queries, account);
    const owed = open.reduce((sum, { open_cents }) => sum + open_cents, 0);
    assert.ok(open.every(({ open_cents }) => open_cents > 0));
    assert.equal(await ledgerSum(queries, account, 'receivable'), owed);
    assert.ok((await creditOf(queries, account)) >= 0);
    assert.ok((await ledgerSum(queries, account, 'written-off')) >= 0);
    for (const id of issued) {
      const { subtotal_cents, tax_cents } = await invoiceOf(account, id);
      const notes = await invoiceCorrections(queries, account, id);
      assert.ok(notes.reduce((sum, note) => sum - note.total_cents, 0) <= subtotal_cents + tax_cents);
      assert.ok(notes.reduce((sum, note) => sum - note.tax_cents, 0) <= tax_cents);
    }
  }

  it('are what is open on the invoices, after any steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const account = await newAccount();
        const issued: number[] = [];
        for (const action of steps) {
          await take(account, issued, action).catch((error: unknown) => {
            if (!(error instanceof ApiError)) throw error;
          });
          await requireBalance(account, issued);
        }
      }),
      { numRuns: 25 },
    );
    await requireReportsOfLedger();
  });

  async function requireReportsOfLedger(): Promise<void> {
    const { queries } = fixture.store;
    const books = new Map<string, number>();
    const accounts = Array.from({ length: next - 1 }, (_, index) => (index + 1) as AccountId);
    for (const account of accounts)
      for (const { debit, credit: from, amount_cents } of await ledgerList(queries, account)) {
        books.set(debit, (books.get(debit) ?? 0) + amount_cents);
        books.set(from, (books.get(from) ?? 0) - amount_cents);
      }
    const sum = (rows: readonly object[], name: string): number =>
      rows.reduce((total, row) => total + moneyCents((row as Record<string, string>)[name]!)!, 0);
    const revenue = await revenueReport(queries, period);
    const earned = [...books].filter(([book]) => book.startsWith('revenue:')).reduce((total, [, at]) => total - at, 0);
    assert.equal(sum(revenue, 'net'), earned);
    assert.equal(sum(revenue, 'tax'), -(books.get('tax') ?? 0));
    assert.equal(sum(await taxReport(queries, period), 'tax'), -(books.get('tax') ?? 0));
    const payments = await paymentReport(queries, period);
    assert.equal(sum(payments, 'received') - sum(payments, 'returned'), books.get('paid:banktransfer') ?? 0);
    const debts = (await findDebtors(queries, fixture.today())).reduce((total, { ages }) => total + totalOf(ages), 0);
    assert.equal(debts, books.get('receivable') ?? 0);
    const booked = bookedSums((await reportDatev({ queries, now: 0 }, period)).bytes);
    const datevOf = (account: number): number => booked.get(account) ?? 0;
    assert.equal(datevOf(8200), -earned);
    assert.equal(datevOf(1776), books.get('tax') ?? 0);
    assert.equal(datevOf(1360), books.get('paid:banktransfer') ?? 0);
    assert.equal(datevOf(1710), books.get('credit') ?? 0);
    assert.equal(datevOf(2400), books.get('written-off') ?? 0);
    assert.equal(datevOf(8700), books.get('goodwill') ?? 0);
    const customers = [...booked].filter(([account]) => account > 10_000);
    assert.equal(
      customers.reduce((total, [, at]) => total + at, 0),
      books.get('receivable') ?? 0,
    );
  }

  it('of part credit notes never exceed the invoice, and take back its tax to the cent', async () => {
    const account = await newAccount();
    const { id } = await issue(account, [333, 333, 334]);
    const [first, second] = await invoiceLines(fixture.store.queries, account, id);
    const taxes: number[] = [];
    for (const part of [111, 111, 111])
      taxes.push((await credit(account, id, [{ id: first!.id, cents: part }])).tax_cents);
    await assert.rejects(credit(account, id, [{ id: first!.id }]), ApiError);
    await assert.rejects(credit(account, id, [{ id: second!.id, cents: 334 }]), ApiError);
    taxes.push((await credit(account, id)).tax_cents);
    const invoice = await invoiceOf(account, id);
    assert.equal(
      taxes.reduce((total, tax) => total + tax, 0),
      -invoice.tax_cents,
    );
    assert.equal(invoice.status, 'Cancelled');
    await assert.rejects(credit(account, id), /already cancelled/);
  });

  it('leave with a write-off, and a payment that still arrives reverses it', async () => {
    const { queries } = fixture.store;
    const account = await newAccount();
    const { id } = await issue(account, [10_000]);
    await pay(account, 2100);
    assert.equal(await writeOff(account, id), 10_000);
    assert.equal((await invoiceOf(account, id)).status, 'Cancelled');
    assert.equal(await ledgerSum(queries, account, 'receivable'), 0);
    await assert.rejects(writeOff(account, id), /Only an unpaid invoice/);
    await assert.rejects(credit(account, id), /written off/);
    await pay(account, 4000);
    assert.equal(await ledgerSum(queries, account, 'written-off'), 6000);
    assert.equal((await invoiceOf(account, id)).status, 'Cancelled');
    await pay(account, 7000);
    assert.equal(await ledgerSum(queries, account, 'written-off'), 0);
    assert.equal((await invoiceOf(account, id)).status, 'Paid');
    assert.equal(await creditOf(queries, account), 1000);
  });

  it('of a past day are those of that day, by age', async () => {
    const { queries } = fixture.store;
    const account = await newAccount();
    const start = fixture.today();
    await issue(account, [10_000]);
    fixture.setDay(start + 14 + 31);
    await pay(account, 12_100);
    const at = async (day: number) =>
      (await findDebtors(queries, day)).find((debtor) => debtor.account.id === account)?.ages;
    assert.equal((await at(start))?.current, 12_100);
    assert.equal((await at(start + 14))?.current, 12_100);
    assert.equal((await at(start + 15))?.days30, 12_100);
    assert.equal((await at(start + 14 + 30))?.days30, 12_100);
    assert.equal(await at(start + 14 + 31), undefined);
    assert.equal(await at(start - 1), undefined);
  });

  it('of several currencies are not added up, and DATEV gets one of them', async () => {
    const { queries } = fixture.store;
    const account = await newAccount();
    await queries.updateTable('accounts').set({ currency: 'CHF' }).where('id', '=', account).execute();
    const day = dayNumberText(fixture.today());
    await issue(account, [5000]);
    const rows = await revenueReport(queries, { from: day, until: day });
    assert.deepEqual(
      rows.filter(({ currency }) => currency === 'CHF').map(({ net }) => net),
      ['50.00'],
    );
    const file = await reportDatev({ queries, now: dayMs }, { from: day, until: day, currency: 'CHF' });
    assert.deepEqual(
      [...bookedSums(file.bytes)].filter(([number]) => number > 10_000),
      [[10_000 + account, 6050]],
    );
  });

  it('in another currency than the provider’s have only the share of a late fee, not its amount', async () => {
    const { queries } = fixture.store;
    const [own, other] = [await newAccount(), await newAccount()];
    await queries.updateTable('accounts').set({ currency: 'CHF' }).where('id', '=', other).execute();
    await metaPut(queries, 'currency', '{"currency":"EUR","maxAgeDays":7}');
    await setPolicy(fixture.store, { lateFee: { afterDays: 1, cents: 1000, share: 100 } });
    for (const account of [own, other]) {
      const line = {
        type: 'Hosting',
        service: undefined,
        description: 'A month',
        cents: 5000,
        isTaxed: false,
      } as const;
      await run((work) => issueInvoice(work, account, { now: fixture.clock.now(), lines: [line] }));
    }
    fixture.setDay(fixture.today() + 40);
    await sendNotices(fixture.parts);
    const fees = async (account: AccountId) => (await fixture.lines(account, 'LateFee')).map(([, amount]) => amount);
    assert.deepEqual([await fees(own), await fees(other)], [[1050], [50]]);
  });
});

/** Returns the balance of each account in a file for DATEV. */
function bookedSums(bytes: Uint8Array): Map<number, number> {
  const sums = new Map<number, number>();
  for (const line of Buffer.from(bytes).toString('latin1').split('\r\n').slice(2, -1)) {
    const [amount, , , , , , account, offset] = line.split(';') as [string, ...string[]];
    const value = Number(amount.replace(',', ''));
    sums.set(Number(account), (sums.get(Number(account)) ?? 0) + value);
    sums.set(Number(offset), (sums.get(Number(offset)) ?? 0) - value);
  }
  return sums;
}

it('a divided amount adds up to itself', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.array(fc.integer({ min: -5000, max: 50_000 }), { minLength: 1 }),
      (amount, weights) => {
        assert.equal(
          divideCents(amount, weights).reduce((sum, part) => sum + part, 0),
          amount,
        );
      },
    ),
  );
});
