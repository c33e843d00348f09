// Credits in billing runs, on both engines: they have the tax of the invoice that billed the days, and none is given twice.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Site } from '#contract/site/site.ts';
import { accountChange } from '#store/account/accounts.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountTaxPut } from '#store/billing/account-taxes.ts';
import { creditOf, ledgerSum } from '#store/billing/ledger.ts';
import { couponInsert, couponPlans, redemptionInsert } from '#store/pricing/coupons.ts';
import { firstDay, openBillingFixture, setPolicy, type BillingFixture } from '#test/support/billing-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { cancelInvoice } from './corrections.ts';
import { previewInvoice } from './dry-run.ts';
import { storeSeller } from './invoice-parties.ts';
import { storeTaxSettings } from './tax/settings.ts';

const year = { price_cents: 36_500, cycle_months: 12 };
const seller = { country: 'NL', vatNumber: 'NL004495445B01' };
const site = { provider: { name: 'Example', seller, tax: { oss: true } } } as Partial<
  Record<keyof Site, unknown>
> as Site;

describeOnEngines('credited days', ({ owned, newDatabase }) => {
  let fixture: BillingFixture;
  before(async () => {
    fixture = owned.use(await openBillingFixture((await newDatabase()).database));
    await setPolicy(fixture.store, {});
    await storeSeller(fixture.store.queries, site);
    await storeTaxSettings(fixture.store.queries, site);
  });

  /** Adds a private customer in Germany. */
  async function newConsumer() {
    fixture.setDay(firstDay);
    const owner = await fixture.newAccount();
    await accountChange(fixture.store.queries, owner.account, { country: 'DE' });
    return owner;
  }
  async function confirmVatNumber(account_id: AccountId) {
    const number = {
      vat_number: 'DE136695976',
      override: 'valid',
      override_reason: 'seen',
      state: 'unchecked',
    } as const;
    const texts = { reference: '', endpoint: '', attachment: 'none', pdf: 'automatic', delivery: 'email' } as const;
    const times = { checked_at: null, next_check_at: null, failing_since: null, changed_at: 0 };
    const row = { account_id, kind: 'business', order_country: '', ...number, ...texts, ...times } as const;
    await accountTaxPut(fixture.store.queries, row);
  }
  async function billOn(day: number) {
    fixture.setDay(firstDay + day);
    await fixture.billAll();
  }
  async function invoices(account: AccountId) {
    const { queries } = fixture.store;
    const rows = await queries.selectFrom('invoices').selectAll().where('account_id', '=', account).execute();
    return rows.map(({ kind, subtotal_cents, tax_cents }) => [kind, subtotal_cents, tax_cents]);
  }
  async function taxes(account: AccountId) {
    const { queries } = fixture.store;
    const rows = await queries
      .selectFrom('invoice_taxes')
      .selectAll()
      .where('account_id', '=', account)
      .orderBy('invoice_id')
      .orderBy('position')
      .execute();
    return rows.map((row) => [row.category, row.country, row.rate, row.base_cents, row.tax_cents]);
  }

  it('have the tax that was charged, although the customer has a confirmed VAT number by now', async () => {
    const { account, service } = await newConsumer();
    await fixture.setTerms(account, service, year, { billDay: 1 });
    await billOn(0);
    await confirmVatNumber(account);
    fixture.setDay(firstDay + 31);
    await fixture.setTerms(account, service, { ...year, plan: 'Small', price_cents: 18_250 });
    const preview = await previewInvoice(fixture.store.queries, account);
    await billOn(31);
    // 334 days.
    const tax = -6346;
    assert.deepEqual(await invoices(account), [
      ['Invoice', 36_500, 6935],
      ['CreditNote', -16_700, tax],
    ]);
    assert.deepEqual([preview.subtotal, preview.tax], ['-167.00', '-63.46']);
    assert.deepEqual(await taxes(account), [
      ['S', 'DE', 1900, 36_500, 6935],
      ['S', 'DE', 1900, -33_400, tax],
      ['AE', 'NL', 0, 16_700, 0],
    ]);
    assert.equal(await creditOf(fixture.store.queries, account), 16_700 - tax);
    assert.equal(await ledgerSum(fixture.store.queries, account, 'tax'), -(6935 + tax));
  });

  it('are not credited again after their invoice was cancelled', async () => {
    const { account, service } = await newConsumer();
    await fixture.setTerms(account, service, year, { billDay: 1 });
    await billOn(0);
    const { queries } = fixture.store;
    const { number } = await queries
      .selectFrom('invoices')
      .select('number')
      .where('account_id', '=', account)
      .executeTakeFirstOrThrow();
    await fixture.store.transaction((work) => cancelInvoice(fixture.parts, work, number, 'ordered by mistake'));
    fixture.setDay(firstDay + 10);
    await fixture.setTerms(account, service, undefined);
    await billOn(31);
    assert.deepEqual(await invoices(account), [
      ['Invoice', 36_500, 6935],
      ['CreditNote', -36_500, -6935],
    ]);
    assert.equal(await creditOf(queries, account), 0);
  });

  it('are not credited again if their invoice is cancelled later, and neither is their discount', async () => {
    const { account, service } = await newConsumer();
    const { queries } = fixture.store;
    const limits = { max_uses: null, uses: 0, periods: null, from_day: null, until_day: null, ended_at: null };
    const coupon = { code: 'HALF', percent: 5000, amount_cents: null, plans: couponPlans.encode([]), note: '' };
    await couponInsert(queries, { ...coupon, ...limits, created_at: 0 });
    await redemptionInsert(queries, { account_id: account, code: 'HALF', redeemed_at: 0, periods_used: 0 });
    await fixture.setTerms(account, service, year, { billDay: 1 });
    await billOn(0);
    await fixture.setTerms(account, service, year, { until: firstDay + 181 });
    await billOn(31);
    const { number } = await queries
      .selectFrom('invoices')
      .select('number')
      .where('account_id', '=', account)
      .where('kind', '=', 'Invoice')
      .executeTakeFirstOrThrow();
    const cancel = () =>
      fixture.store.transaction((work) => cancelInvoice(fixture.parts, work, number, 'ordered by mistake'));
    await cancel();
    const expected = [
      ['Invoice', 18_250, 3468],
      ['CreditNote', -9200, -1748],
      ['CreditNote', -9050, -1720],
    ];
    assert.deepEqual(await invoices(account), expected);
    await assert.rejects(cancel(), /already cancelled/);
    await fixture.setTerms(account, service, year, { until: firstDay + 90 });
    await billOn(59);
    assert.deepEqual(await invoices(account), expected);
    const books = ['tax', 'credit', 'receivable'] as const;
    assert.deepEqual(await Promise.all(books.map((book) => ledgerSum(queries, account, book))), [0, 0, 0]);
  });

  it('have the tax of each part, if they were credited and billed again with another tax', async () => {
    const { account, service } = await newConsumer();
    await fixture.setTerms(account, service, year, { billDay: 1 });
    await billOn(0);
    await fixture.setTerms(account, service, year, { until: firstDay + 181 });
    await billOn(31);
    await confirmVatNumber(account);
    await fixture.setTerms(account, service, year);
    await billOn(59);
    await fixture.setTerms(account, service, year, { until: firstDay + 90 });
    await billOn(90);
    assert.deepEqual(await taxes(account), [
      ['S', 'DE', 1900, 36_500, 6935],
      ['S', 'DE', 1900, -18_400, -3496],
      ['AE', 'NL', 0, 18_400, 0],
      ['S', 'DE', 1900, -9100, -1729],
      ['AE', 'NL', 0, -18_400, 0],
    ]);
    const credited = (await fixture.lines(account)).slice(3).map(([text]) => text.replace(/.*\), /, ''));
    assert.deepEqual(credited, [
      '2026-04-01 to 2026-06-30, 91 of 365 days at 365.00, not used',
      '2026-07-01 to 2026-12-31, 184 of 365 days at 365.00, not used',
    ]);
  });

  it('have the tax of the country to which it was due, although another has the same rate', async () => {
    const { account, service } = await newConsumer();
    await accountChange(fixture.store.queries, account, { country: 'BE' });
    await fixture.setTerms(account, service, year, { billDay: 1 });
    await billOn(0);
    await accountChange(fixture.store.queries, account, { country: 'ES' });
    fixture.setDay(firstDay + 31);
    await fixture.setTerms(account, service, { ...year, plan: 'Small', price_cents: 18_250 });
    await billOn(31);
    assert.deepEqual((await taxes(account)).slice(1), [
      ['S', 'BE', 2100, -33_400, -7014],
      ['S', 'ES', 2100, 16_700, 3507],
    ]);
  });
});
