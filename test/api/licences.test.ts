// Software licences: ordered with an invoice, delivered by the provider's hook or staff, cancelled to the end of the
// month.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { issueCreditNote } from '#app/billing/corrections.ts';
import { fulfilLicence, listLicenceOrders } from '#app/software/licence-admin.ts';
import { applySite } from '#app/site/apply.ts';
import { applySiteWithReport } from '#app/site/report.ts';
import { licenceNames } from '#contract/catalogue.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { invoiceLines, invoiceLoad } from '#store/billing/invoices.ts';
import { licenceFulfil } from '#store/billing/licences.ts';
import { startLicenceHook } from '#test/support/licence-fixtures.ts';
import { request, requestResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { until } from '#test/support/until.ts';

interface LicenceList {
  installed: Record<string, string>[];
  available: string[];
}
interface Ordered {
  orderid: string;
  invoiceid: string;
  license: string;
  status: string;
}
type Envelope<Result> = { success: boolean; results: number; result: Result };
const dayMs = 86_400_000;
const monthMs = 31 * dayMs;

describeOnEngines('software licences', { postgres: 'in long runs' }, ({ engine, openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ worksOffJobs: true })));

  const post = <Result>(path: string, params: Record<string, unknown>, key = app.lab.customer.key) =>
    request<Envelope<Result>>(app, 'POST', `/software/${path}`, { key, params });
  const list = async (service: number): Promise<LicenceList> =>
    (await post<LicenceList>('list', { service })).body.result;
  const get = <Result>(path: string, params = {}) =>
    requestResult<Result>(app, 'GET', path, { key: app.lab.customer.key, params });
  const details = (service: number) => get<Record<string, string>[]>(`/v2/device/license/${service}`);
  const offers = (service: number) =>
    get<{ license: string; price: string; first: string }[]>(`/v2/device/license/${service}/offer`);

  test('of the right kind are offered for each service, and none is installed', async () => {
    for (const [service, prefix] of [
      [1001, 'DEDICATED_'],
      [2001, 'VPS_'],
      [3001, 'VPS_'],
    ] as const) {
      const { installed, available } = await list(service);
      assert.deepEqual(installed, []);
      assert.deepEqual(available.toSorted(), licenceNames.filter((name) => name.startsWith(prefix)).toSorted());
    }
  });

  test('are ordered with an unpaid invoice at once, prorated to the end of the month', async () => {
    const order = { service: 1001, type: 'Dedicated', license: 'DEDICATED_PANEL1' };
    const offered = (await offers(1001)).find(({ license }) => license === order.license);
    const { status, body } = await post<Ordered>('order', order);
    assert.equal(status, 200, JSON.stringify(body));
    const { orderid, invoiceid, ...rest } = body.result;
    assert.deepEqual(rest, { license: 'DEDICATED_PANEL1', status: 'Pending' });
    assert.equal(offered?.price, '15.00');
    const invoice = await request<
      Envelope<{ status: string; credit: string; items: { item: Record<string, string>[] } }>
    >(app, 'GET', '/v2/account/invoice', { key: app.lab.customer.key, params: { invoice: invoiceid } });
    assert.equal(invoice.body.result.status, 'Unpaid');
    assert.equal(invoice.body.result.credit, '0.00');
    const [line, ...more] = invoice.body.result.items.item;
    assert.deepEqual(more, []);
    assert.equal(line!['type'], 'License');
    assert.equal(line!['relid'], '1001');
    const billed = /^DEDICATED_PANEL1 \(web1\.example\.net\), (\S+) to (\S+?)(?:, (\d+) of (\d+) days at (\S+))?$/.exec(
      line!['description']!,
    );
    assert.ok(billed, line!['description']);
    const days = (Date.parse(billed[2]!) - Date.parse(billed[1]!)) / 86_400_000 + 1;
    assert.equal(days, Number(billed[3] ?? days), 'the invoice names the days that it bills');
    if (billed[3] === undefined) assert.equal(line!['amount'], '15.00');
    else assert.ok(Math.abs(Number(line!['amount']) - (days / Number(billed[4])) * 15) <= 0.01, line!['amount']);

    assert.equal(offered?.first, line!['amount'], 'the offered price is billed');
    const left = (await offers(1001)).map(({ license }) => license);
    assert.ok(!left.includes('DEDICATED_PANEL1'), 'a licence that a service has is not offered again');
    assert.deepEqual(left, (await list(1001)).available);

    assert.deepEqual((await list(1001)).installed, [], 'not delivered yet');
    assert.equal((await post('order', order)).status, 409, 'the same licence twice');
    const orders = await listLicenceOrders(app.parts);
    assert.deepEqual(orders, [`${orderid} account 1 service 1001 DEDICATED_PANEL1`]);
  });

  test('get the key from staff, which completes the order', async () => {
    const [{ orderid, key } = {}] = await details(1001);
    assert.equal(key, '');
    await fulfilLicence(app.parts, Number(orderid), 'STAFF-KEY');
    await assert.rejects(fulfilLicence(app.parts, Number(orderid), 'ANOTHER'), /waiting for a key/);
    const [after] = await details(1001);
    const { license, type, since } = after!;
    const installed = { license, type, status: 'Active', since, key: 'STAFF-KEY' };
    assert.deepEqual((await list(1001)).installed, [installed], 'the key reaches a customer of the legacy API');
    assert.deepEqual({ ...after, ...installed }, after);
    await until(async () => {
      const params = { service: 1001 };
      const result = await requestResult<{ operation: string; status: string }[]>(app, 'GET', '/v2/action', {
        key: app.lab.customer.key,
        params,
      });
      return result.some((action) => action.operation === 'legacy.softwareOrder' && action.status === 'Completed');
    });
    const stored = await app.parts.store.queries.selectFrom('licences').select('licence_key').execute();
    assert.ok(
      stored.every(({ licence_key: sealed }) => !sealed?.includes('STAFF-KEY')),
      'sealed at rest',
    );
  });

  test('are cancelled to the end of the month, and gone then', async () => {
    const licence = { service: 1001, type: 'Dedicated', license: 'DEDICATED_PANEL1' };
    assert.equal((await post('cancel', licence)).body.result, 'License Cancelled');
    assert.equal(
      (await post('cancel', licence)).body.result,
      'License Cancelled',
      'cancelling twice is the same as once',
    );
    assert.equal((await list(1001)).installed[0]?.['status'], 'Cancelled');
    assert.equal((await post('order', licence)).status, 409, 'it stays until it ends');
    app.pass(monthMs);
    const { store, clock } = app.parts;
    await housekeeping(store, clock).run(AbortSignal.timeout(60_000));
    assert.deepEqual((await list(1001)).installed, []);
    assert.equal((await post('cancel', licence)).status, 404);
    assert.equal((await post('order', licence)).status, 200);
    await post('cancel', licence);
  });

  test('end at once if they are cancelled before they are delivered, and their invoice is cancelled', async () => {
    const licence = { service: 1001, type: 'Dedicated', license: 'DEDICATED_PANEL2' };
    for (const round of [1, 2]) {
      const { body } = await post<Ordered>('order', licence);
      assert.equal((await post('cancel', licence)).body.result, 'License Cancelled', `round ${round}`);
      assert.deepEqual((await list(1001)).installed, []);
      assert.equal(
        (await get<{ status: string }>('/v2/account/invoice', { invoice: body.result.invoiceid })).status,
        'Cancelled',
      );
      assert.equal((await post('cancel', licence)).status, 404);
    }
  });

  // SQLite has one writer at a time.
  if (engine === 'postgres')
    test('are cancelled, too, if the key arrives at the same time', async () => {
      const { store } = app.parts;
      const order = { service: 1001, type: 'Dedicated', license: 'DEDICATED_PANEL2' };
      const { orderid } = (await post<Ordered>('order', order)).body.result;
      const waiting = sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`;
      let status: number | undefined;
      const { cancelling } = await store.transaction(async (queries) => {
        assert.ok(await licenceFulfil(queries, Number(orderid), 'sealed'));
        const response = post('cancel', order).then((answer) => (status = answer.status));
        await until(async () => status !== undefined || (await waiting.execute(store.queries)).rows[0]!.count > 0);
        return { cancelling: response };
      });
      assert.equal(await cancelling, 200);
      const row = store.queries.selectFrom('licences').select('status').where('id', '=', Number(orderid));
      assert.equal((await row.executeTakeFirstOrThrow()).status, 'Cancelled');
      await store.queries.deleteFrom('licences').where('id', '=', Number(orderid)).execute();
    });

  test('are credited completely when they are withdrawn, even if staff have credited a part', async () => {
    const order = { service: 1001, type: 'Dedicated', license: 'DEDICATED_PANEL2' };
    const { invoiceid } = (await post<Ordered>('order', order)).body.result;
    const { transaction } = app.parts.store;
    await transaction(async (queries) => {
      const invoice = (await invoiceLoad(queries, Number(invoiceid)))!;
      const [line] = await invoiceLines(queries, invoice.account_id, invoice.id);
      await issueCreditNote(app.parts, queries, invoice, { reason: 'Goodwill', lines: [{ id: line!.id, cents: 1 }] });
    });
    assert.equal((await post('cancel', order)).status, 200);
    const { status } = await get<{ status: string }>('/v2/account/invoice', { invoice: invoiceid });
    assert.equal(status, 'Cancelled');
  });

  test('are withdrawn if no key comes within 30 days', async () => {
    const { body } = await post<Ordered>('order', { service: 1001, type: 'Dedicated', license: 'DEDICATED_PANEL2' });
    app.pass(30 * dayMs);
    await until(async () => (await details(1001)).length === 0);
    assert.equal(
      (await get<{ status: string }>('/v2/account/invoice', { invoice: body.result.invoiceid })).status,
      'Cancelled',
    );
    const [order] = await get<{ operation: string; status: string; error: string }[]>('/v2/action?service=1001');
    assert.deepEqual([order?.status, order?.error], ['Failed', 'The licence was not delivered within 30 days.']);
  });

  test("get the key from the provider's hook, through a signed request", async () => {
    await using hook = await startLicenceHook();
    const secret = 'a secret of the hook';
    await applySite(app.parts, { ...app.site, licenceHook: { url: hook.url, secret } });
    hook.key = 'HOOK-KEY';
    const vpsLicence = { service: 2001, type: 'VPS', license: 'VPS_PANEL4_10' };
    const { body } = await post<Ordered>('order', vpsLicence);
    await until(async () => (await details(2001))[0]?.['key'] === 'HOOK-KEY');
    const [hookRequest] = hook.requests;
    const verified = new Webhook(Buffer.from(secret).toString('base64')).verify(
      hookRequest!.body,
      hookRequest!.headers as Record<string, string>,
    );
    const { orderid: order } = body.result;
    assert.deepEqual(verified, { order, license: 'VPS_PANEL4_10', service: '2001', account: '1' });
  });

  test('that do not fit are rejected with a reason, at no cost', async () => {
    const invoices = async (): Promise<number> => {
      const { body } = await request<Envelope<unknown[]>>(app, 'GET', '/billing/invoice', {
        key: app.lab.customer.key,
      });
      return body.results;
    };
    const count = await invoices();
    for (const [params, status] of [
      [{ service: 1001, type: 'Dedicated', license: 'DEDICATED_PANEL9' }, 422],
      [{ service: 1001, type: 'Dedicated', license: 'VPS_PANEL1' }, 422],
      [{ service: 1001, type: 'VPS', license: 'VPS_PANEL1' }, 422],
      [{ service: 3001, type: 'Dedicated', license: 'DEDICATED_PANEL1' }, 422],
      [{ service: 1101, type: 'Dedicated', license: 'DEDICATED_PANEL1' }, 404],
      [{ service: 1001, type: 'Other', license: 'DEDICATED_PANEL1' }, 400],
    ] as const) {
      assert.equal((await post('order', params)).status, status, JSON.stringify(params));
      assert.equal((await post('cancel', params)).status, status, JSON.stringify(params));
    }
    const unknown = await post<string>('order', { service: 1001, type: 'Dedicated', license: 'DEDICATED_PANEL9' });
    assert.match(unknown.body.result, /DEDICATED_PANEL4_10_POWERPACK/, 'the valid ones are listed');
    await applySiteWithReport(app.parts, { ...app.site, licences: [] }, 'used');
    const unsold = { service: 1002, type: 'Dedicated', license: 'DEDICATED_PANEL1' };
    assert.equal((await post('order', unsold)).status, 422);
    assert.equal(await invoices(), count);
  });
});
