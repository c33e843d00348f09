// What staff do with devices: as the customer would, with a reason that both see, also on a server in stock.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { shutdown } from '#workflows/service/shutdown.ts';
import type { TestApp } from '#test/support/app.ts';
import { watchConsoleAt } from '#test/support/console.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { asOperator, createRoleKey, operatorResult } from '#test/support/operators.ts';
import { request, requestResult, type ErrorResult } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

interface AuditEntry {
  readonly operation: string;
  readonly target: string;
  readonly operator: string;
  readonly address: string;
}
interface Action {
  readonly operation: string;
  readonly status: string;
  readonly error: string;
}

interface Detail {
  readonly device: string;
  readonly account: string;
  readonly status: string;
  readonly rack: string;
  readonly lock: readonly object[];
  readonly holds: readonly object[];
  readonly tenants: readonly { readonly service: string; readonly until: string }[];
}

describeOnEngines('devices operated by staff', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ worksOffJobs: true })));
  const device = 'dc01r01ds01';
  const stock = 'dc01r02ds01';
  const reason = 'Ticket 4711';
  const asCustomer = <T>(path: string) => requestResult<T>(app, 'GET', path, { key: app.lab.customer.key });
  const powerOf = (name: string) => operatorResult<string>(app, 'GET', `device/power/${name}`);
  const codeOf = async (...call: Parameters<typeof asOperator>) =>
    (await asOperator<ErrorResult>(...call)).body.result.code;

  const shutDown = (service: string) =>
    requestResult<string>(app, 'POST', '/v2/device/shutdown', { key: app.lab.customer.key, params: { service } });

  test('a power command needs a reason, which the customer reads with who gave it', async () => {
    assert.equal(await codeOf(app, 'POST', 'device/power', { device, action: 'off' }), 'invalid_parameter');
    await operatorResult(app, 'POST', 'device/power', { device, action: 'off', reason });
    assert.equal(await powerOf(device), 'off');
    const [entry] = await asCustomer<AuditEntry[]>('/v2/account/audit');
    assert.equal(entry?.operation, 'operator.devicePowerSet');
    assert.equal(entry.target, `device=${device} reason=${reason} action=off`);
    assert.notEqual(entry.operator, '');
    assert.equal(entry.address, '');
    const { events } = await asCustomer<{ events: { type: string; service: string; data: object }[] }>(
      '/v2/event?newest=true',
    );
    const { type, service, data } = events.findLast((event) => event.type === 'device.staff.acted')!;
    assert.deepEqual([type, service], ['device.staff.acted', app.lab.dedicated.service]);
    assert.deepEqual(data, { operation: 'devicePowerSet', action: 'off', operator: entry.operator, reason });
  });

  test('works while the service is suspended and the device locked, when its customer can do nothing', async () => {
    const services = app.parts.store.queries.updateTable('services').where('server', '=', device);
    await operatorResult(app, 'POST', 'device/lock', { device, reason });
    await services.set({ status: 'Suspended' }).execute();
    try {
      await operatorResult(app, 'POST', 'device/power', { device, action: 'on', reason });
      const { url } = await operatorResult<{ url: string }>(app, 'POST', 'device/console', { device, reason });
      await using viewer = await watchConsoleAt(app.url, url);
      await viewer.shows('login');
    } finally {
      await services.set({ status: 'Active' }).execute();
      await operatorResult(app, 'DELETE', 'device/lock', { device });
    }
    assert.equal(await powerOf(device), 'on');
  });

  test('a switch port is disabled and enabled, and traffic is read as its customer does', async () => {
    const status = () => asCustomer<string>(`/v2/network/port/${app.lab.dedicated.service}`);
    assert.equal(await codeOf(app, 'DELETE', 'device/port', { device }), 'invalid_parameter');
    await operatorResult(app, 'DELETE', 'device/port', { device, reason });
    assert.match(await status(), / - Down /);
    await operatorResult(app, 'PUT', 'device/port', { device, reason });
    assert.match(await status(), / - Up /);
    const [entry] = await asCustomer<AuditEntry[]>('/v2/account/audit');
    assert.deepEqual([entry?.operation, entry?.target], ['operator.portEnable', `device=${device} reason=${reason}`]);
    const month = await operatorResult<object>(app, 'GET', `device/month/${device}`);
    assert.deepEqual(month, await asCustomer(`/v2/network/month/${app.lab.dedicated.service}`));
    assert.ok((await operatorResult<object[]>(app, 'GET', `device/traffic/${device}`)).length > 0);
  });

  test('the page of a device has its customer, restrictions, firmware and certificates', async () => {
    const detail = await operatorResult<Detail>(app, 'GET', `device/detail?device=${device}`);
    assert.deepEqual(
      detail.tenants.map(({ service, until: end }) => [service, end]),
      [[app.lab.dedicated.service, '']],
    );
    assert.deepEqual([detail.device, detail.status, detail.rack], [device, 'Active', 'dc01r01']);
    assert.deepEqual([detail.lock, detail.holds], [[], []]);
    const machine = `vm-${app.lab.vps.vmid}`;
    const { device: name, account } = await operatorResult<Detail>(app, 'GET', `device/detail?device=${machine}`);
    assert.deepEqual([name, account], [machine, app.lab.customer.account]);
    assert.equal(await codeOf(app, 'GET', 'device/detail?device=absent'), 'not_found');
  });

  test('a virtual machine is operated by its name', async () => {
    const name = `vm-${app.lab.vps.vmid}`;
    await operatorResult(app, 'POST', 'device/power', { device: name, action: 'on', reason });
    assert.equal(await powerOf(name), 'on');
    assert.equal(await codeOf(app, 'GET', 'device/power/vm-987654'), 'not_found');
  });

  test('support may look but not act, and a reinstallation needs the permission to terminate', async () => {
    const key = await createRoleKey(app, 'support');
    assert.equal(await operatorResult(app, 'GET', `device/power/${device}`, {}, key), 'on');
    for (const [path, params] of [
      ['device/power', { action: 'off' }],
      ['device/shutdown', {}],
      ['device/reload', { value: 'debian-12' }],
    ] as const)
      assert.equal(await codeOf(app, 'POST', path, { device, reason, ...params }, key), 'role_missing');
    assert.equal(await powerOf(device), 'on');
  });

  test('a server in stock is powered and viewed, and nobody is told of it', async () => {
    const { queries } = app.parts.store;
    const holder = await queries
      .selectFrom('services')
      .select(['id', 'account_id'])
      .where('server', '=', stock)
      .executeTakeFirst();
    await queries.updateTable('services').set({ server: null }).where('server', '=', stock).execute();
    const count = async (table: 'events' | 'audit') =>
      (await queries.selectFrom(table).select('account_id').where('account_id', '=', holder!.account_id).execute())
        .length;
    const before = [await count('events'), await count('audit')];
    await operatorResult(app, 'POST', 'device/power', { device: stock, action: 'cycle', reason });
    assert.equal(await powerOf(stock), 'on');
    const { url } = await operatorResult<{ url: string }>(app, 'POST', 'device/console', { device: stock, reason });
    await using viewer = await watchConsoleAt(app.url, url);
    viewer.type('\r');
    await viewer.shows('login');
    assert.equal(await operatorResult(app, 'GET', `device/rescue/${stock}`), 'No rescue system in use');
    // Without an address, it cannot boot from the network.
    assert.equal(await codeOf(app, 'POST', 'device/rescue', { device: stock, reason }), 'capability_missing');
    assert.deepEqual([await count('events'), await count('audit')], before);
    await queries.updateTable('servers').set({ state: 'available' }).where('name', '=', stock).execute();
    await queries.updateTable('services').set({ server: stock }).where('id', '=', holder!.id).execute();
    const ended = await viewer.ended;
    assert.notEqual(ended.reason, '', 'the console ends when a customer gets the server');
  });

  test('a shutdown is requested, and the action says how it ended', async () => {
    const newest = async (service: string) =>
      (await asCustomer<Action[]>(`/v2/action?service=${service}&limit=1`)).find(
        ({ operation }) => operation === 'v2.deviceShutdown',
      );
    const { service } = app.lab.dedicated;
    await operatorResult(app, 'POST', 'device/power', { device, action: 'on', reason });
    assert.equal(await shutDown(service), 'Shutdown Requested');
    await until(async () => (await newest(service))?.status === 'Completed', { saw: () => newest(service) });
    assert.equal(await powerOf(device), 'off');
    const { status } = await request(app, 'POST', '/v2/device/shutdown', {
      key: app.lab.stranger.key,
      params: { service },
    });
    assert.equal(status, 404);
  });

  test('a system that ignores the request stays on, and nothing is forced', async () => {
    const { store } = app.parts;
    await operatorResult(app, 'POST', 'device/power', { device, action: 'on', reason });
    app.equipment.bmcs[0]!.simulator.setMalfunctions({ ignoresSoftShutdown: true });
    await shutDown(app.lab.dedicated.service);
    const running = store.queries
      .updateTable('workflows')
      .where('name', '=', shutdown.name)
      .where('ended_at', 'is', null);
    // As if five minutes had passed.
    await running.set({ step_since: 0 }).execute();
    const last = async () => (await asCustomer<Action[]>('/v2/action?limit=1'))[0]!;
    await until(async () => (await last()).status === 'Failed', { saw: last });
    assert.match((await last()).error, /^Still on/);
    assert.equal(await powerOf(device), 'on');
  });
});
