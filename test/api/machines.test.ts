// Virtual machines through both APIs, checked at the lab's hypervisor, on both engines.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { deviceLockAcquire } from '#store/devices/device-locks.ts';
import { machineFind } from '#store/devices/machines.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { openMachine, type TestMachine } from '#test/support/machines.ts';
import { request } from '#test/support/request.ts';
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

describeOnEngines('virtual machines', { concurrency: 3 }, ({ newDatabase }) => {
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
    await machine.app.parts.store.queries.deleteFrom('machines').where('vmid', '=', 201).execute();
    await machine.app.parts.store.queries
      .updateTable('services')
      .set({ type: 'dedicated', vmid: null })
      .where('vmid', '=', 201)
      .execute();
    assertResult(await machine.legacy('POST', '/vps/tun', { action: 'enable' }), 'TUN Enabled');
    machine.own().setPower('off');
    assertRejected(await machine.v2('POST', 'hostname', { hostname: 'off.example.net' }), 409, 'state_conflict');
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
    assert.deepEqual(await powerRow(machine), ['on', 'sync', 'node_unreachable']);
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
