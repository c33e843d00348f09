// Simulates a year of many accounts, day by day: orders, changes, cancellations, and payments that are on time,
// late, partial or missing. The result is compared with a naive calculation that knows nothing of terms, ledgers or
// notices: it counts each day of each service by itself and applies payments to invoices one by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs } from '#lib/time.ts';
import { addAccount } from '#test/support/accounts.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { firstDay, openBillingFixture, setPolicy, type BillingFixture } from '#test/support/billing-fixtures.ts';
import { accountFind, accountFindWithOwed } from '#store/account/accounts.ts';
import { ledgerList } from '#store/billing/ledger.ts';
import { sendNotices } from './notices.ts';
import { receivePayment } from './payments.ts';
import type { AccountId } from '#store/account-id.ts';

const accounts = isLongRun ? 200 : 40;
const busyDays = 365;
/** Days at the end without new activity, so that everything settles. */
const quietDays = 70;
const feeCents = 500;
const feeAfter = 20;
const suspendAfter = 30;

const payers = ['prompt', 'prompt', 'prompt', 'late', 'late', 'partly', 'partly', 'never'] as const;

interface NaiveTerm {
  readonly from: number;
  until: number;
  readonly price: number;
  readonly months: number;
}
interface NaiveService {
  readonly id: number;
  readonly setup: number;
  readonly terms: NaiveTerm[];
}
interface NaiveAccount {
  readonly id: AccountId;
  readonly billDay: number;
  readonly payer: (typeof payers)[number];
  readonly services: NaiveService[];
  readonly payments: { readonly day: number; readonly cents: number }[];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, cents) => total + cents, 0);

