// Customers order virtual machines, delete and restore them, and keep those of a group apart.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { issueInvoice } from '#app/billing/issue.ts';
import { continueDeletions } from '#app/machines/deletion-work.ts';
import { findTarget } from '#app/operator/service-states.ts';
import { startLabHypervisor, type LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { dayMs, dayText, hourMs } from '#lib/time.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import type { Methods } from '#sdk/v2.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import type { AccountId } from '#store/account-id.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { machineFind } from '#store/devices/machines.ts';
import { serviceLoad } from '#store/devices/services.ts';
import { allNetblocks, netblockList } from '#store/network/netblocks.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { listEvents } from '#test/support/event-stream.ts';
import { machineSite } from '#test/support/machine-site.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { createKey, request, requestResult, type ErrorResult } from '#test/support/request.ts';
import { createSshKey } from '#test/support/ssh-keys.ts';
import type { TestApp } from '#test/support/app.ts';
import { until } from '#test/support/until.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { machineDelete } from '#workflows/machine/machine-delete.ts';

type Result<Name extends keyof Methods> = Awaited<ReturnType<Methods[Name]>>;

const token = 'secret-enough';
const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const signal = (): AbortSignal => AbortSignal.timeout(60_000);
const userdata = '#cloud-config\npackages: [nginx]\n';

describeOnEngines('machines of customers', { postgres: 'in long runs' }, ({ owned, openApp }) => {
  let app: TestApp;
  let key: string;
  let nodes: Record<'ams1' | 'ams2' | 'fra1', LabHypervisor>;
  let names = 0;
  before(async () => {
    const start = async (memoryMb: number) => owned.use(await startLabHypervisor({ token, timing, memoryMb }));
    nodes = { ams1: await start(8000), ams2: await start(8000), fra1: await start(700) };
    const siteNodes = Object.entries(nodes).map(([name, { address, port }]) => ({
      name,
      driver: 'lab',
      location: name.startsWith('ams') ? 'Amsterdam' : 'Frankfurt',
      settings: { address, port, token },
    }));
    const { site, key: own } = machineSite(siteNodes, []);
    key = own;
    const size = { vcpus: 1, memoryMb: 512, diskGb: 10, addresses: '/32', order: true } as const;
    app = await openApp({
      worksOffJobs: true,
      site: {
        ...site,
        netblocks: [
          { cidr: '10.64.0.0/20', pool: 'assign' },
          { cidr: '2001:db8:64::/56', pool: 'assign' },
        ],
        orders: { machines: 8 },
        plans: [
          { name: 'Small', price: '5.00', cycle: 'monthly', machine: size },
          { name: 'Hourly', price: '5.00', hourly: '0.01', cycle: 'monthly', machine: size },
          { name: 'Year', price: '4.00', cycle: 'monthly', minimum: 12, machine: size },
          { name: 'Huge', price: '500.00', cycle: 'monthly', machine: { ...size, memoryMb: 100_000 } },
          { name: 'By staff', price: '5.00', cycle: 'monthly', machine: { ...size, order: false } },
        ],
      },
    });
    await machineSync(app.parts, async () => {}).run(signal());
  });

  const call = (method: string, path: string, params?: object) =>
    request<{ result: ErrorResult }>(app, method, path, { key, ...(params && { params: { ...params } }) });
  const result = <Value>(method: string, path: string, params?: object) =>
    requestResult<Value>(app, method, path, { key, ...(params && { params: { ...params } }) });
  const order = (fields: object = {}) => ({
    plan: 'Small',
    system: 'debian-12',
    hostname: `m${++names}.example.net`,
    ...fields,
  });
  const create = (fields: object = {}) => result<Result<'machineCreate'>>('POST', '/v2/machine', order(fields));
  const list = () => result<Result<'machineList'>>('GET', '/v2/machine');
  const find = async (service: string) => (await list()).find((machine) => machine.service === service);
  const untilStatus = (service: string, status: string) =>
    until(async () => (await find(service))?.status === status, { saw: () => find(service) });
  const created = async (fields: object = {}) => {
    const machine = await create(fields);
    await untilStatus(machine.service, 'Active');
    return machine;
  };
  const machineOn = (vmid: string) =>
    Object.values(nodes).flatMap(({ machines }) => machines.get(`vm-${vmid}`) ?? [])[0];
  const nodeOf = (vmid: string) => Object.entries(nodes).find(([, { machines }]) => machines.has(`vm-${vmid}`))?.[0];
  const remove = (service: string, hostname: string) =>
    result<Result<'machineDelete'>>('DELETE', '/v2/machine', { service, hostname });
  const deleted = async (machine: { service: string; vmid: string; hostname: string }) => {
    const response = await remove(machine.service, machine.hostname);
    await untilAction(response.action);
    return response;
  };
  const untilAction = (id: string) =>
    until(async () => (await result<Result<'actionGet'>>('GET', `/v2/action/${id}`)).status === 'Completed');
  const forget = async (machine: { service: string; hostname: string }) => {
    await operatorResult(app, 'DELETE', 'service', { id: machine.service, hostname: machine.hostname });
    await until(async () => {
      await machineTidy(app.parts).run(signal());
      return (await machineFind(app.parts.store.queries, Number(machine.service))) === undefined;
    });
  };

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
    await app.parts.hypervisors.use('ams1', ({ machines }) => machines.create('web1', shape, system, signal()));
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
    assert.equal(nodes.ams1.machines.get('web1')?.state.power, 'on');
    const events = await listEvents(app, key, { service: adopted.service });
    assert.ok(events.some(({ type }) => type === 'machine.adopted'));
    const audit = await result<Result<'auditGet'>>('GET', '/v2/account/audit');
    const entry = audit.find(({ operation }) => operation === 'operator.machineAdopt');
    assert.match(entry?.target ?? '', /machine=web1$/);
    for (const netblock of ['10.64.15.9/32', '2001:db8:64:9::/64'])
      assert.equal((await refusal({ hostname: 'again.example.net', netblock }))[0], 409);
    await forget({ ...adopted, hostname: service.hostname });
  });

  test('a machine without IPv4 has the first address of its IPv6 network', async () => {
    const service = { account: '1', type: 'vps', name: 'Small', hostname: 'six.example.net', template: 'debian-12' };
    const fields = { ...service, vcpus: 1, memorymb: 512, diskgb: 10, size: '/64' };
    const { service: id } = await operatorResult<{ service: string }>(app, 'POST', 'service', fields);
    await untilStatus(id, 'Active');
    assert.equal((await find(id))?.ip, '2001:db8:64::');
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

  test('a deleted machine is off and not billed, and comes back with its disk and address', async () => {
    const machine = await created({ plan: 'Hourly' });
    const { service, hostname, vmid } = machine;
    const wrong = await call('DELETE', '/v2/machine', { service, hostname: 'other.example.net' });
    assert.deepEqual([wrong.status, wrong.body.result.code], [400, 'invalid_parameter']);
    await result('PUT', '/v2/machine/protection', { service, protection: 'enabled' });
    assert.equal((await find(service))?.protection, 'enabled');
    assert.equal((await call('DELETE', '/v2/machine', { service, hostname })).status, 409);
    await result('PUT', '/v2/machine/protection', { service, protection: 'disabled' });
    await machineSync(app.parts, async () => {}).run(signal());
    const { system } = machineOn(vmid)!;
    const { lastday, minimumto } = await deleted(machine);
    assert.deepEqual([lastday, minimumto], [dayText(app.parts.clock.now()), '']);
    assert.equal(machineOn(vmid)!.state.power, 'off');
    const entry = await find(service);
    assert.equal(entry?.status, 'Suspended');
    assert.notEqual(entry?.restorableto, '');
    const power = await call('POST', '/v2/device/power', { service, action: 'on' });
    assert.deepEqual([power.status, power.body.result.code], [403, 'service_suspended']);
    assert.match(power.body.result.message, /deleted/);
    const terms = () => termsOfService(app.parts.store.queries, 1 as AccountId, Number(service));
    assert.notEqual((await terms()).at(-1)!.until_day, null);
    app.pass(50 * hourMs);
    await continueDeletions(app.parts, signal());
    await result('POST', '/v2/machine/restore', { service });
    await until(() => machineOn(vmid)!.state.power === 'on');
    assert.equal(machineOn(vmid)!.system, system, 'it is the same machine');
    assert.equal((await find(service))?.status, 'Active');
    const last = (await terms()).at(-1)!;
    assert.deepEqual([(await terms()).length, last.plan, last.until_day], [2, 'Hourly', null]);
    await forget(machine);
  });

  test('a deleted machine is removed for good after 72 hours; its minimum term is still paid', async () => {
    const machine = await created({ plan: 'Year' });
    const { minimumto, lastday } = await deleted(machine);
    assert.ok(minimumto !== '' && lastday >= minimumto, `${minimumto} ${lastday}`);
    app.pass(71 * hourMs);
    await continueDeletions(app.parts, signal());
    assert.ok(machineOn(machine.vmid) !== undefined);
    app.pass(2 * hourMs);
    assert.equal((await call('POST', '/v2/machine/restore', { service: machine.service })).status, 409);
    await continueDeletions(app.parts, signal());
    await until(async () => {
      await machineTidy(app.parts).run(signal());
      return machineOn(machine.vmid) === undefined;
    });
    assert.equal(await find(machine.service), undefined);
    const last = (await termsOfService(app.parts.store.queries, 1 as AccountId, Number(machine.service))).at(-1)!;
    assert.equal(dayText((last.until_day! - 1) * 86_400_000), lastday, 'the termination did not shorten it');
  });

  test('a deletion counts although the hypervisor is gone, and is completed when it is back', async () => {
    const machine = await created({ location: 'Frankfurt' });
    nodes.fra1.setMalfunctions({ isDown: true });
    const { action } = await remove(machine.service, machine.hostname);
    await until(async () => (await result<Result<'actionGet'>>('GET', `/v2/action/${action}`)).status === 'Failed');
    assert.equal((await find(machine.service))?.status, 'Suspended');
    nodes.fra1.setMalfunctions({});
    // Longer than commands to a hypervisor that failed are held back.
    app.pass(30_000);
    await until(async () => {
      await continueDeletions(app.parts, signal());
      return machineOn(machine.vmid)!.state.power === 'off';
    });
    await forget(machine);
  });

  test('a machine whose creation ends after its deletion has begun is powered off', async () => {
    const machine = await created();
    const { queries } = app.parts.store;
    const service = (await serviceLoad(queries, Number(machine.service)))!;
    const target = await findTarget({ queries }, service, 'the deletion of the machine', 'power');
    const { account_id: account, id } = service;
    const input = { ...target, machine: null };
    const work = { account, service: id, operation: 'machine.deletion', input };
    await app.parts.store.transaction((inside) => startWorkflow(app.parts, inside, machineDelete, work));
    await until(() => machineOn(machine.vmid)?.state.power === 'off');
    const lock = () => deviceLockFind(queries, `vm-${machine.vmid}`, Date.now());
    await until(async () => (await lock()) === undefined);
    await forget(machine);
  });

  test('what a creation has left that could not be rolled back is removed after the deletion', async () => {
    nodes.fra1.setMalfunctions({ crashesAt: 'power' });
    const machine = await create({ location: 'Frankfurt' });
    await until(() => machineOn(machine.vmid)?.state.power === 'on');
    const { action } = await remove(machine.service, machine.hostname);
    const actionIs = async (status: string) =>
      (await result<Result<'actionGet'>>('GET', `/v2/action/${action}`)).status === status;
    await until(() => actionIs('Running'));
    // Longer than a rollback may take.
    await until(async () => {
      app.pass(60_000);
      return actionIs('Completed');
    });
    assert.equal(machineOn(machine.vmid)?.state.power, 'on');
    nodes.fra1.setMalfunctions({});
    app.pass(30_000);
    await until(async () => {
      await machineTidy(app.parts).run(signal());
      return machineOn(machine.vmid) === undefined;
    });
    const row = await machineFind(app.parts.store.queries, Number(machine.service));
    assert.deepEqual([row?.state, row?.node, row?.untidy], ['pending', null, 0]);
    await result('POST', '/v2/machine/restore', { service: machine.service });
    await untilStatus(machine.service, 'Active');
    assert.equal(machineOn(machine.vmid)?.state.power, 'on');
    await forget(machine);
  });

  test('of two deletions at once one counts, and of two restorations', async () => {
    const machine = await created();
    const { service, hostname } = machine;
    const twice = (attempt: () => ReturnType<typeof call>) => Promise.all([attempt(), attempt()]);
    const deletions = await twice(() => call('DELETE', '/v2/machine', { service, hostname }));
    assert.deepEqual(deletions.map(({ status }) => status).toSorted(), [200, 403]);
    await until(() => machineOn(machine.vmid)!.state.power === 'off');
    await until(async () => {
      const [one] = await result<Result<'actionList'>>('GET', '/v2/action', { service, limit: 1 });
      return one?.status === 'Completed';
    });
    const restorations = await twice(() => call('POST', '/v2/machine/restore', { service }));
    assert.deepEqual(restorations.map(({ status }) => status).toSorted(), [200, 409]);
    await forget(machine);
  });
});
