// E-invoices through the network, currencies with their exchange rates, account statements, and evidence for tax.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { createDeliveryWork } from '#app/billing/delivery/hand-over.ts';
import { accountsWithRate } from '#app/billing/currency/exchange.ts';
import { readExchangeRates } from '#app/billing/currency/rates.ts';
import { cancelInvoice } from '#app/billing/corrections.ts';
import { renderInvoice } from '#app/billing/invoice-documents.ts';
import { issueInvoice } from '#app/billing/issue.ts';
import { receivePayment } from '#app/billing/payments.ts';
import { recordOrderCountry } from '#app/billing/tax/evidence.ts';
import { createCharge } from '#app/payments/charges.ts';
import { settleCharge } from '#app/payments/settle.ts';
import { applySite } from '#app/site/apply.ts';
import type { ExchangeRateList } from '#contract/shapes/currency.ts';
import type { DeliveryItem, OperatorDeliveryItem } from '#contract/shapes/delivery-list.ts';
import type { Statement } from '#contract/shapes/statement.ts';
import type { EvidenceConflict, OperatorTaxData, TaxOverview } from '#contract/shapes/tax-data.ts';
import { dayMs, dayOf, dayText } from '#lib/time.ts';
import { invoiceDelivery } from '#reconcilers/invoice-delivery.ts';
import type { AccountId } from '#store/account-id.ts';
import { ledgerPost, ledgerSum } from '#store/billing/ledger.ts';
import {
  accessPointHookSecret,
  accessPointToken,
  reportDelivery,
  startAccessPoint,
} from '#test/support/access-point.ts';
import type { AccessPointServer } from '#test/support/access-point.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { request, requestResult } from '#test/support/request.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import type { Static } from 'typebox';

const line = { type: 'Hosting', service: undefined, description: 'One month', cents: 10_000, isTaxed: true } as const;

