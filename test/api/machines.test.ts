// Virtual machines through both APIs, checked at the lab's hypervisor, on both engines.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { machineSampling } from '#reconcilers/machine-samples.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { deviceLockAcquire, deviceLockFind } from '#store/devices/device-locks.ts';
import { machineFind, machineRemove } from '#store/devices/machines.ts';
import { updateWhere } from '#store/engine/rows.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { openMachine, type TestMachine } from '#test/support/machines.ts';
import { request, type Envelope } from '#test/support/request.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { until } from '#test/support/until.ts';

type MachineFields = Record<string, unknown>;

const powerRow = async ({ app, service }: TestMachine) => {
  const row = (await machineFind(app.parts.store.queries, Number(service)))!;
  return [row.power_state, row.power_source, row.power_error];
};
/** Polls every hypervisor once, even if it is not due. */
async function look({ app }: TestMachine): Promise<void> {
  await app.parts.store.queries.updateTable('nodes').set({ next_look_at: 0 }).execute();
  await machineSync(app.parts, async () => {}).run(new AbortController().signal);
}

describeOnEngines('virtual machines', { postgres: 'in long runs', concurrency: 3 }, ({ newDatabase }) => {
  const open = async () => openMachine(await newDatabase());

  it('are listed with their plan and their last observed state', async () => {
    await using machine = await open();
    const { app } = machine;
    await look(machine);
    const list = await machine.legacy('GET', '/vps/list');
    const [vps, cloud] = list.body.result as MachineFields[];
    const expected = {
      vmid: '101',
      hostname: 'vps1.example.net',
      status: 'Online',
      type: 'Xen',
      node: app.equipment.hypervisor.name,
      template: 'debian-12',
      memory: '1024 MB',
      harddisk: '20 GB',
      bandwidth: '1000 GB',
    };
    const { ipaddr, ...rest } = vps!;
    assert.deepEqual(rest, expected);
    assert.deepEqual(ipaddr, ['203.0.113.130', '2001:db8:1::130']);
    assert.equal(cloud!['vmid'], '201');
    assertResult(await machine.legacy('GET', '/vps/get/101'), vps);
    assertResult(await request(app, 'POST', '/vps/get', { key: app.lab.customer.key, form: { vmid: '101' } }), vps);
    assertResult(await machine.legacy('GET', '/vps/network'), {
      101: { ipv4: ['203.0.113.130'], ipv6: ['2001:db8:1::130'] },
      201: { ipv4: ['203.0.113.140'], ipv6: [] },
    });
    machine.own().setPower('off');
    await look(machine);
    assert.equal(((await machine.legacy('GET', '/vps/get/101')).body.result as MachineFields)['status'], 'Offline');
    assert.deepEqual(await machine.events('device.power'), [
      { type: 'device.power.changed', data: { state: 'off', source: 'sync' } },
    ]);
  });

  it('of other accounts do not exist', async () => {
    await using machine = await open();
    const { key } = machine.app.lab.stranger;
    assertResult(await machine.legacy('GET', '/vps/list', {}, key), []);
    assertRejected(await machine.legacy('GET', '/vps/get/101', {}, key), 404);
    assertRejected(await machine.legacy('POST', '/vps/power', { vmid: '101', action: 'off' }, key), 404);
    assertRejected(await machine.legacy('POST', '/vps/tun', { vmid: '101', action: 'enable' }, key), 404);
    assertRejected(await machine.v2('POST', 'tun', { action: 'enable' }, key), 404, 'not_found');
    assertRejected(await machine.v2('GET', 'tun', {}, key), 404, 'not_found');
    assertRejected(await machine.v2('POST', 'power', { action: 'off' }, key), 404, 'not_found');
    assertRejected(await machine.v2('GET', 'stats', {}, key), 404, 'not_found');
    assertRejected(await machine.legacy('POST', '/vps/reinstall', { vmid: '101', template: 'debian-12' }, key), 404);
    assert.equal(machine.own().state.power, 'on');
    assert.deepEqual(machine.node.events, []);
  });

  it('are powered on and off with the result texts of each API', async () => {
    await using machine = await open();
    const power = (action: string) => machine.legacy('POST', '/vps/power', { vmid: '101', action });
    assertResult(await machine.v2('GET', 'power'), 'on');
    assertResult(await power('off'), 'Powered Off');
    assertResult(await machine.v2('GET', 'power'), 'off');
    assertRejected(await machine.v2('POST', 'power', { action: 'reboot' }), 409, 'state_conflict');
    assertResult(await power('on'), 'Powered On');
    assertResult(await power('reboot'), 'Rebooted');
    assertResult(await machine.v2('POST', 'power', { action: 'off' }), 'Chassis Power Control: Down/Off');
    assertResult(await machine.v2('POST', 'power', { action: 'cycle' }), 'Chassis Power Control: Cycle');
    assertResult(await machine.v2('POST', 'power', { action: 'reboot' }), 'Chassis Power Control: Reset');
    assertResult(await machine.v2('POST', 'power', { action: 'on' }), 'Chassis Power Control: Up/On');
    assert.equal(machine.own().state.power, 'on');
    assert.deepEqual(await powerRow(machine), ['on', 'command', null]);
    // A shutdown request precedes every forced one.
    assert.equal(machine.node.events.filter((event) => event === 'shutdown vm-101').length, 4);
    assert.deepEqual(
      (await machine.events('device.power')).map(({ data }) => data['state']),
      ['off', 'on', 'off', 'on', 'off', 'on', 'off', 'on'],
    );
  });

  it('boot once from the network or an image, and have no BIOS setup', async () => {
    await using machine = await open();
    assertResult(await machine.v2('PUT', 'power', { request: 'cdrom' }), 'Set Boot Device to cdrom');
    assert.equal(machine.own().state.nextBoot, 'cdrom');
    assertResult(await machine.v2('PUT', 'power', { request: 'pxe' }), 'Set Boot Device to pxe');
    assertResult(await machine.legacy('POST', '/vps/power', { vmid: '101', action: 'reboot' }), 'Rebooted');
    assert.equal(machine.own().bootedFrom, 'pxe');
    assertRejected(await machine.v2('PUT', 'power', { request: 'bios' }), 422, 'capability_missing');
  });

  it('take host names whose last label has 2 to 6 letters, and single labels on the legacy API', async () => {
    await using machine = await open();
    for (const hostname of ['www.example.technology', 'www.example'])
      for (const response of [
        await machine.v2('POST', 'hostname', { hostname }),
        await machine.legacy('POST', '/vps/hostname', { vmid: '101', hostname }),
      ])
        assertRejected(response, 400);
    assertRejected(await machine.v2('POST', 'hostname', { hostname: 'web-of-many' }), 400);
    const legacy = await machine.legacy('POST', '/vps/hostname', { vmid: '101', hostname: 'web-of-many' });
    assertResult(legacy, 'Hostname Updated');
    assert.equal(machine.own().system().hostname, 'web-of-many');
  });

  it('are listed with the name that they have inside, also if a change was waiting for another', async () => {
    await using machine = await open();
    const { store, clock } = machine.app.parts;
    const rename = (hostname: string) => machine.legacy('POST', '/vps/hostname', { vmid: '101', hostname });
    machine.node.setMalfunctions({ responseDelayMs: 300 });
    const first = rename('new.example.net');
    await until(async () => (await deviceLockFind(store.queries, 'vm-101', clock.now())) !== undefined);
    const second = rename('vps1.example.net');
    for (const response of await Promise.all([first, second])) assertResult(response, 'Hostname Updated');
    const { result } = (await machine.legacy('GET', '/vps/get/101')).body;
    assert.equal((result as MachineFields)['hostname'], machine.own().system().hostname);
  });

  it('get a new name, password and TUN devices, visible inside', async () => {
    await using machine = await open();
    assertResult(await machine.v2('POST', 'hostname', { hostname: 'New.Example.net' }), '');
    assert.equal(machine.own().system().hostname, 'new.example.net');
    assertResult(
      await machine.legacy('POST', '/vps/hostname', { vmid: '101', hostname: 'www.example.net' }),
      'Hostname Updated',
    );
    const { result: details } = (await machine.legacy('GET', '/vps/get/101')).body;
    assert.equal((details as MachineFields)['hostname'], 'www.example.net');
    assert.deepEqual(
      (await machine.events('device.hostname')).map(({ data }) => data),
      [{ hostname: 'new.example.net' }, { hostname: 'www.example.net' }],
    );
    const { result: password } = (await machine.legacy('POST', '/vps/password', { vmid: '101' })).body;
    assert.match(String(password), /^[A-Za-z0-9]{16}$/);
    assert.equal(machine.own().system().rootPassword, password);
    assertResult(await machine.legacy('POST', '/vps/tun', { vmid: '101', action: 'enable' }), 'TUN Enabled');
    assert.equal(machine.own().state.tun, 'enabled');
    assertResult(await machine.legacy('POST', '/vps/tun', { vmid: '101', action: 'disable' }), 'TUN Disabled');
    assertRejected(await machine.legacy('POST', '/vps/tun', { action: 'enable' }), 400);
    assertResult(await machine.v2('GET', 'tun'), { state: 'disabled', effect: 'now' });
    const enabled = { state: 'enabled', effect: 'now' };
    assertResult(await machine.v2('POST', 'tun', { action: 'enable' }), enabled);
    assertResult(await machine.v2('GET', 'tun'), enabled);
    machine.node.setMalfunctions({ keepsTunUntilStart: true });
    const later = { state: 'disabled', effect: 'next start' };
    assertResult(await machine.v2('POST', 'tun', { action: 'disable' }), later);
    assertResult(await machine.v2('GET', 'tun'), later);
    assertResult(await machine.v2('POST', 'power', { action: 'reboot' }), 'Chassis Power Control: Reset');
    assertResult(await machine.v2('GET', 'tun'), { state: 'disabled', effect: 'now' });
    assert.equal(machine.own().state.tun, 'disabled');
    machine.node.setMalfunctions({});
    await machine.app.parts.store.queries.deleteFrom('machines').where('vmid', '=', 201).execute();
    await machine.app.parts.store.queries
      .updateTable('services')
      .set({ type: 'dedicated', vmid: null })
      .where('vmid', '=', 201)
      .execute();
    assertResult(await machine.legacy('POST', '/vps/tun', { action: 'enable' }), 'TUN Enabled');
    machine.own().setPower('off');
    for (const [operation, params] of [
      ['hostname', { hostname: 'off.example.net' }],
      ['password', {}],
    ] as const)
      assert.match(
        assertRejected(await machine.v2('POST', operation, params), 409, 'state_conflict'),
        /is powered off/,
      );
    assert.equal(machine.own().system().hostname, 'www.example.net');
  });

  it('report what they use and what they consist of', async () => {
    await using machine = await open();
    const stats = (await machine.v2('GET', 'stats')).body.result as MachineFields;
    assert.deepEqual([stats['status'], stats['type'], stats['node']], ['Online', 'Xen', 'dc01hv01']);
    assert.match(String(stats['memory']), /^[0-9.]+ MB \/ 1024 MB$/);
    assert.match(String(stats['harddisk']), /^[0-9.]+ GB \/ 20 GB$/);
    assert.match(String(stats['bandwidth']), /^[0-9.]+ GB \/ 1000 GB$/);
    assert.deepEqual(stats['ipaddr'], ['203.0.113.130', '2001:db8:1::130']);
    // The count of an earlier release in this month, before there were samples.
    const today = new Date(machine.app.parts.clock.now());
    const counted = { traffic_month: today.getUTCFullYear() * 12 + today.getUTCMonth(), traffic_bytes: 5 * 2 ** 30 };
    const { queries } = machine.app.parts.store;
    await queries.updateTable('machines').set(counted).where('vmid', '=', 101).execute();
    const { bandwidth } = (await machine.v2('GET', 'stats')).body.result as MachineFields;
    assert.equal(bandwidth, '5 GB / 1000 GB');
    const { parts, ports } = (await machine.v2('GET', 'hardware')).body.result as MachineFields & {
      parts: MachineFields;
    };
    assert.deepEqual(
      [parts['CPU'], parts['RAM'], parts['Hard Drive'], ports],
      [['1 virtual CPU'], ['1024 MB'], ['20 GB'], {}],
    );
    assertResult(await machine.v2('GET', 'type'), 'vps');
    machine.own().setPower('off');
    assert.equal(((await machine.v2('GET', 'stats')).body.result as MachineFields)['status'], 'Offline');
  });

  it('have a history of what they used, in which a silent hypervisor is a gap and a restart no peak', async () => {
    await using machine = await open();
    const { app, node } = machine;
    const now = () => Math.floor(app.parts.clock.now() / 1000);
    const pass = (ms: number): void => [app, node].forEach((part) => part.pass(ms));
    pass(300_000 - (app.parts.clock.now() % 300_000));
    const start = now() - (now() % 300);
    const sampleFor = async (minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute++) {
        await machineSampling(app.parts).run(AbortSignal.timeout(60_000));
        pass(62_000);
      }
    };
    const read = async <Result>(method: string, path: string, params: object = {}) =>
      (await request<Envelope>(app, method, path, { key: app.lab.customer.key, params: { ...params } })).body
        .result as Result;
    await sampleFor(17);
    const samples = await read<Record<string, string>[]>('GET', `/v2/network/traffic/${machine.service}`, { start });
    const measured = samples.filter(({ marks }) => marks === '');
    assert.ok(measured.length >= 2, JSON.stringify(samples));
    // As its node counts them: this machine sends more than it receives.
    for (const { inbytes, outbytes } of measured) {
      assert.ok(Number(inbytes) > 1e6, inbytes);
      assert.ok(Number(outbytes) > 2 * Number(inbytes), outbytes);
    }
    type Figures = Record<string, Record<string, { name: string; data: Record<string, string>; graph: string }>>;
    const bandwidth = await read<{ result: Figures }>('POST', `/v2/network/bandwidth/${machine.service}`, { start });
    const { name, data, graph } = bandwidth.result['dc01hv01']!['101']!;
    assert.deepEqual([name, graph.slice(0, 8)], ['vm-101', 'iVBORw0K']);
    const total = samples.reduce((sum, { inbytes, outbytes }) => sum + Number(inbytes) + Number(outbytes), 0);
    assert.equal(Number(data['totalbytes']), total);

    // With a span, statistics are those of the span.
    const stats = (span: object) => read<MachineFields>('GET', `/v2/device/stats/${machine.service}`, span);
    assert.equal((await stats({ start }))['bandwidth'], `${Number((total / 2 ** 30).toFixed(2))} GB / 1000 GB`);
    assert.match(String((await stats({ start }))['memory']), /^30[78](\.\d+)? MB \/ 1024 MB$/);
    const before = await stats({ start: start - 7200, stop: start - 3600 });
    assert.deepEqual(
      [before['memory'], before['harddisk'], before['bandwidth']],
      ['- / 1024 MB', '- / 20 GB', '0 GB / 1000 GB'],
    );
    assert.equal((await stats({}))['bandwidth'], (await stats({ start }))['bandwidth']);
    const usage = await read<Record<string, string>[]>('GET', `/v2/device/usage/${machine.service}`, { start });
    const used = usage.filter(({ cpu }) => cpu !== '');
    assert.ok(used.length >= 2, JSON.stringify(usage));
    for (const { cpu, memory, disk, diskwritten } of used) {
      assert.ok(Number(cpu) > 1 && Number(cpu) <= 100, cpu);
      assert.deepEqual([memory, disk], [String(308 * 2 ** 20), String(3 * 2 ** 30)]);
      assert.ok(Number(diskwritten) > 0);
    }

    // Ten minutes of silence, then a restart.
    const silentFrom = now() + 300 - (now() % 300);
    node.setMalfunctions({ isDown: true });
    await sampleFor(14);
    node.setMalfunctions({});
    machine.own().restart();
    await sampleFor(12);
    const after = await read<Record<string, string>[]>('GET', `/v2/network/traffic/${machine.service}`, { start });
    const most = Math.max(...measured.map(({ outbytes }) => Number(outbytes)));
    const silent = after.filter(({ start: at }) => Number(at) >= silentFrom && Number(at) < silentFrom + 600);
    assert.deepEqual(
      silent.map(({ marks, outbytes }) => [marks, outbytes]),
      [
        ['reset', '0'],
        ['reset', '0'],
      ],
    );
    for (const { outbytes } of after) assert.ok(Number(outbytes) < 3 * most, `${outbytes} after ${most}`);
    assert.ok(after.findLast(({ marks }) => marks === '') !== undefined);

    // The history of a terminated service stays when its machine is gone.
    const { queries } = app.parts.store;
    const terminated = updateWhere(queries, 'services', { id: Number(machine.service) });
    await terminated.set({ status: 'Terminated' }).execute();
    await machineRemove(queries, Number(machine.service));
    const span = { start, end: silentFrom };
    const kept = await read<{ result: Figures }>('POST', `/v2/network/bandwidth/${machine.service}`, span);
    assert.ok(Number(kept.result['dc01hv01']!['101']!.data['totalbytes']) >= total);
  });

  it('on an unreachable hypervisor are unknown, never off, and their commands end in 504', async () => {
    await using machine = await open();
    await look(machine);
    machine.node.setMalfunctions({ isDown: true });
    assertRejected(await machine.v2('GET', 'power'), 504, 'node_unreachable');
    assertRejected(await machine.v2('POST', 'power', { action: 'off' }), 504, 'node_unreachable');
    assertRejected(await machine.legacy('POST', '/vps/power', { vmid: '101', action: 'on' }), 504);
    assertRejected(await machine.legacy('POST', '/vps/password', { vmid: '101' }), 504);
    assertRejected(await machine.legacy('POST', '/vps/reinstall', { vmid: '101', template: 'debian-12' }), 504);
    const stats = (await machine.v2('GET', 'stats')).body.result as MachineFields;
    assert.deepEqual([stats['status'], stats['memory']], ['Unknown', '- / 1024 MB']);
    await look(machine);
    assert.deepEqual(await powerRow(machine), ['on', 'command', 'node_unreachable']);
    assert.equal(((await machine.legacy('GET', '/vps/get/101')).body.result as MachineFields)['status'], 'Unknown');
    machine.node.setMalfunctions({});
    assert.equal(machine.own().state.power, 'on');
    // What did not run in time does not run later, and the machine is unlocked.
    machine.app.pass(60_000);
    await until(async () => (await machine.v2('GET', 'power')).status === 200);
    await look(machine);
    assert.deepEqual(await powerRow(machine), ['on', 'query', null]);
    assert.deepEqual(await machine.events('device.power'), []);
  });

  it('run one command at a time, and tell a second caller what is running', async () => {
    await using machine = await open();
    const { store, clock } = machine.app.parts;
    const held_until = clock.now() + 3_600_000;
    const lock = { device: 'vm-101', holder: 'somebody else', purpose: 'a reinstall', held_until };
    await deviceLockAcquire(store.queries, lock, clock.now());
    const responses = await Promise.all([
      machine.v2('POST', 'power', { action: 'on' }),
      machine.v2('POST', 'power', { action: 'off' }),
      machine.legacy('POST', '/vps/password', { vmid: '101' }),
    ]);
    for (const response of responses) assert.match(assertRejected(response, 409), /a reinstall is running/);
    assertResult(await machine.v2('GET', 'power'), 'on');
    assert.deepEqual(machine.node.events, []);
  });

  it('that ignore a shutdown request are forced off', async () => {
    await using machine = await open();
    machine.node.setMalfunctions({ ignoresShutdown: true });
    const off = machine.legacy('POST', '/vps/power', { vmid: '101', action: 'off' });
    await until(() => machine.node.events.includes('shutdown vm-101'));
    assert.equal(machine.own().state.power, 'on');
    machine.app.pass(16_000);
    await until(() => machine.own().state.power === 'off');
    await off;
  });
});
