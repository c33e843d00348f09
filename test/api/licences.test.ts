// Software licences: ordered with an invoice, fulfilled by the provider's hook or his staff, cancelled for the end of the month.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { licenceGive, licenceOrdersText } from '#app/software/licence-admin.ts';
import { applySite } from '#app/site/apply.ts';
import { applyTold } from '#app/site/report.ts';
import { licenceNames } from '#contract/catalogue.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { startLicenceHook } from '#test/support/licence-world.ts';
import { request } from '#test/support/request.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';
import { until } from '#test/support/until.ts';

interface Listed {
  installed: Record<string, string>[];
  available: string[];
}
interface Ordered {
  orderid: string;
  invoiceid: string;
  license: string;
  status: string;
}
type Answer<Result> = { success: boolean; results: number; result: Result };
const monthMs = 31 * 86_400_000;

for (const { engine, suite, start } of engines) {
  describe(`software licences on ${engine}`, suite, () => {
    let running: Awaited<ReturnType<typeof start>>;
    let yard: TestYard;
    before(async () => {
      running = await start();
      yard = await openTestYard({ ...(await running.newDatabase()), worksOffJobs: true });
    });
    after(async () => {
      await yard?.[Symbol.asyncDispose]();
      await running?.[Symbol.asyncDispose]();
    });

    const post = <Result>(path: string, params: Record<string, unknown>, key = yard.lab.customer.key) =>
      request<Answer<Result>>(yard, 'POST', `/software/${path}`, { key, params });
    const list = async (service: number): Promise<Listed> => (await post<Listed>('list', { service })).body.result;
    const details = async (service: number): Promise<Record<string, string>[]> => {
      const path = `/v2/device/license/${service}`;
      const { body } = await request<Answer<Record<string, string>[]>>(yard, 'GET', path, {
        key: yard.lab.customer.key,
      });
      return body.result;
    };

    const offers = async (service: number): Promise<{ license: string; price: string; first: string }[]> => {
      const { status, body } = await request<Answer<{ license: string; price: string; first: string }[]>>(
        yard,
        'GET',
        `/v2/device/license/${service}/offer`,
        { key: yard.lab.customer.key },
      );
      assert.equal(status, 200, JSON.stringify(body));
      return body.result;
    };

    test('of the kind of each service are there to be ordered, and none is installed', async () => {
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
      const wanted = { service: 1001, type: 'Dedicated', license: 'DEDICATED_PANEL1' };
      const offered = (await offers(1001)).find(({ license }) => license === wanted.license);
      const { status, body } = await post<Ordered>('order', wanted);
      assert.equal(status, 200, JSON.stringify(body));
      const { orderid, invoiceid, ...rest } = body.result;
      assert.deepEqual(rest, { license: 'DEDICATED_PANEL1', status: 'Pending' });
      assert.equal(offered?.price, '15.00');
      const invoice = await request<
        Answer<{ status: string; credit: string; items: { item: Record<string, string>[] } }>
      >(yard, 'GET', '/v2/account/invoice', { key: yard.lab.customer.key, params: { invoice: invoiceid } });
      assert.equal(invoice.body.result.status, 'Unpaid');
      assert.equal(invoice.body.result.credit, '0.00');
      const [line, ...more] = invoice.body.result.items.item;
      assert.deepEqual(more, []);
      assert.equal(line!['type'], 'License');
      assert.equal(line!['relid'], '1001');
      const said = /^DEDICATED_PANEL1 \(web1\.example\.net\), (\S+) to (\S+?)(?:, (\d+) of (\d+) days at (\S+))?$/.exec(
        line!['description']!,
      );
      assert.ok(said, line!['description']);
      const days = (Date.parse(said[2]!) - Date.parse(said[1]!)) / 86_400_000 + 1;
      assert.equal(days, Number(said[3] ?? days), 'the days that it names are those that it bills');
      if (said[3] === undefined) assert.equal(line!['amount'], '15.00');
      else assert.ok(Math.abs(Number(line!['amount']) - (days / Number(said[4])) * 15) <= 0.01, line!['amount']);

      assert.equal(offered?.first, line!['amount'], 'what was offered is what is billed');
      const left = (await offers(1001)).map(({ license }) => license);
      assert.ok(!left.includes('DEDICATED_PANEL1'), 'what a service has is not offered to it');
      assert.deepEqual(left, (await list(1001)).available);

      assert.deepEqual((await list(1001)).installed, [
        { license: 'DEDICATED_PANEL1', type: 'Dedicated', status: 'Pending', since: said[1]! },
      ]);
      assert.equal((await post('order', wanted)).status, 409, 'the same twice');
      const mine = await licenceOrdersText(yard.parts);
      assert.deepEqual(mine, [`${orderid} account 1 service 1001 DEDICATED_PANEL1`]);
    });

    test('get the key that the staff give, which ends the order', async () => {
      const [{ orderid, key } = {}] = await details(1001);
      assert.equal(key, '');
      await licenceGive(yard.parts, Number(orderid), 'STAFF-KEY');
      await assert.rejects(licenceGive(yard.parts, Number(orderid), 'ANOTHER'), /waits for a key/);
      const [after] = await details(1001);
      assert.deepEqual([after!['status'], after!['key']], ['Active', 'STAFF-KEY']);
      await until(async () => {
        const params = { service: 1001 };
        const { body } = await request<Answer<{ operation: string; status: string }[]>>(yard, 'GET', '/v2/action', {
          key: yard.lab.customer.key,
          params,
        });
        return body.result.some(
          (action) => action.operation === 'legacy.softwareOrder' && action.status === 'Completed',
        );
      });
      const stored = await yard.parts.store.queries.selectFrom('licences').select('licence_key').execute();
      assert.ok(
        stored.every(({ licence_key: sealed }) => !sealed?.includes('STAFF-KEY')),
        'sealed at rest',
      );
    });

    test('are cancelled for the end of the month, and gone then', async () => {
      const wanted = { service: 1001, type: 'Dedicated', license: 'DEDICATED_PANEL1' };
      assert.equal((await post('cancel', wanted)).body.result, 'License Cancelled');
      assert.equal((await post('cancel', wanted)).body.result, 'License Cancelled', 'twice is the same as once');
      assert.equal((await list(1001)).installed[0]?.['status'], 'Cancelled');
      assert.equal((await post('order', wanted)).status, 409, 'it is there until it ends');
      yard.pass(monthMs);
      const { store, clock } = yard.parts;
      await housekeeping(store, clock).run(AbortSignal.timeout(60_000));
      assert.deepEqual((await list(1001)).installed, []);
      assert.equal((await post('cancel', wanted)).status, 404);
      assert.equal((await post('order', wanted)).status, 200);
      await post('cancel', wanted);
    });

    test('get the key from the provider’s hook, which is asked signed', async () => {
      await using hook = await startLicenceHook();
      const secret = 'a secret of the hook';
      await applySite(yard.parts, { ...yard.site, licenceHook: { url: hook.url, secret } });
      hook.key = 'HOOK-KEY';
      const wanted = { service: 2001, type: 'VPS', license: 'VPS_PANEL4_10' };
      const { body } = await post<Ordered>('order', wanted);
      await until(async () => (await details(2001))[0]?.['key'] === 'HOOK-KEY');
      const [asked] = hook.asked;
      const verified = new Webhook(Buffer.from(secret).toString('base64')).verify(
        asked!.body,
        asked!.headers as Record<string, string>,
      );
      const { orderid: order } = body.result;
      assert.deepEqual(verified, { order, license: 'VPS_PANEL4_10', service: '2001', account: '1' });
    });

    test('are refused in words where they do not fit, and cost nothing then', async () => {
      const invoices = async (): Promise<number> => {
        const { body } = await request<Answer<unknown[]>>(yard, 'GET', '/billing/invoice', {
          key: yard.lab.customer.key,
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
      assert.match(unknown.body.result, /DEDICATED_PANEL4_10_POWERPACK/, 'the valid ones are named');
      await applyTold(yard.parts, { ...yard.site, licences: [] }, 'used');
      const unsold = { service: 1002, type: 'Dedicated', license: 'DEDICATED_PANEL1' };
      assert.equal((await post('order', unsold)).status, 422);
      assert.equal(await invoices(), count);
    });
  });
}
