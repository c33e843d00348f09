// Two months of a provider with 10,000 accounts. At the end the ledger balances to the cent with invoices, with Stripe and
// with the bank, numbers have no gaps, and every invoice is a valid e-invoice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUblInvoice } from '#app/billing/documents/ubl-invoice.ts';
import { loadInvoiceDocument } from '#app/billing/invoice-documents.ts';
import { seededRandom } from '#lab/bmc/malfunctions.ts';
import type { Queries } from '#store/store.ts';
import { openTestApp } from '#test/support/app.ts';
import { bookSums } from '#test/support/day/invariants.ts';
import { startProviderMonth } from '#test/support/provider-month.ts';
import { needsRules, openRules } from '#test/support/schematron.ts';
import { startStripeServer } from '#test/support/stripe-server.ts';

const accounts = 10_000;
const days = 62;
/** The sums are checked of all invoices; the official rules take 50 ms for each. */
const checkedEvery = 100;

test('a provider’s month ends with books that agree', needsRules('EN16931-UBL', 'PEPPOL-EN16931-UBL'), async () => {
  await using app = await openTestApp();
  await using stripe = await startStripeServer(() => app.parts.clock.now());
  const { queries } = app.parts.store;
  const before = await bookSums(queries);
  const month = await startProviderMonth(app, stripe, accounts, seededRandom(7));
  for (let day = 0; day < days; day++) await month.passDay();
  // Nothing more goes wrong, and everything is reported again.
  stripe.interfere = () => undefined;
  await month.passDay();
  await stripe.deliver(`${app.url}/hooks/payment-notices/stripe`, 'all');
  await month.passDay();

  const sums = await bookSums(queries);
  const change = (book: string): number => (sums.get(book) ?? 0) - (before.get(book) ?? 0);
  assert.equal(change('paid:stripe'), stripe.objects.balance(), 'Stripe holds what the ledger says');
  assert.equal(change('paid:sepa') + change('paid:banktransfer'), month.bankCents(), 'so does the bank');
  assert.equal(sums.get('receivable') ?? 0, await openSum(queries), 'open invoices are what is owed');
  assert.equal(
    [...sums.values()].reduce((sum, cents) => sum + cents, 0),
    0,
    'debits equal credits',
  );
  await requireValidInvoices(queries);
  for (const [what, count] of Object.entries(month.counts)) assert.ok(count > 0, `${what} happened`);
});

async function openSum(queries: Queries): Promise<number> {
  const invoices = await queries
    .selectFrom('invoices')
    .select(['id', 'total_cents'])
    .where('status', '=', 'Unpaid')
    .where('kind', '=', 'Invoice')
    .execute();
  const paid = new Map<number, number>();
  for (const { invoice_id, amount_cents } of await queries.selectFrom('payments').selectAll().execute())
    paid.set(invoice_id, (paid.get(invoice_id) ?? 0) + amount_cents);
  return invoices.reduce((sum, { id, total_cents }) => sum + total_cents - (paid.get(id) ?? 0), 0);
}

async function requireValidInvoices(queries: Queries): Promise<void> {
  const rules = [
    await openRules('EN16931-UBL', 'without syntax rules'),
    await openRules('PEPPOL-EN16931-UBL', 'without syntax rules'),
  ];
  const invoices = await queries
    .selectFrom('invoices')
    .select(['id', 'account_id', 'number', 'subtotal_cents', 'tax_cents', 'credit_cents', 'total_cents'])
    .where('account_id', '>=', 100_000 as never)
    .orderBy('id')
    .execute();
  assert.ok(invoices.length >= accounts);
  const numbers = invoices.map(({ number }) => number).toSorted();
  assert.equal(new Set(numbers).size, numbers.length);
  for (const [index, { id, account_id, number, ...cents }] of invoices.entries()) {
    assert.equal(cents.subtotal_cents + cents.tax_cents - cents.credit_cents, cents.total_cents, number);
    if (index % checkedEvery !== 0) continue;
    const xml = createUblInvoice(await loadInvoiceDocument(queries, account_id, id), 'peppol');
    assert.deepEqual(
      rules.flatMap((check) => check(xml)).filter(({ flag }) => flag === 'fatal'),
      [],
      number,
    );
  }
}