/** Deterministic, so that a failure can be reproduced. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

test('a year of orders, cancellations and payments matches a naive calculation', async () => {
  const random = seeded(20_261_115);
  await using fixture = await openBillingFixture();
  await setPolicy(fixture.store, {
    reminderDays: [5],
    lateFee: { afterDays: feeAfter, cents: feeCents, share: 0 },
    suspendAfterDays: suspendAfter,
  });
  const all: NaiveAccount[] = [];
  for (let id = 1; id <= accounts; id++) {
    const payer = payers[random(payers.length)]!;
    const account = await addAccount(fixture.store, id);
    all.push({ id: account, billDay: 1 + random(28), payer, services: [], payments: [] });
  }
  let nextService = 1;
  const order = async (account: NaiveAccount): Promise<void> => {
    const id = nextService++;
    const [price, setup, months] = [100 + random(20_000), random(3) * 1000, random(4) === 0 ? 3 : 1];
    await fixture.addService(account.id, id);
    const terms = { price_cents: price, cycle_months: months };
    await fixture.setTerms(account.id, id, terms, { setupCents: setup, billDay: account.billDay });
    account.services.push({ id, setup, terms: [{ from: fixture.today(), until: Infinity, price, months }] });
  };

  for (let day = firstDay; day < firstDay + busyDays + quietDays; day++) {
    fixture.setDay(day);
    await fixture.billAll();
    await sendNotices(fixture.parts);
    const unpaid = Map.groupBy(await listUnpaid(fixture), ({ account_id }) => account_id);
    for (const account of all) {
      await payByHabit(fixture, account, unpaid.get(account.id) ?? [], random);
      if (day >= firstDay + busyDays) continue;
      if (account.services.length < 4 && random(120) === 0) await order(account);
      const service = account.services[random(8)];
      if (service === undefined || random(12) !== 0) continue;
      const last = service.terms.at(-1)!;
      if (last.until <= day) continue;
      const { price, months } = last;
      if (random(3) === 0) {
        last.until = day + random(15);
        const terms = { price_cents: price, cycle_months: months };
        await fixture.setTerms(account.id, service.id, terms, { until: last.until });
      } else if (last.until === Infinity) {
        const changed = { from: day, until: Infinity, price: 100 + random(20_000), months };
        last.until = day;
        service.terms.push(changed);
        await fixture.setTerms(account.id, service.id, { price_cents: changed.price, cycle_months: months });
      }
    }
  }

  for (const account of all) {
    const invoices = await invoicesOf(fixture, account.id);
    const hosting = invoices.filter(({ fee }) => !fee);
    const expected = sum(account.services.map((service) => naiveCost(account, service, fixture.today())));
    assert.equal(sum(hosting.map(({ subtotal_cents }) => subtotal_cents)), expected, `hosting of ${account.id}`);
    const replayed = replay(account, invoices, fixture.today());
    assert.deepEqual(
      invoices.map(({ id, credit_cents, status }) => ({ id, credit: credit_cents, status })),
      replayed.invoices,
      `invoices of ${account.id}`,
    );
    assert.equal(invoices.filter(({ fee }) => fee).length, replayed.fees, `fees of ${account.id}`);
    const balance = (await accountFindWithOwed(fixture.store.queries, account.id))!;
    assert.equal(balance.owed_cents, replayed.owed, `balance of ${account.id}`);
    const { status } = (await accountFind(fixture.store.queries, account.id))!;
    assert.equal(status, replayed.suspended ? 'Suspended' : 'Active', `status of ${account.id}`);
    await checkBooks(fixture, account, invoices);
  }
  const numbers = await fixture.store.queries.selectFrom('invoices').select('number').orderBy('id').execute();
  const counts = Map.groupBy(numbers, ({ number }) => number.slice(4, 8));
  for (const [year, same] of counts)
    assert.deepEqual(
      same.map(({ number }) => number),
      same.map((_, index) => `INV-${year}-${String(index + 1).padStart(5, '0')}`),
    );
});

async function listUnpaid(fixture: BillingFixture) {
  return fixture.store.queries
    .selectFrom('invoices')
    .select(['account_id', 'due_day', 'total_cents'])
    .where('status', '=', 'Unpaid')
    .execute();
}

async function payByHabit(
  fixture: BillingFixture,
  account: NaiveAccount,
  open: readonly { readonly due_day: number; readonly total_cents: number }[],
  random: (below: number) => number,
): Promise<void> {
  if (account.payer === 'never' || random(4) !== 0) return;
  const due = open.filter(({ due_day }) => fixture.today() >= due_day + (account.payer === 'late' ? 26 : -7));
  if (due.length === 0) return;
  const owed = sum(due.map(({ total_cents }) => total_cents));
  const cents = account.payer === 'partly' ? 1 + random(owed * 2) : owed;
  account.payments.push({ day: fixture.today(), cents });
  await fixture.store.transaction((queries) =>
    receivePayment(fixture.parts, queries, {
      payer: { account: account.id },
      cents,
      paidAt: fixture.today() * dayMs,
      method: 'banktransfer',
      reference: `${account.id} ${account.payments.length}`,
    }),
  );
}

type InvoiceRecord = Awaited<ReturnType<typeof invoicesOf>>[number];

async function invoicesOf(fixture: BillingFixture, account: AccountId) {
  const rows = await fixture.store.queries
    .selectFrom('invoices')
    .select(['id', 'day', 'due_day', 'subtotal_cents', 'tax_cents', 'credit_cents', 'total_cents', 'status'])
    .select((select) =>
      select
        .selectFrom('invoice_lines')
        .select('type')
        .whereRef('invoice_lines.invoice_id', '=', 'invoices.id')
        .limit(1)
        .as('type'),
    )
    .where('account_id', '=', account)
    .orderBy('id')
    .execute();
  return rows.map(({ type, ...row }) => ({ ...row, fee: type === 'LateFee' }));
}

/** Counts each day at its own price, to the end of the last cycle that has begun. */
function naiveCost({ billDay }: NaiveAccount, { setup, terms }: NaiveService, today: number): number {
  const start = (day: number): number => {
    const date = new Date(day * dayMs);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - (date.getUTCDate() < billDay ? 1 : 0), billDay) / dayMs;
  };
  const later = (day: number, months: number): number => {
    const date = new Date(day * dayMs);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, billDay) / dayMs;
  };
  const { months } = terms[0]!;
  const used = terms.some(({ from, until }) => until > from);
  let cost = used ? setup : 0;
  for (let cycle = start(terms[0]!.from); cycle <= today; cycle = later(cycle, months)) {
    const whole = later(cycle, months) - cycle;
    for (let index = 0; index < whole; index++) {
      const term = terms.findLast(({ from, until }) => from <= cycle + index && cycle + index < until);
      const upTo = (count: number): number => Math.floor((2 * (term?.price ?? 0) * count + whole) / (2 * whole));
      cost += upTo(index + 1) - upTo(index);
    }
  }
  return cost;
}

