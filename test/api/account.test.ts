// The account, its balance and its invoices, on both engines and both APIs.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { createKeyText } from '#lib/key-text.ts';
import { request, type Envelope } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

type Fields = Record<string, string>;
interface Detail {
  [name: string]: unknown;
  items: { item: Fields[] };
}

function cents(text: unknown): number {
  assert.match(String(text), /^-?\d+\.\d\d$/);
  return Number(String(text).replace('.', ''));
}

describeOnEngines('an account', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp()));

  async function get<Result>(path: string, params: Record<string, unknown> = {}, key = app.lab.customer.key) {
    return request<Envelope<Result>>(app, 'GET', path, { key, params });
  }

  test('is returned to its owner', async () => {
    const { status, body } = await get<Fields>('/v2/account');
    assert.equal(status, 200);
    assert.equal(body.results, 17);
    const { lastlogin, balance, ...rest } = body.result;
    assert.deepEqual(rest, {
      id: '1',
      firstname: 'Ada',
      lastname: 'Winter',
      fullname: 'Ada Winter',
      companyname: 'Winter Hosting',
      email: 'ada@example.net',
      address1: 'Keizersgracht 12',
      address2: '',
      city: 'Amsterdam',
      state: 'Noord-Holland',
      postcode: '1015CJ',
      countrycode: 'NL',
      phonenumber: '+31.201234567',
      status: 'Active',
      currency: 'EUR',
    });
    assert.equal(lastlogin, '0000-00-00 00:00:00\n\n', 'no person has signed in yet');
    assert.equal((await get('/v2/account/balance')).body.result, balance);
  });

  test('owes what is open on its unpaid invoices, less its credit', async () => {
    const { body } = await get<Fields[]>('/v2/account/invoice');
    let open = 0;
    for (const { id, status, balance: listed } of body.result) {
      const { balance } = (await get<Detail>('/v2/account/invoice', { invoice: id })).body.result;
      assert.equal(listed, balance, 'the list has the same');
      if (status === 'Unpaid' || status === 'Overdue') open += cents(balance);
      else assert.equal(balance, '0.00', status);
    }
    const balance = (await get<string>('/v2/account/balance')).body.result;
    assert.equal(cents(balance), open - 500);
    assert.equal((await get('/billing/balance')).body.result, balance);
    // 98.00 with 21%, less 50 paid; 111.31 with 21%, less 4; less 5 of credit.
    assert.equal(balance, '194.27');
  });

  test('in credit has a negative balance', async () => {
    const { text, printableId, secretHash } = createKeyText();
    const [customer] = app.site.customers ?? [];
    const keys = [{ name: 'seven', id: printableId, hash: secretHash.toString('hex'), scopes: ['all' as const] }];
    const seven = { ...customer!, id: 7, email: 'seven@example.net', keys, opening: { credit: '12.05' } };
    await applySite(app.parts, { ...app.site, customers: [...(app.site.customers ?? []), seven] });
    assert.equal((await get('/v2/account/balance', {}, text)).body.result, '-12.05');
  });

  test('lists its invoices by status and all together', async () => {
    const all = (await get<Fields[]>('/v2/account/invoice')).body;
    assert.equal(all.results, 4);
    assert.deepEqual(all.result.map(({ status }) => status).sort(), ['Cancelled', 'Overdue', 'Paid', 'Unpaid']);
    for (const status of ['Paid', 'Unpaid', 'Overdue', 'Cancelled']) {
      const some = (await get<Fields[]>('/v2/account/invoice', { status })).body;
      assert.deepEqual(
        some.result,
        all.result.filter((invoice) => invoice['status'] === status),
      );
      assert.equal(some.results, 1);
      assert.deepEqual((await get<Fields[]>(`/billing/invoice/${status}`)).body, some);
    }
    assert.deepEqual((await get('/billing/invoice')).body, all);
  });

  test("never sees other accounts' invoices, in no list and by no id", async () => {
    const theirs = (await get<Fields[]>('/v2/account/invoice', {}, app.lab.stranger.key)).body.result;
    assert.deepEqual(
      theirs.map(({ userid }) => userid),
      ['2'],
    );
    assert.equal((await get('/v2/account/invoice', { invoice: theirs[0]!['id'] })).status, 404);
  });

  test('reads one invoice whose totals are right to the cent', async () => {
    const { result } = (await get<Fields[]>('/v2/account/invoice')).body;
    for (const { id, status } of result) {
      const { body } = await get<Detail>('/v2/account/invoice', { invoice: id });
      const { items, subtotal, credit, tax, tax2, total, taxrate, datepaid, transactions, ...rest } = body.result;
      const sum = (some: Fields[]) => some.reduce((total, line) => total + cents(line['amount']), 0);
      const taxed = items.item.filter((line) => line['taxed'] === '1');
      assert.equal(cents(subtotal), sum(items.item));
      assert.equal(cents(tax), Math.round((sum(taxed) * Number(taxrate)) / 100));
      assert.equal(cents(total), cents(subtotal) + cents(tax) + cents(tax2) - cents(credit));
      assert.equal(rest['status'], status);
      assert.equal(datepaid === '0000-00-00 00:00:00', status !== 'Paid');
      const payments = String(transactions).split('\n').filter(Boolean);
      assert.equal(payments.length, status === 'Paid' || status === 'Overdue' ? 1 : 0);
      const sent = { key: app.lab.customer.key, form: { invoice: id! } };
      assert.deepEqual((await request(app, 'POST', '/billing/invoice', sent)).body, body);
    }
  });

  test('rejects a status together with an invoice, and an unknown status', async () => {
    for (const params of [{ status: 'Paid', invoice: 1 }, { status: 'paid' }, { invoice: '9'.repeat(400) }])
      assert.equal((await get('/v2/account/invoice', params)).status, 400);
    assert.equal((await get('/billing/invoice/Nope')).status, 400);
  });

  test('has an overdue invoice from the day after it was due, and not before', async () => {
    const { key } = app.lab.stranger;
    const [unpaid] = (await get<Fields[]>('/v2/account/invoice', { status: 'Unpaid' }, key)).body.result;
    app.pass(Date.parse(`${unpaid!['duedate']}T23:50:00Z`) - app.parts.clock.now());
    assert.equal((await get('/v2/account/invoice', { status: 'Overdue' }, key)).body.results, 0);
    app.pass(11 * 60_000);
    assert.equal((await get<Fields[]>('/v2/account/invoice', {}, key)).body.result[0]?.['status'], 'Overdue');
    assert.equal((await get('/v2/account/invoice', { status: 'Unpaid' }, key)).body.results, 0);
  });

  test('that is suspended can read and manage itself but changes no service; a closed one can do nothing', async () => {
    const { key, service } = app.lab.stranger;
    const become = (status: 'Suspended' | 'Closed' | 'Active') => {
      const customers = (app.site.customers ?? []).map((customer) =>
        customer.id === 2 ? { ...customer, status } : customer,
      );
      return applySite(app.parts, { ...app.site, customers });
    };
    await become('Suspended');
    assert.equal((await get<Fields>('/v2/account', {}, key)).body.result['status'], 'Suspended');
    assert.equal((await get('/v2/account/invoice', {}, key)).status, 200);
    const power = { key, params: { service, action: 'on' } };
    const frozen = await request<Envelope<{ code: string }>>(app, 'POST', '/v2/device/power', power);
    assert.deepEqual([frozen.status, frozen.body.result.code], [403, 'account_suspended']);
    const response = await request(app, 'POST', '/v2/account/key', { key, params: { name: 'a', scopes: ['all'] } });
    assert.equal(response.status, 200);
    await become('Closed');
    const shut = await get<{ code: string }>('/v2/account', {}, key);
    assert.deepEqual([shut.status, shut.body.result.code], [403, 'account_closed']);
    await become('Active');
    assert.equal((await get('/v2/account', {}, key)).status, 200);
  });
});
