// Tax data over the API: VAT numbers and their validation, the VAT of invoices, and e-invoices.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { cancelInvoice } from '#app/billing/corrections.ts';
import { wantedElectronicInvoice } from '#app/billing/invoice-documents.ts';
import { issueInvoice } from '#app/billing/issue.ts';
import { createVatWork } from '#app/billing/tax/validation.ts';
import { applySite } from '#app/site/apply.ts';
import type { InvoiceDetail } from '#contract/shapes/account.ts';
import type { OperatorTaxData, TaxData } from '#contract/shapes/tax-data.ts';
import { dayMs } from '#lib/time.ts';
import { vatNumbers } from '#reconcilers/vat-numbers.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountTaxFind } from '#store/billing/account-taxes.ts';
import { ledgerSum } from '#store/billing/ledger.ts';
import type { TestApp } from '#test/support/app.ts';
import { callDuring } from '#test/support/concurrent-calls.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { startViesServer, type ViesServer } from '#test/support/vies-server.ts';
import type { Static } from 'typebox';

type Tax = Static<typeof TaxData>;
type Invoice = Static<typeof InvoiceDetail>;

const number = 'FR40303265045';
const line = { type: 'Hosting', service: undefined, description: 'One month', cents: 10_000, isTaxed: true } as const;

/** The lab, whose seller is Dutch and whose second customer is French, with VAT computed by the rules. */
function siteWithTax(app: TestApp, register: string) {
  const { taxes: _, ...site } = app.site;
  const seller = {
    ...site.provider.seller!,
    vatNumber: 'NL004495445B01',
    phone: '+31 13 1234567',
    endpoint: '0106:12345678',
  };
  const tax = { oss: true, register: { driver: 'vies', url: register } } as const;
  return { ...site, provider: { ...site.provider, seller, tax } };
}

