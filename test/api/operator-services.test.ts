// Customers' services managed by staff: provisioned, suspended, resumed, terminated, and what the customer can do in
// each state.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { machineOrder, createAccount, operatorResult, asOperator } from '#test/support/operators.ts';
import { request, requestResult, type ErrorResult } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { until } from '#test/support/until.ts';
import { listEvents } from '#test/support/event-stream.ts';

interface StartedWorkflow {
  readonly service: string;
  readonly workflow: string;
}
interface ServiceDetails {
  readonly status: string;
  readonly ip: string;
  readonly vmid: string;
  readonly server: string;
  readonly netblocks: readonly string[];
  readonly suspension: string;
  readonly terms: readonly { readonly price: string; readonly until: string }[];
}

describeOnEngines("customers' services and devices", { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'], worksOffJobs: true })));

  const rejectionCode = async (...call: Parameters<typeof asOperator>) =>
    (await asOperator<ErrorResult>(...call)).body.result.code;
  const getService = (id: string) => operatorResult<ServiceDetails>(app, 'GET', `service/${id}`);
  const waitForStatus = async (id: string, status: string) => {
    await until(async () => (await getService(id)).status === status, { saw: () => getService(id) });
    return getService(id);
  };
  async function customerKey(account: string): Promise<string> {
    const fields = { account, name: 'own', scopes: ['all'] };
    return (await operatorResult<{ key: string }>(app, 'POST', 'key', fields)).key;
  }
  const power = async (key: string, service: string, action?: string) => {
    const path = action === undefined ? `/v2/device/power/${service}` : '/v2/device/power';
    const { body, status } = await request<{ result: string & ErrorResult }>(app, action ? 'POST' : 'GET', path, {
      key,
      params: action === undefined ? {} : { service, action },
    });
    return status === 200 ? body.result : `${body.result.code}: ${body.result.message}`;
  };

  test('a machine is provisioned, suspended, resumed and terminated, and nothing of it is left', async () => {
    const account = await createAccount(app);
    const key = await customerKey(account);
    const order = machineOrder(account);
    const wrong = { ...order, template: 'no such one' };
    assert.equal(await rejectionCode(app, 'POST', 'service', wrong), 'not_in_catalogue');
    assert.equal(await rejectionCode(app, 'POST', 'service', { ...order, server: 'dc01r01ds01' }), 'invalid_parameter');
    const { service, workflow } = await operatorResult<StartedWorkflow>(app, 'POST', 'service', order);
    assert.notEqual(workflow, '');
    const fresh = await waitForStatus(service, 'Active');
    assert.equal(fresh.netblocks.length, 1);
    assert.deepEqual(
      fresh.terms.map(({ price, until: end }) => [price, end]),
      [['9.00', '']],
    );
    assert.equal(await power(key, service), 'on');

    const suspended = await operatorResult<StartedWorkflow>(app, 'POST', 'service/suspend', {
      id: service,
      reason: 'Spam',
    });
    assert.notEqual(suspended.workflow, '');
    assert.equal((await waitForStatus(service, 'Suspended')).suspension, 'Spam');
    assert.equal(await power(key, service), 'off');
    assert.match(await power(key, service, 'on'), /^service_suspended/);
    assert.equal(await rejectionCode(app, 'POST', 'service/suspend', { id: service, reason: 'x' }), 'state_conflict');

    await operatorResult(app, 'POST', 'service/resume', { id: service });
    await waitForStatus(service, 'Active');
    assert.equal(await power(key, service), 'on');

    assert.equal(
      await rejectionCode(app, 'DELETE', 'service', { id: service, hostname: 'other.example.net' }),
      'invalid_parameter',
    );
    assert.equal(await rejectionCode(app, 'DELETE', 'account', { id: account }), 'state_conflict');
    await operatorResult(app, 'DELETE', 'service', { id: service, hostname: order.hostname });
    const over = await waitForStatus(service, 'Terminated');
    assert.deepEqual(over.netblocks, []);
    assert.notEqual(over.terms[0]!.until, '');
    assert.equal(
      await rejectionCode(app, 'DELETE', 'service', { id: service, hostname: order.hostname }),
      'state_conflict',
    );
    assert.ok(app.equipment.hypervisor.simulator.machines.has(`vm-${fresh.vmid}`));
    await machineTidy(app.parts).run(new AbortController().signal);
    assert.ok(!app.equipment.hypervisor.simulator.machines.has(`vm-${fresh.vmid}`));

    const events = await listEvents(app, key);
    assert.deepEqual(
      events.map(({ type }) => type).filter((type) => type.startsWith('service.')),
      ['service.provisioned', 'service.suspended', 'service.resumed', 'service.terminated'],
    );
    await operatorResult(app, 'DELETE', 'account', { id: account });
  });

  test('a server is disconnected by its switch ports, restored as it was, and not free for another customer before it was erased', async () => {
    const { service, server } = app.lab.dedicated;
    const { key } = app.lab.customer;
    const ports = async () => {
      const { ports } = await requestResult<{ ports: Record<string, Record<string, { ifAdminStatus: string }>> }>(
        app,
        'GET',
        `/v2/device/hardware/${service}`,
        { key },
      );
      return Object.values(ports)
        .flatMap((port) => Object.values(port))
        .map(({ ifAdminStatus }) => ifAdminStatus);
    };
    assert.ok((await ports()).every((status) => status === 'up'));
    await operatorResult(app, 'POST', 'service/suspend', { id: service, reason: 'Abuse' });
    await waitForStatus(service, 'Suspended');
    assert.ok((await ports()).every((status) => status === 'down'));
    await operatorResult(app, 'POST', 'service/resume', { id: service });
    await waitForStatus(service, 'Active');
    assert.ok((await ports()).every((status) => status === 'up'));

    const order = { account: app.lab.stranger.account, type: 'dedicated', name: 'Server', server };
    const orderWithHostname = { ...order, hostname: 'second.example.net' };
    assert.equal(await rejectionCode(app, 'POST', 'service', orderWithHostname), 'state_conflict');
    const { hostname } = await operatorResult<{ hostname: string }>(app, 'GET', `service/${service}`);
    await operatorResult(app, 'DELETE', 'service', { id: service, hostname });
    await waitForStatus(service, 'Terminated');
    assert.equal(await rejectionCode(app, 'POST', 'service', orderWithHostname), 'state_conflict');
    const reclaims = await operatorResult<{ server: string }[]>(app, 'GET', 'reclaim');
    assert.deepEqual(
      reclaims.map((reclaim) => reclaim.server),
      [server],
    );
  });

  test('a device that is locked or under maintenance rejects its customer with the reason, and no other', async () => {
    const { service, vmid } = app.lab.vps;
    const { key } = app.lab.customer;
    const device = `vm-${vmid}`;
    await operatorResult(app, 'POST', 'device/maintenance', { device, reason: 'a new disk' });
    assert.equal(await power(key, service, 'on'), 'device_held: The device is under maintenance: a new disk');
    assert.equal(await power(key, service), 'on');
    const rename = { key, params: { service, hostname: 'renamed.example.net' } };
    assert.equal((await request(app, 'POST', '/v2/device/hostname', rename)).status, 409);
    await operatorResult(app, 'POST', 'device/lock', { device, reason: 'evidence' });
    const machines = await operatorResult<Record<string, string>[]>(app, 'GET', 'device', { kind: 'machine' });
    const machine = machines.find((candidate) => candidate['device'] === device)!;
    assert.deepEqual([machine['maintenance'], machine['locked']], ['a new disk', 'evidence']);
    await operatorResult(app, 'DELETE', 'device/maintenance', { device });
    assert.match(await power(key, service, 'on'), /^device_held: .*evidence/);
    await operatorResult(app, 'DELETE', 'device/lock', { device });
    assert.equal(await rejectionCode(app, 'DELETE', 'device/lock', { device }), 'state_conflict');
    assert.doesNotMatch(await power(key, service, 'on'), /held/);
    assert.equal(await rejectionCode(app, 'POST', 'device/lock', { device: 'vm-999999', reason: 'x' }), 'not_found');
  });

  test('the audit log names the device that an operator locked or put under maintenance', async () => {
    const device = `vm-${app.lab.vps.vmid}`;
    const calls = [
      ['deviceLock', 'POST', 'device/lock', { device, reason: 'evidence' }],
      ['deviceUnlock', 'DELETE', 'device/lock', { device }],
      ['deviceMaintenanceBegin', 'POST', 'device/maintenance', { device, reason: 'evidence' }],
      ['deviceMaintenanceEnd', 'DELETE', 'device/maintenance', { device }],
    ] as const;
    for (const [name, method, path, params] of calls) {
      await operatorResult(app, method, path, params);
      const filter = { operation: `operator.${name}`, limit: '1' };
      const [entry] = await operatorResult<{ target: string }[]>(app, 'GET', 'audit', filter);
      assert.equal(entry?.target, method === 'POST' ? `device=${device} reason=evidence` : `device=${device}`);
    }
  });

  test('the hardware of a server is read from its BMC, and a second scan finds nothing new', async () => {
    interface Found {
      stored: boolean;
      differences: { category: string; before: string[]; after: string[] }[];
    }
    const server = 'dc01r01ds02-01';
    const look = (dryrun: boolean) => operatorResult<Found>(app, 'POST', 'device/discover', { server, dryrun });
    const compared = await look(true);
    assert.equal(compared.stored, false);
    assert.ok(compared.differences.length > 0);
    assert.deepEqual(await look(false), { ...compared, stored: true });
    assert.deepEqual((await look(false)).differences, []);
    app.equipment.redfish.simulator.setMalfunctions({ firmware: { bios: '6.66' } });
    const updated = [{ category: 'bios firmware', before: ['2.1'], after: ['6.66'] }];
    assert.deepEqual((await look(true)).differences, updated);
    assert.deepEqual(await look(false), { device: server, stored: true, differences: updated });
    assert.deepEqual((await look(false)).differences, []);
  });
});