/** Replays invoices and payments by day: balances, used credit, late fees and suspensions. */
function replay(account: NaiveAccount, invoices: readonly InvoiceRecord[], lastDay: number) {
  let credit = 0;
  let fees = 0;
  let suspended = false;
  const state = new Map<number, { credit: number; open: number; due: number; fee: boolean; warned: boolean }>();
  const openInvoices = () =>
    [...state.values()].filter(({ open }) => open > 0).toSorted((left, right) => left.due - right.due);
  for (let day = firstDay; day <= lastDay; day++) {
    for (const invoice of invoices.filter((candidate) => candidate.day === day)) {
      const gross = invoice.subtotal_cents + invoice.tax_cents;
      const used = Math.max(0, Math.min(credit, gross));
      credit += Math.max(0, -gross) - used;
      const open = Math.max(0, gross - used);
      state.set(invoice.id, { credit: used, open, due: invoice.due_day, fee: invoice.fee, warned: false });
    }
    for (const invoice of openInvoices()) {
      if (day - invoice.due >= feeAfter && !invoice.fee && !invoice.warned) {
        invoice.warned = true;
        fees++;
      }
      if (day - invoice.due >= suspendAfter) suspended = true;
    }
    for (const payment of account.payments.filter((candidate) => candidate.day === day)) {
      let left = payment.cents;
      for (const invoice of openInvoices()) {
        const part = Math.min(left, invoice.open);
        invoice.open -= part;
        left -= part;
      }
      credit += left;
      if (!openInvoices().some(({ due }) => day - due >= suspendAfter)) suspended = false;
    }
  }
  const owed = sum([...state.values()].map(({ open }) => open)) - credit;
  const replayed = [...state].map(([id, { credit: used, open }]) => ({
    id,
    credit: used,
    status: open > 0 ? 'Unpaid' : 'Paid',
  }));
  return { invoices: replayed, fees, owed, suspended };
}

async function checkBooks(
  fixture: BillingFixture,
  account: NaiveAccount,
  invoices: readonly InvoiceRecord[],
): Promise<void> {
  const sums = new Map<string, number>();
  for (const { debit, credit, amount_cents } of await ledgerList(fixture.store.queries, account.id)) {
    sums.set(debit, (sums.get(debit) ?? 0) + amount_cents);
    sums.set(credit, (sums.get(credit) ?? 0) - amount_cents);
  }
  const balanceOf = (book: string): number => sums.get(book) ?? 0;
  const revenue = sum(['Hosting', 'Setup', 'LateFee'].map((type) => balanceOf(`revenue:${type}`)));
  const taxes = invoices.map(({ fee, subtotal_cents: cents }) =>
    fee ? 0 : Math.sign(cents) * Math.round((Math.abs(cents) * 21) / 100),
  );
  assert.equal(sum([...sums.values()]), 0);
  assert.equal(balanceOf('paid:banktransfer'), sum(account.payments.map(({ cents }) => cents)));
  assert.equal(0 - balanceOf('tax'), sum(taxes));
  assert.equal(0 - revenue, sum(invoices.map(({ subtotal_cents }) => subtotal_cents)));
}