describeOnEngines('tax data', { postgres: 'in long runs' }, ({ engine, owned, openApp }) => {
  let app: TestApp;
  let vies: ViesServer;
  before(async () => {
    vies = owned.use(await startViesServer());
    app = await openApp({});
  });
  const key = () => app.lab.stranger.key;
  const account = () => Number(app.lab.stranger.account) as AccountId;
  const taxData = () => requestResult<Tax>(app, 'GET', '/v2/account/tax', { key: key() });
  const update = (params: Record<string, unknown>) =>
    request<Envelope<ErrorResult>>(app, 'PUT', '/v2/account/tax', { key: key(), params });
  const forStaff = () =>
    operatorResult<Static<typeof OperatorTaxData>>(app, 'GET', 'account/tax', { account: account() });
  const validateDue = () => vatNumbers(app.parts, createVatWork(app.parts)).run(AbortSignal.timeout(30_000));
  const issue = () =>
    app.parts.store.transaction((queries) =>
      issueInvoice(queries, account(), { now: app.parts.clock.now(), lines: [line] }),
    );
  const invoice = (id: number) =>
    requestResult<Invoice>(app, 'GET', '/v2/account/invoice', { key: key(), params: { invoice: id } });

  test('are not used by a site without a tax section, which has rates by country', async () => {
    assert.equal((await taxData()).category, '');
    const { taxes, tax, taxrate } = await invoice((await issue()).id);
    assert.deepEqual([taxes, tax, taxrate], [[], '20.00', '20.00']);
    await applySite(app.parts, siteWithTax(app, vies.url));
  });

  test('start empty, and a consumer elsewhere in the EU pays the VAT of their country', async () => {
    const { kind, vatnumber, validation, checked, category, rate } = await taxData();
    assert.deepEqual(
      [kind, vatnumber, validation, checked, category, rate],
      ['private', '', 'unchecked', null, 'S', '20.00'],
    );
    const { taxes, tax, total, taxrate } = await invoice((await issue()).id);
    assert.deepEqual([tax, total, taxrate], ['20.00', '120.00', '20.00']);
    assert.deepEqual(taxes, [
      { category: 'S', rate: '20.00', country: 'FR', base: '100.00', tax: '20.00', reason: '', reasoncode: '' },
    ]);
  });

  test('reject a number of another country, one with wrong digits, and one of a private person', async () => {
    for (const [params, field] of [
      [{ kind: 'business', vatnumber: 'DE136695976' }, 'vatnumber'],
      [{ kind: 'business', vatnumber: 'FR41303265045' }, 'vatnumber'],
      [{ kind: 'private', vatnumber: number }, 'kind'],
      [{ endpoint: 'nowhere' }, 'endpoint'],
    ] as const) {
      const { status, body } = await update(params);
      assert.equal(status, 400);
      assert.ok(field in (body.result.fields ?? {}), JSON.stringify(body));
    }
    assert.equal((await taxData()).vatnumber, '');
  });

  test('treat a number as unvalidated while the register does not answer, and charge VAT', async () => {
    vies.registered.set(number, 'SAS Okafor');
    assert.equal((await update({ kind: 'business', vatnumber: 'fr 40 303 265 045' })).status, 200);
    assert.deepEqual(await taxData().then(({ vatnumber, validation }) => [vatnumber, validation]), [
      number,
      'unchecked',
    ]);
    for (const failure of ['busy', 'down', 'page', 'silence', 'other number'] as const) {
      vies.failure = failure;
      await validateDue();
      const { validation, category, rate, checked } = await taxData();
      assert.deepEqual([validation, category, rate, checked], ['unreachable', 'S', '20.00', null], failure);
      const asked = vies.asked.length;
      await validateDue();
      assert.equal(vies.asked.length, asked, 'it waits before it asks again');
      app.pass(12 * 3_600_000);
    }
    assert.equal((await issue()).tax_cents, 2000);
    vies.failure = undefined;
  });

  test('let a reverse charge apply once the register confirms the number', async () => {
    await validateDue();
    const { validation, category, reason } = await taxData();
    assert.deepEqual([validation, category], ['valid', 'AE']);
    assert.match(reason, /Reverse charge/);
    const { checks } = await forStaff();
    assert.deepEqual(
      checks.map(({ vatnumber, validation: state, name }) => [vatnumber, state, name]),
      [[number, 'valid', 'SAS Okafor']],
    );
    assert.match(checks[0]!.consultation, /^WAPI/);
    const issued = await issue();
    const { tax, total, taxes, items } = await invoice(issued.id);
    assert.deepEqual([tax, total, items.item[0]!.taxed], ['0.00', '100.00', '0']);
    assert.deepEqual([taxes[0]!.category, taxes[0]!.reasoncode], ['AE', 'VATEX-EU-AE']);
    const xml = await download(issued.id, 'peppol');
    assert.match(xml, /<cbc:CompanyID>NL004495445B01</);
    assert.match(xml, /<cbc:CompanyID>FR40303265045</);
    assert.match(xml, /<cbc:TaxExemptionReasonCode>VATEX-EU-AE</);
  });

  async function download(id: number, format: string): Promise<string> {
    const url = `${app.url}/v2/account/invoice/xml?invoice=${id}&format=${format}`;
    const response = await fetch(url, { headers: { 'x-api-key': key() } });
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/xml']);
    return response.text();
  }

  test('are in e-invoices of every format, which only their account can download', async () => {
    const { id } = await issue();
    assert.match(await download(id, 'cii'), /<ram:CategoryCode>AE</);
    assert.match(await download(id, 'xrechnung'), /xrechnung_3\.0/);
    const params = { invoice: id, format: 'peppol' };
    const foreign = await request(app, 'GET', '/v2/account/invoice/xml', { key: app.lab.customer.key, params });
    assert.equal(foreign.status, 404);
  });

  test('choose the e-invoice that emails have attached beside the PDF', async () => {
    const { id } = await issue();
    const attached = () => wantedElectronicInvoice(app.parts, app.parts.store.queries, account(), id);
    assert.deepEqual(await attached(), []);
    await update({ attachment: 'xrechnung' });
    const [file] = await attached();
    assert.match(Buffer.from(file!.bytes).toString(), /xrechnung_3\.0/);
    await update({ attachment: 'none' });
  });

  test('of an invoice are those of its credit note, even if the customer moves or loses the number', async () => {
    const reverse = await issue();
    await operatorResult(app, 'PUT', 'account/tax', { account: account(), vatnumber: '' });
    const taxed = await issue();
    assert.deepEqual([reverse.tax_cents, taxed.tax_cents], [0, 2000]);
    const notes = [];
    for (const { number: invoiceNumber } of [reverse, taxed])
      notes.push(
        await app.parts.store.transaction((queries) => cancelInvoice(app.parts, queries, invoiceNumber, 'wrong')),
      );
    assert.deepEqual(
      notes.map(({ kind, tax_cents, total_cents }) => [kind, tax_cents, total_cents]),
      [
        ['CreditNote', 0, -10_000],
        ['CreditNote', -2000, -12_000],
      ],
    );
    const { taxes } = await invoice(notes[0]!.id);
    assert.deepEqual(
      taxes.map(({ category, base, tax }) => [category, base, tax]),
      [['AE', '-100.00', '0.00']],
    );
    assert.match(await download(notes[0]!.id, 'cii'), new RegExp(`<ram:IssuerAssignedID>${reverse.number}<`));
    await operatorResult(app, 'PUT', 'account/tax', { account: account(), vatnumber: number });
  });

  test('are validated again after a while, and an old confirmation expires', async () => {
    await validateDue();
    assert.equal((await taxData()).validation, 'valid');
    vies.failure = 'down';
    app.pass(40 * dayMs);
    await validateDue();
    assert.equal((await taxData()).validation, 'valid', 'a register that is down for a while changes nothing');
    app.pass(60 * dayMs);
    await validateDue();
    assert.deepEqual(await taxData().then(({ validation, category }) => [validation, category]), ['unreachable', 'S']);
    vies.failure = undefined;
    vies.registered.delete(number);
    app.pass(dayMs);
    await validateDue();
    assert.equal((await taxData()).validation, 'invalid');
  });

  test('can be decided by staff, with a reason, until the number changes', async () => {
    const id = account();
    const refused = await asOperator<Envelope<ErrorResult>>(app, 'PUT', 'account/tax/override', {
      account: id,
      override: 'valid',
    });
    assert.equal(refused.status, 400);
    await operatorResult(app, 'PUT', 'account/tax/override', {
      account: id,
      override: 'valid',
      reason: 'Paper certificate',
    });
    assert.deepEqual(await taxData().then(({ validation, category }) => [validation, category]), ['valid', 'AE']);
    await update({ vatnumber: 'FR23334175221' });
    assert.deepEqual(await forStaff().then(({ override, category }) => [override, category]), ['none', 'S']);
    await operatorResult(app, 'PUT', 'account/tax/override', {
      account: id,
      override: 'exempt',
      reason: 'Embassy, certificate 7',
    });
    const { taxes } = await invoice((await issue()).id);
    assert.deepEqual(
      taxes.map(({ category, reason }) => [category, reason]),
      [['E', 'Embassy, certificate 7']],
    );
    await operatorResult(app, 'PUT', 'account/tax/override', { account: id, override: 'none', reason: 'Over' });
    assert.equal((await taxData()).category, 'S');
  });

  test('are validated when staff ask for it', async () => {
    await validateDue();
    const asked = vies.asked.length;
    await operatorResult(app, 'POST', 'account/tax/validate', { account: account() });
    await validateDue();
    assert.equal(vies.asked.length, asked + 1);
    const other = Number(app.lab.customer.account);
    assert.equal((await asOperator(app, 'POST', 'account/tax/validate', { account: other })).status, 409);
  });

  test('are not confirmed to a customer whose number changes while the register is asked', async () => {
    const { queries } = app.parts.store;
    const due = (await accountTaxFind(queries, account()))!;
    const confirmations = async () =>
      (
        await queries
          .selectFrom('events')
          .select('sequence')
          .where('type', '=', 'account.vatnumber.confirmed')
          .execute()
      ).length;
    const before = await confirmations();
    await update({ vatnumber: '' });
    await createVatWork(app.parts).validate({ ...due, state: 'unchecked' }, AbortSignal.timeout(30_000));
    assert.equal(await confirmations(), before);
    await update({ vatnumber: due.vat_number });
  });

  // SQLite has one writer at a time.
  if (engine === 'postgres')
    test('keep a change of the customer that is committed while staff ask for validation', async () => {
      const stored = () => app.parts.store.queries.selectFrom('account_taxes').where('account_id', '=', account());
      const { vat_number } = await stored().select('vat_number').executeTakeFirstOrThrow();
      await callDuring(
        app.parts.store,
        (queries) =>
          queries.updateTable('account_taxes').set({ vat_number: '' }).where('account_id', '=', account()).execute(),
        () => operatorResult(app, 'POST', 'account/tax/validate', { account: account() }),
      );
      assert.equal((await stored().select('vat_number').executeTakeFirstOrThrow()).vat_number, '');
      await update({ vatnumber: vat_number });
    });

  test('keep the ledger balanced', async () => {
    const { queries } = app.parts.store;
    const rows = await queries.selectFrom('invoices').selectAll().where('account_id', '=', account()).execute();
    const taxes = await queries.selectFrom('invoice_taxes').selectAll().where('account_id', '=', account()).execute();
    const ofRules = new Set(taxes.map(({ invoice_id }) => invoice_id));
    const charged = rows.filter(({ id }) => ofRules.has(id)).reduce((sum, { tax_cents }) => sum + tax_cents, 0);
    assert.equal(
      taxes.reduce((sum, { tax_cents }) => sum + tax_cents, 0),
      charged,
    );
    const before = rows.filter(({ id }) => !ofRules.has(id)).reduce((sum, { tax_cents }) => sum + tax_cents, 0);
    assert.equal(-(await ledgerSum(queries, account(), 'tax')), charged + before);
  });
});