describeOnEngines('invoices', { postgres: 'in long runs' }, ({ owned, openApp }) => {
  let app: TestApp;
  let accessPoint: AccessPointServer;
  let ratesFile: string;
  before(async () => {
    accessPoint = owned.use(await startAccessPoint());
    ratesFile = join(owned.use(await temporaryFolder('rates')).path, 'eurofxref.xml');
    app = await openApp({});
    await applySite(app.parts, siteOf());
  });

  function siteOf() {
    const { taxes: _, ...site } = app.site;
    const seller = { ...site.provider.seller!, vatNumber: 'NL004495445B01', endpoint: '0106:12345678' };
    const tax = { oss: true, countryHeader: 'CF-IPCountry' };
    return {
      ...site,
      provider: { ...site.provider, seller, tax },
      exchangeRates: { driver: 'ecb', file: ratesFile, maxAgeDays: 5 },
      invoiceDelivery: {
        driver: 'access-point',
        url: accessPoint.url,
        token: accessPointToken,
        hookSecret: accessPointHookSecret,
      },
    } as const;
  }

  const key = () => app.lab.stranger.key;
  const account = () => Number(app.lab.stranger.account) as AccountId;
  const issue = (owner = account()) =>
    app.parts.store.transaction((queries) =>
      issueInvoice(queries, owner, { now: app.parts.clock.now(), lines: [line] }),
    );
  const handOver = () => invoiceDelivery(app.parts, createDeliveryWork(app.parts)).run(AbortSignal.timeout(30_000));
  const deliveries = (invoice: number) =>
    requestResult<Static<typeof DeliveryItem>[]>(app, 'GET', '/v2/account/invoice/delivery', {
      key: key(),
      params: { invoice },
    });
  const stateOf = async (invoice: number) => (await deliveries(invoice))[0]?.state;
  const update = (params: Record<string, unknown>) => request(app, 'PUT', '/v2/account/tax', { key: key(), params });

  test('are not sent through the network unless the customer wants it', async () => {
    const { id } = await issue();
    assert.deepEqual(await deliveries(id), []);
    assert.equal((await update({ delivery: 'network', endpoint: '0009:12345678900012' })).status, 200);
    const foreign = { key: app.lab.customer.key, params: { invoice: id } };
    assert.equal((await request(app, 'GET', '/v2/account/invoice/delivery', foreign)).status, 404);
  });

  test('are handed over once, even if the answer is lost, and again after the access point was down', async () => {
    const { id, number } = await issue();
    assert.equal(await stateOf(id), 'queued');
    for (const failure of ['down', 'page', 'lost'] as const) {
      accessPoint.failure = failure;
      await handOver();
      assert.equal(await stateOf(id), 'queued', failure);
      app.pass(12 * 3_600_000);
    }
    const [waiting] = await operatorResult<Static<typeof OperatorDeliveryItem>[]>(app, 'GET', 'invoice/delivery', {
      state: 'queued',
    });
    assert.match(waiting!.problem, /did not answer/);
    accessPoint.failure = undefined;
    await handOver();
    assert.equal(await stateOf(id), 'sent');
    assert.deepEqual(accessPoint.violations, []);
    assert.equal(accessPoint.taken.size, 1);
    const taken = accessPoint.taken.get(`invoice-${id}-1`)!;
    assert.deepEqual(
      [taken.sender, taken.receiver],
      [
        { scheme: '0106', id: '12345678' },
        { scheme: '0009', id: '12345678900012' },
      ],
    );
    assert.ok(Buffer.from(taken.document, 'base64').toString().includes(`<cbc:ID>${number}</cbc:ID>`));
    taken.status = 'delivered';
    app.pass(dayMs);
    await handOver();
    assert.equal(await stateOf(id), 'delivered');
    assert.equal((await asOperator(app, 'POST', 'invoice/delivery', { id })).status, 409);
  });

  test('can be rejected, with the reason, and be sent again by staff under another identifier', async () => {
    accessPoint.unknownReceivers.add('0009:12345678900012');
    const { id } = await issue();
    await handOver();
    const [rejected] = await deliveries(id);
    assert.deepEqual([rejected!.state, rejected!.reason.includes('not registered')], ['rejected', true]);
    accessPoint.unknownReceivers.clear();
    await operatorResult(app, 'POST', 'invoice/delivery', { id });
    await handOver();
    const report = { id: `invoice-${id}-2`, status: 'delivered' };
    const now = app.parts.clock.now();
    const other = `whsec_${Buffer.from('another secret of 16 bytes').toString('base64')}`;
    assert.equal(await reportDelivery(app.url, now, report, other), 401);
    assert.equal(await reportDelivery(app.url, now, { id: 'invoice-999999-1', status: 'delivered' }), 404);
    assert.equal(await reportDelivery(app.url, now, { id: report.id, status: 'eaten' }), 400);
    assert.deepEqual([await reportDelivery(app.url, now, report), await stateOf(id)], [200, 'delivered']);
    assert.equal(await reportDelivery(app.url, now, { ...report, status: 'rejected' }), 200);
    assert.equal(await stateOf(id), 'delivered', 'the first final report stays');
    await update({ endpoint: '' });
    const unaddressed = await issue();
    await handOver();
    const [refused] = await deliveries(unaddressed.id);
    assert.match(refused!.reason, /electronic address of the customer/);
    await update({ delivery: 'email' });
  });

  test('have their tax in the currency of the provider as well, by the rate of a recent day', async () => {
    const id = Number(await operatorResult<string>(app, 'POST', 'account', person)) as AccountId;
    assert.equal((await asOperator(app, 'PUT', 'account/currency', { account: id, currency: 'JPY' })).status, 400);
    const { store, clock } = app.parts;
    const topUp = { account: id, driver: 'stripe', method: undefined, invoice: undefined, cents: 1000, attempt: 0 };
    const charge = await store.transaction((queries) => createCharge({ clock }, queries, topUp));
    assert.equal((await asOperator(app, 'PUT', 'account/currency', { account: id, currency: 'USD' })).status, 409);
    const dollars = { ...app.site.customers![0]!, id, email: person.email, currency: 'USD' };
    const inDollars = { ...siteOf(), customers: [...app.site.customers!, dollars] };
    await assert.rejects(applySite(app.parts, inDollars), /cannot change from EUR to USD.*started a payment/);
    const expired = { state: 'failed', externalId: '', code: 'expired', message: '', isRetryable: true } as const;
    await store.transaction((queries) => settleCharge(app.parts, queries, charge.id, expired));
    await operatorResult(app, 'PUT', 'account/currency', { account: id, currency: 'USD' });
    await assert.rejects(issue(id), /exchange rate is missing/);
    const { queries } = app.parts.store;
    assert.deepEqual(await accountsWithRate(queries, ['USD'], [account(), id]), [account()], 'billing runs wait');
    const rates = () => operatorResult<Static<typeof ExchangeRateList>>(app, 'GET', 'exchange-rate');
    assert.deepEqual((await rates()).missing, ['USD']);
    const today = dayText(app.parts.clock.now());
    writeFileSync(ratesFile, ecbFile([today, '1.25'], [dayText(app.parts.clock.now() + dayMs), '9.99']));
    await readExchangeRates(app.parts, AbortSignal.timeout(10_000));
    assert.deepEqual((await rates()).missing, []);
    const invoice = await issue(id);
    assert.equal(invoice.tax_cents, 2000);
    const exchange = await app.parts.store.queries.selectFrom('invoice_exchanges').selectAll().execute();
    assert.deepEqual(
      exchange.map(({ currency, tax_cents, rate, rate_day }) => [currency, tax_cents, rate, rate_day]),
      [['EUR', 1600, '1.25', dayOf(app.parts.clock.now())]],
    );
    // A source that is down changes nothing, until the last rate is too old.
    writeFileSync(ratesFile, 'Service unavailable');
    await assert.rejects(readExchangeRates(app.parts, AbortSignal.timeout(10_000)), { name: 'RateSourceError' });
    app.pass(4 * dayMs);
    await issue(id);
    app.pass(3 * dayMs);
    await assert.rejects(issue(id), /exchange rate is missing/);
    const note = await app.parts.store.transaction((queries) =>
      cancelInvoice(app.parts, queries, invoice.number, 'wrong'),
    );
    assert.equal(note.tax_cents, -2000, 'a credit note has the rate of its invoice');
    const date = dayText(app.parts.clock.now());
    await operatorResult(app, 'PUT', 'exchange-rate', { currency: 'USD', date, rate: '1.20' });
    assert.equal((await issue(id)).tax_cents, 2000);
    assert.equal((await asOperator(app, 'PUT', 'account/currency', { account: id, currency: 'EUR' })).status, 409);
    const customers = [{ ...app.site.customers![0]!, currency: 'USD' }, ...app.site.customers!.slice(1)];
    await assert.rejects(applySite(app.parts, { ...siteOf(), customers }), /cannot change from EUR to USD/);
  });

  test('and payments are in the statement of a period, which adds up', async () => {
    const now = app.parts.clock.now();
    const { number } = await issue();
    const paidAt = app.parts.clock.now() + 1;
    const payment = { payer: { account: account() }, cents: 5000, paidAt, method: 'bank', reference: 'S-1' };
    await app.parts.store.transaction((queries) => receivePayment(app.parts, queries, payment));
    const params = { from: dayText(now), until: dayText(now) };
    const statement = await requestResult<Static<typeof Statement>>(app, 'GET', '/v2/account/statement', {
      key: key(),
      params,
    });
    assert.deepEqual(
      statement.lines.map(({ kind, reference, amount }) => [kind, reference, amount]),
      [
        ['invoice', number, '120.00'],
        ['payment', 'S-1', '-50.00'],
      ],
    );
    const { queries } = app.parts.store;
    const owed = (await ledgerSum(queries, account(), 'receivable')) + (await ledgerSum(queries, account(), 'credit'));
    assert.equal(Math.round(Number(statement.closing) * 100), owed);
    const file = async (ending: string) => {
      const url = `${app.url}/v2/account/statement/${ending}?from=${params.from}&until=${params.until}`;
      const response = await fetch(url, { headers: { 'x-api-key': key() } });
      return [response.headers.get('content-type'), Buffer.from(await response.arrayBuffer()).toString('latin1')];
    };
    const [csvType, csv] = await file('csv');
    assert.equal(csvType, 'text/csv');
    assert.match(csv!, new RegExp(`${params.from},payment,S-1,-50.00,${statement.closing},EUR\r\n`));
    assert.match((await file('pdf'))[1]!, /^%PDF-1\.7/);
    const wrong = { key: key(), params: { from: params.until, until: '2020-01-01' } };
    assert.equal((await request(app, 'GET', '/v2/account/statement', wrong)).status, 400);
    // So many that each request would take a tenth of a second of the server.
    const movement = { debit: 'credit', credit: 'receivable', cents: 1 } as const;
    const occasion = { at: Date.UTC(2001, 0, 1), kind: 'credit', reference: '' } as const;
    for (let count = 0; count <= 5000; count += 501)
      await ledgerPost(
        queries,
        account(),
        occasion,
        Array.from({ length: 501 }, () => movement),
      );
    const many = { key: key(), params: { from: '2001-01-01', until: '2001-01-31' } };
    assert.equal((await request(app, 'GET', '/v2/account/statement/csv', many)).status, 409);
  });

  test('of private customers need evidence of where they are, and staff see conflicts', async () => {
    const tax = () => operatorResult<Static<typeof OperatorTaxData>>(app, 'GET', 'account/tax', { account: account() });
    const conflicts = () => operatorResult<Static<typeof EvidenceConflict>[]>(app, 'GET', 'tax/conflict');
    await update({ kind: 'private' });
    assert.equal((await tax()).evidencestate, 'missing');
    const record = (country: string) =>
      recordOrderCountry(
        app.parts.store.queries,
        account(),
        { proxyHeader: (name) => (name === 'CF-IPCountry' ? country : undefined) },
        app.parts.clock.now(),
      );
    await record('XX');
    assert.deepEqual((await tax()).evidence, []);
    await record('de');
    assert.equal((await tax()).evidencestate, 'conflict');
    assert.deepEqual(
      (await conflicts()).map(({ country, evidence }) => [country, evidence]),
      [['FR', [{ source: 'order', country: 'DE' }]]],
    );
    await operatorResult(app, 'PUT', 'account/tax', { account: account(), ordercountry: 'FR' });
    assert.deepEqual([(await tax()).evidencestate, await conflicts()], ['sufficient', []]);
    const overview = await operatorResult<Static<typeof TaxOverview>>(app, 'GET', 'tax');
    assert.ok(overview.isactive && overview.network);
    assert.ok(overview.rates.some(({ territory, rate }) => territory === 'FR' && rate === '20.00'));
    // The header of somebody who is not behind a trusted proxy does not count.
    const headers = { 'x-api-key': key(), 'cf-ipcountry': 'IT', 'content-type': 'application/json' };
    await fetch(`${app.url}/v2/account/tax`, { method: 'PUT', headers, body: '{"reference":"7"}' });
    assert.ok((await tax()).evidence.every(({ country }) => country !== 'IT'));
  });

  test('wait while too many documents are being rendered, instead of being rejected', async () => {
    await update({ delivery: 'network', endpoint: '0009:12345678900012' });
    const { id } = await issue();
    const { queries } = app.parts.store;
    const many = Array.from({ length: 60 }, () => renderInvoice(app.parts, queries, account(), id));
    const rendered = Promise.allSettled(many);
    await handOver();
    assert.equal(await stateOf(id), 'queued');
    await rendered;
    app.pass(120_000);
    await handOver();
    assert.equal(await stateOf(id), 'sent');
  });
});

const person = {
  firstname: 'Grace',
  lastname: 'Hopper',
  email: 'grace@example.com',
  address1: 'Rue 1',
  city: 'Paris',
  state: 'Paris',
  postcode: '75001',
  country: 'FR',
};

function ecbFile(...days: readonly (readonly [day: string, rate: string])[]): string {
  const cubes = days.map(([day, rate]) => `<Cube time='${day}'><Cube currency='USD' rate='${rate}'/></Cube>`);
  return `<gesmes:Envelope><Cube>${cubes.join('')}</Cube></gesmes:Envelope>`;
}
