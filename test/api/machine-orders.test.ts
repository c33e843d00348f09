// Customers order virtual machines, and keep those of a group apart; staff adopt machines for them.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { issueInvoice } from '#app/billing/issue.ts';
import { dayMs } from '#lib/time.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import type { AccountId } from '#store/account-id.ts';
import { machineChange, machineFind } from '#store/devices/machines.ts';
import { allNetblocks, netblockList } from '#store/network/netblocks.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { listEvents } from '#test/support/event-stream.ts';
import { machineOrders, type Result } from '#test/support/machine-orders.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { createKey, request, requestResult, type ErrorResult } from '#test/support/request.ts';
import { createSshKey } from '#test/support/ssh-keys.ts';
import type { TestApp } from '#test/support/app.ts';
import { until } from '#test/support/until.ts';

const userdata = '#cloud-config\npackages: [nginx]\n';

describeOnEngines('machines of customers', { postgres: 'in long runs' }, (suite) => {
  const orders = machineOrders(suite);
  const { call, result, order, create, list, find, untilStatus, created, machineOn, nodeOf, forget } = orders;
  let app: TestApp;
  let key: string;
  before(() => void ({ app, key } = orders));

  test('the options are the plans for orders, with price, size and the locations that have room', async () => {
    const { plans, systems, locations, left } = await result<Result<'machineOptions'>>('GET', '/v2/machine/options');
    assert.deepEqual(
      plans.map(({ name, price, memorymb, locations: room }) => [name, price, memorymb, room]),
      [
        ['Small', '5.00', '512', ['Amsterdam', 'Frankfurt']],
        ['Hourly', '5.00', '512', ['Amsterdam', 'Frankfurt']],
        ['Year', '4.00', '512', ['Amsterdam', 'Frankfurt']],
        ['Huge', '500.00', '100000', []],
      ],
    );
    assert.deepEqual(locations, ['Amsterdam', 'Frankfurt']);
    assert.equal(left, '8');
    const byValue = new Map(systems.map((system) => [system.value, system]));
    assert.deepEqual([byValue.get('debian-12')?.userdata, byValue.get('debian-12-container')?.userdata], [true, false]);
  });

  test('an ordered machine runs in the chosen location, with SSH keys and user data, and is billed', async () => {
    const [saved, other] = [createSshKey(), createSshKey()];
    const { id } = await result<{ id: string }>('POST', '/v2/account/sshkey', { name: 'laptop', key: saved });
    const machine = await created({ location: 'Frankfurt', sshkeys: [id, other], userdata });
    assert.match(machine.ip, /^10\.64\./);
    assert.equal(nodeOf(machine.vmid), 'fra1');
    const system = machineOn(machine.vmid)!.system();
    assert.deepEqual([system.sshKeys, system.userData], [[saved, other], userdata]);
    assert.equal(system.hostname, machine.hostname);
    const [term] = await termsOfService(app.parts.store.queries, 1 as AccountId, Number(machine.service));
    assert.deepEqual([term?.plan, term?.price_cents, term?.until_day], ['Small', 500, null]);
    const row = await machineFind(app.parts.store.queries, Number(machine.service));
    assert.equal(row?.install_data, null, 'user data is kept no longer than it is needed');
    // Frankfurt is full now.
    const full = await call('POST', '/v2/machine', order({ location: 'Frankfurt' }));
    assert.deepEqual([full.status, full.body.result.code], [422, 'nothing_free']);
    await forget(machine);
  });

  test('a reinstall authorises SSH keys, as on a server', async () => {
    const machine = await created();
    const sshKey = createSshKey();
    await result('POST', '/v2/device/reload', { service: machine.service, value: 'ubuntu-24.04', sshkeys: [sshKey] });
    await until(() => machineOn(machine.vmid)!.system().template === 'ubuntu-24.04');
    assert.deepEqual(machineOn(machine.vmid)!.system().sshKeys, [sshKey]);
    await forget(machine);
  });

  test('an order is rejected, and nothing remains of it', async () => {
    const before = await list();
    const rejected = async (fields: object): Promise<[number, string]> => {
      const { status, body } = await call('POST', '/v2/machine', order(fields));
      return [status, body.result.code];
    };
    assert.deepEqual(await rejected({ plan: 'By staff' }), [422, 'not_in_catalogue']);
    assert.deepEqual(await rejected({ plan: 'Nothing' }), [422, 'not_in_catalogue']);
    assert.deepEqual(await rejected({ plan: 'Huge' }), [422, 'nothing_free']);
    assert.deepEqual(await rejected({ system: 'windows-95' }), [422, 'not_in_catalogue']);
    assert.deepEqual(await rejected({ location: 'Atlantis' }), [422, 'not_in_catalogue']);
    assert.deepEqual(await rejected({ group: 4711 }), [404, 'not_found']);
    assert.deepEqual(await rejected({ sshkeys: ['4711'] }), [404, 'not_found']);
    assert.deepEqual(await rejected({ userdata: 'hello' }), [400, 'invalid_parameter']);
    assert.deepEqual(await rejected({ system: 'debian-12-container', userdata }), [400, 'invalid_parameter']);
    const setError = (error: string | null) =>
      app.parts.store.queries.updateTable('nodes').set({ error }).where('location', '=', 'Amsterdam').execute();
    await setError('No route to host');
    const { body } = await call('POST', '/v2/machine', order({ location: 'Amsterdam' }));
    assert.equal(body.result.message, 'No hypervisor in Amsterdam is reachable at the moment. Try again later.');
    await setError(null);
    assert.deepEqual(await list(), before);
    const blocks = await allNetblocks(app.parts.store.queries);
    assert.equal(blocks.filter(({ service_id }) => service_id !== null).length, before.length);
  });

  test('customers order a plan that staff opened for it in the panel, until it is withdrawn', async () => {
    const plan = { name: 'Panel', price: '6.00', vcpus: '2', memorymb: '256', diskgb: '5', size: '/32' };
    const incomplete = await asOperator<ErrorResult>(app, 'POST', 'plan', { name: 'None', price: '1', order: 'true' });
    assert.deepEqual(
      [incomplete.status, Object.keys(incomplete.body.result.fields)],
      [400, ['vcpus', 'memorymb', 'diskgb']],
    );
    await operatorResult(app, 'POST', 'plan', plan);
    assert.equal((await call('POST', '/v2/machine', order({ plan: 'Panel' }))).status, 422);
    await operatorResult(app, 'PUT', 'plan', { ...plan, order: 'true' });
    const machine = await created({ plan: 'Panel' });
    const { vcpus, memory_mb, disk_gb } = (await machineFind(app.parts.store.queries, Number(machine.service)))!;
    assert.deepEqual([vcpus, memory_mb, disk_gb], [2, 256, 5]);
    const [term] = await termsOfService(app.parts.store.queries, 1 as AccountId, Number(machine.service));
    assert.deepEqual([term?.plan, term?.price_cents], ['Panel', 600]);
    await operatorResult(app, 'POST', 'plan/withdraw', { name: 'Panel' });
    assert.equal((await call('POST', '/v2/machine', order({ plan: 'Panel' }))).status, 422);
    await forget(machine);
  });

  test('staff adopt a machine of a hypervisor for a customer, with plan and addresses', async () => {
    const shape = { vcpus: 2, memoryMb: 128, diskGb: 3, mac: '52:54:00:00:00:09', networks: [] };
    const network = { addresses: [], nameServers: [], sshKeys: [] };
    const system = { id: 'old', template: 'debian-12', hostname: 'old', rootPassword: 'secret-enough', ...network };
    await app.parts.hypervisors.use('ams1', ({ machines }) =>
      machines.create('web1', shape, system, AbortSignal.timeout(60_000)),
    );
    const adoptable = () => operatorResult<{ machine: string }[]>(app, 'GET', 'node/ams1/adoptable');
    assert.deepEqual(await adoptable(), [{ machine: 'web1', power: 'off' }]);
    const place = { node: 'ams1', machine: 'web1' };
    const inspected = await operatorResult<{ vcpus: string; mac: string }>(app, 'GET', 'machine/adopt', place);
    assert.deepEqual([inspected.vcpus, inspected.mac], ['2', '52:54:00:00:00:09']);
    const blocks = '10.64.15.9, 2001:db8:64:9::/64';
    const service = { account: '1', hostname: 'web1.example.net', plan: 'Small', netblock: blocks };
    const adoption = { ...place, template: 'debian-12', ...service };
    const refusal = async (change: object): Promise<[number, string, string[]]> => {
      const { status, body } = await asOperator<ErrorResult>(app, 'POST', 'machine/adopt', { ...adoption, ...change });
      return [status, body.result.code, Object.keys(body.result.fields ?? {})];
    };
    assert.deepEqual(await refusal({ netblock: undefined }), [400, 'invalid_parameter', ['netblock']]);
    assert.deepEqual(await refusal({ netblock: '192.0.2.0/28' }), [400, 'invalid_parameter', ['netblock']]);
    for (const netblock of ['10.0.0.0/8', '10.64.15.9, 2001:db8:64::/60', '10.64.15.9, 10.64.15.8/30', ''])
      assert.notEqual((await refusal({ netblock }))[0], 200, netblock);
    const other = await created();
    const main = { ip: '2001:db8:64:a::5' };
    const { queries } = app.parts.store;
    await queries.updateTable('services').set(main).where('id', '=', Number(other.service)).execute();
    assert.deepEqual(await refusal({ netblock: '2001:db8:64:a::/64' }), [409, 'state_conflict', []]);
    await forget(other);
    assert.deepEqual(await refusal({ service: '4711' }), [400, 'invalid_parameter', Object.keys(service)]);
    assert.deepEqual(await refusal({ machine: 'web2' }), [404, 'not_found', []]);
    assert.deepEqual(await refusal({ account: '4711' }), [404, 'not_found', []]);
    const adopted = await operatorResult<{ service: string; vmid: string }>(app, 'POST', 'machine/adopt', adoption);
    const found = await find(adopted.service);
    assert.deepEqual([found?.status, found?.ip, found?.hostname], ['Active', '10.64.15.9', 'web1.example.net']);
    const own = await netblockList(app.parts.store.queries, 1 as AccountId, Number(adopted.service));
    assert.deepEqual(
      own.map(({ cidr }) => cidr),
      ['10.64.15.9/32', '2001:db8:64:9::/64'],
    );
    assert.deepEqual(await adoptable(), []);
    const [term] = await termsOfService(app.parts.store.queries, 1 as AccountId, Number(adopted.service));
    assert.equal(term?.plan, 'Small');
    // Under its own name.
    await result('POST', '/v2/device/power', { service: adopted.service, action: 'on' });
    assert.equal(orders.nodes.ams1.machines.get('web1')?.state.power, 'on');
    const events = await listEvents(app, key, { service: adopted.service });
    assert.ok(events.some(({ type }) => type === 'machine.adopted'));
    const audit = await result<Result<'auditGet'>>('GET', '/v2/account/audit');
    const entry = audit.find(({ operation }) => operation === 'operator.machineAdopt');
    assert.match(entry?.target ?? '', /machine=web1$/);
    for (const netblock of ['10.64.15.9/32', '2001:db8:64:9::/64'])
      assert.equal((await refusal({ hostname: 'again.example.net', netblock }))[0], 409);
    await forget({ ...adopted, hostname: service.hostname });
  });

  test('staff provision a machine in the size of its plan, except for what they set', async () => {
    const service = { account: '1', type: 'vps', name: 'Six', hostname: 'six.example.net', template: 'debian-12' };
    const provision = (fields: object) =>
      asOperator<{ service: string } & ErrorResult>(app, 'POST', 'service', { ...service, ...fields });
    const refusal = await provision({ plan: 'Six', price: '1.00' });
    assert.deepEqual(Object.keys(refusal.body.result.fields ?? {}), ['vcpus', 'memorymb', 'diskgb']);
    const { service: id } = (await provision({ plan: 'By staff', size: '/64', memorymb: 600 })).body.result;
    await untilStatus(id, 'Active');
    const { vcpus, memory_mb, disk_gb } = (await machineFind(app.parts.store.queries, Number(id)))!;
    assert.deepEqual([vcpus, memory_mb, disk_gb], [1, 600, 10]);
    assert.equal((await find(id))?.ip, '2001:db8:64::', 'without IPv4, the first address of its IPv6 network');
    await forget({ service: id, hostname: service.hostname });
  });

  test('an image names its location, and makes machines only there', async () => {
    const machine = await created({ location: 'Amsterdam' });
    const params = { service: machine.service, name: 'Golden' };
    const { system } = await result<{ system: string }>('POST', '/v2/machine/image', params);
    const find = async () =>
      (await result<Result<'machineOptions'>>('GET', '/v2/machine/options')).systems.find(
        ({ value }) => value === system,
      );
    await until(async () => (await find()) !== undefined);
    assert.equal((await find())?.location, 'Amsterdam');
    const elsewhere = await call('POST', '/v2/machine', order({ system, location: 'Frankfurt' }));
    assert.deepEqual([elsewhere.status, Object.keys(elsewhere.body.result.fields)], [400, ['location']]);
    await forget(machine);
  });

  test('an image that an ordered machine waits for cannot be deleted', async () => {
    const machine = await created();
    const { queries } = app.parts.store;
    const params = { service: machine.service, name: 'Wanted' };
    const { id, system } = await result<Result<'machineImageCreate'>>('POST', '/v2/machine/image', params);
    const images = () => result<Result<'machineImageList'>>('GET', '/v2/machine/image');
    await until(async () => (await images()).some((image) => image.id === id && image.state === 'ready'));
    const { template } = (await machineFind(queries, Number(machine.service)))!;
    await machineChange(queries, Number(machine.service), { state: 'pending', template: system });
    const { status, body } = await call('DELETE', '/v2/machine/image', { id });
    assert.deepEqual([status, body.result.code], [409, 'state_conflict']);
    assert.match(body.result.message, new RegExp(`Service ${machine.service} `));
    await machineChange(queries, Number(machine.service), { state: 'ready', template });
    await result('DELETE', '/v2/machine/image', { id });
    await forget(machine);
  });

  test('someone who is limited to certain servers cannot order others', async () => {
    const machine = await created();
    const limited = await createKey(app, key, { scopes: ['all'], services: [machine.service] });
    const { status, body } = await request<{ result: ErrorResult }>(app, 'POST', '/v2/machine', {
      key: limited.key,
      params: order(),
    });
    assert.deepEqual([status, body.result.code], [403, 'scope_missing']);
    const seen = await requestResult<Result<'machineList'>>(app, 'GET', '/v2/machine', { key: limited.key });
    assert.deepEqual(
      seen.map(({ service }) => service),
      [machine.service],
    );
    await forget(machine);
  });

  test('machines of a group are on different hypervisors, also if they are ordered at once', async () => {
    const group = await result<{ id: string }>('POST', '/v2/machine/group', { name: 'database' });
    const fields = { group: group.id, location: 'Amsterdam' };
    const machines = await Promise.all([create(fields), create(fields)]);
    for (const { service } of machines) await untilStatus(service, 'Active');
    assert.deepEqual(machines.map(({ vmid }) => nodeOf(vmid)).toSorted(), ['ams1', 'ams2']);
    const third = await call('POST', '/v2/machine', order(fields));
    assert.deepEqual([third.status, third.body.result.code], [422, 'nothing_free']);
    assert.match(third.body.result.message, /apart from the other machines of the group/);
    const [listed] = await result<Result<'machineGroupList'>>('GET', '/v2/machine/group');
    assert.deepEqual(listed?.machines, machines.map(({ service }) => service).toSorted());
    assert.equal((await call('DELETE', '/v2/machine/group', { id: group.id })).status, 409);
    for (const machine of machines) await forget(machine);
    await result('DELETE', '/v2/machine/group', { id: group.id });
  });

  test('an account cannot order more machines than its limit, or any while an invoice is overdue', async () => {
    const machines = await Promise.all(Array.from({ length: 8 }, () => create()));
    const ninth = await call('POST', '/v2/machine', order());
    assert.deepEqual([ninth.status, ninth.body.result.code], [409, 'state_conflict']);
    for (const machine of machines) {
      await untilStatus(machine.service, 'Active');
      await forget(machine);
    }
    const line = { type: 'Hosting', service: undefined, description: 'A month', cents: 500, isTaxed: false } as const;
    const draft = { now: app.parts.clock.now() - 60 * dayMs, lines: [line] };
    await app.parts.store.transaction((queries) => issueInvoice(queries, 1 as AccountId, draft));
    const { status, body } = await call('POST', '/v2/machine', order());
    assert.deepEqual([status, body.result.code], [409, 'state_conflict']);
    assert.match(body.result.message, /overdue/);
    await operatorResult(app, 'POST', 'dunning/hold', { account: '1', reason: 'They called' });
    await forget(await created());
  });
});
