// Maintenance from a draft to its end: who is affected, who is notified, and that nobody learns of others.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { maintenanceJob, maintenanceWorker } from '#app/operator/maintenance-notification.ts';
import { rackMountsPut, rackPut } from '#store/devices/racks.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { createAccount, createRoleKey, operatorResult, asOperator } from '#test/support/operators.ts';
import { requestResult, type ErrorResult } from '#test/support/request.ts';
import { addService } from '#test/support/accounts.ts';
import { until } from '#test/support/until.ts';
import type { AccountId } from '#store/account-id.ts';

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly accounts: string;
  readonly services: string;
}
interface Own {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly services: readonly { readonly service: string }[];
}

describeOnEngines('maintenance', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => {
    app = await openApp();
    await app.parts.queue.start([maintenanceWorker(app.parts)]);
  });

  const own = () => requestResult<Own[]>(app, 'GET', '/v2/maintenance', { key: app.lab.customer.key });
  const listed = async (id: string) =>
    (await operatorResult<Listed[]>(app, 'GET', 'maintenance')).find((maintenance) => maintenance.id === id)!;
  const notified = () =>
    until(async () => {
      const { queued = 0, running = 0 } = (await app.parts.queue.counts()).get(maintenanceJob.name) ?? {};
      return queued + running === 0;
    });
  async function change(method: string, path: string, params: Record<string, unknown>): Promise<void> {
    await operatorResult(app, method, path, params);
    await notified();
  }
  const eventsOf = async (account: number, maintenance: string) => {
    const { queries } = app.parts.store;
    const rows = await queries
      .selectFrom('events')
      .select(['type', 'data'])
      .where('account_id', '=', account as AccountId)
      .where('type', 'like', 'maintenance.%')
      .orderBy('sequence')
      .execute();
    return rows
      .map(({ type, data }) => ({ type, ...(JSON.parse(data) as { maintenanceid: string; servers: string[] }) }))
      .filter(({ maintenanceid }) => maintenanceid === maintenance);
  };
  const plan = (fields: Record<string, unknown> = {}) => {
    const start = Math.floor(app.parts.clock.now() / 1000) + 3600;
    const text = 'A switch is replaced.\nFive minutes without a network.';
    const params = { title: 'Switch', text, start, end: start + 7200, ...fields };
    return operatorResult<string>(app, 'POST', 'maintenance', params);
  };
  let services = 90_000;
  async function addCustomer(): Promise<{ account: number; service: string }> {
    const account = Number(await createAccount(app));
    const id = ++services;
    const place = { type: 'vps', name: 'VPS', hostname: `m${id}.example.net`, vmid: id, ip: '' } as const;
    await addService(app.parts.store, account as AccountId, id, place);
    return { account, service: String(id) };
  }

  test('is a secret until it is announced, then known to those whom it affects, until it is completed', async () => {
    const { server } = app.lab.dedicated;
    const id = await plan({ servers: [server] });
    assert.deepEqual(await own(), []);
    await change('POST', 'maintenance/announce', { id });
    const [announced, ...others] = await own();
    assert.deepEqual([announced!.title, announced!.status, others], ['Switch', 'Announced', []]);
    assert.deepEqual(
      announced!.services.map(({ service }) => service),
      [String(app.lab.dedicated.service)],
    );
    const { accounts, services: affected } = await listed(id);
    assert.deepEqual([accounts, affected], ['1', '1']);
    await change('POST', 'maintenance/complete', { id });
    assert.equal((await own())[0]!.status, 'Completed');
    const { account } = app.lab.customer;
    assert.deepEqual(
      (await eventsOf(Number(account), id)).map(({ type }) => type),
      ['maintenance.announced', 'maintenance.completed'],
    );
  });

  test('reaches customers who are affected after a change, and tells those who no longer are', async () => {
    const { account } = await addCustomer();
    const id = await plan({ all: true });
    await change('POST', 'maintenance/announce', { id });
    await change('PUT', 'maintenance', { id, all: false, servers: [app.lab.dedicated.server] });
    await change('PUT', 'maintenance', { id, title: 'Later' });
    const types = async (of: number) => (await eventsOf(of, id)).map(({ type }) => type);
    assert.deepEqual(await types(account), ['maintenance.announced', 'maintenance.cancelled']);
    assert.deepEqual(await types(Number(app.lab.customer.account)), [
      'maintenance.announced',
      'maintenance.updated',
      'maintenance.updated',
    ]);
    await change('POST', 'maintenance/cancel', { id });
    assert.deepEqual(await types(account), ['maintenance.announced', 'maintenance.cancelled']);
    assert.equal((await types(Number(app.lab.customer.account))).at(-1), 'maintenance.cancelled');
  });

  test('keeps its words in one form, whatever the keyboard', async () => {
    const id = await plan({ title: 'Cafe\u0301 Mu\u0308ller 東京', all: true });
    const [newest] = await operatorResult<{ id: string; title: string }[]>(app, 'GET', 'maintenance', { limit: 1 });
    assert.deepEqual([newest!.id, newest!.title], [id, 'Café Müller 東京']);
  });

  test('of a rack affects what is mounted in it', async () => {
    const { queries } = app.parts.store;
    const { server } = app.lab.dedicated;
    await rackPut(queries, { name: 'M1', height: 42, place: 'Hall' });
    await rackMountsPut(queries, [{ kind: 'server', name: server, rack: 'M1', unit: 1, height: 1 }]);
    const id = await plan({ racks: ['M1'] });
    await change('POST', 'maintenance/announce', { id });
    const [event] = await eventsOf(Number(app.lab.customer.account), id);
    assert.deepEqual(event!.servers.length, 1);
    await change('POST', 'maintenance/cancel', { id });
  });

  test('notifies every account once, however many there are', async () => {
    const customers = await Promise.all(Array.from({ length: 30 }, addCustomer));
    const id = await plan({ all: true });
    await change('POST', 'maintenance/announce', { id });
    for (const { account } of customers) {
      const events = await eventsOf(account, id);
      assert.equal(events.length, 1, String(account));
      assert.equal(events[0]!.servers.length, 1);
    }
    assert.ok(Number((await listed(id)).accounts) >= 30);
    await change('POST', 'maintenance/cancel', { id });
  });

  test('needs known equipment, an end after its start and in the future, and the permission', async () => {
    const start = Math.floor(app.parts.clock.now() / 1000);
    const outcome = async (params: Record<string, unknown>, key?: string) => {
      const fields = { title: 'Switch', text: 'Text', start, end: start + 60, servers: [app.lab.dedicated.server] };
      const { status, body } = await asOperator<ErrorResult>(app, 'POST', 'maintenance', { ...fields, ...params }, key);
      return [status, ...Object.keys(body.result.fields ?? {})];
    };
    assert.deepEqual(await outcome({ servers: ['nobody'] }), [400, 'servers']);
    assert.deepEqual(await outcome({ servers: ['nobody'], racks: ['none'] }), [400, 'racks', 'servers']);
    assert.deepEqual(await outcome({ end: start }), [400, 'end']);
    assert.deepEqual(await outcome({}, await createRoleKey(app, 'billing')), [403]);
    const id = await plan({ start: start - 7200, end: start - 60, all: true });
    assert.equal((await asOperator(app, 'POST', 'maintenance/announce', { id })).status, 409);
    const empty = await plan({ start, end: start + 60, servers: [] });
    assert.equal((await asOperator(app, 'POST', 'maintenance/announce', { id: empty })).status, 409);
    await operatorResult(app, 'POST', 'maintenance/cancel', { id });
    assert.equal((await asOperator(app, 'POST', 'maintenance/cancel', { id })).status, 409);
    assert.equal((await asOperator(app, 'PUT', 'maintenance', { id, title: 'Never' })).status, 409);
  });
});
