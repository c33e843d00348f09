// Virtual machines as a customer lives with them, through both faces, as the lab's node sees it. On both engines.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { deviceLockTake } from '#store/devices/device-locks.ts';
import { machineFind } from '#store/devices/machines.ts';
import { refused, succeeds } from '#test/support/devices.ts';
import { openMachine, type TestMachine } from '#test/support/machines.ts';
import { request } from '#test/support/request.ts';
import { engines } from '#test/support/yard.ts';
import { until } from '#test/support/until.ts';

type Shown = Record<string, unknown>;

const seen = async ({ yard, service }: TestMachine) => {
  const row = (await machineFind(yard.parts.store.queries, Number(service)))!;
  return [row.power_state, row.power_source, row.power_error];
};
/** One look at every node, whenever the next one would be due. */
async function look({ yard }: TestMachine): Promise<void> {
  await yard.parts.store.queries.updateTable('nodes').set({ next_look_at: 0 }).execute();
  await machineSync(yard.parts, async () => {}).run(new AbortController().signal);
}

for (const { engine, suite, start } of engines) {
  describe(`virtual machines on ${engine}`, { ...suite, concurrency: 3 }, () => {
    let database: Awaited<ReturnType<typeof start>>;
    before(async () => void (database = await start()));
    after(() => database?.[Symbol.asyncDispose]());
    const open = async () => openMachine(await database.newDatabase());

    it('are listed with what was sold and what was last seen of them', async () => {
      await using machine = await open();
      const { yard } = machine;
      await look(machine);
      const listed = await machine.legacy('GET', '/vps/list');
      const [vps, cloud] = listed.body.result as Shown[];
      const expected = {
        vmid: '101',
        hostname: 'vps1.example.net',
        status: 'Online',
        type: 'Xen',
        node: yard.equipment.node.name,
        template: 'debian-12',
        memory: '1024 MB',
        harddisk: '20 GB',
        bandwidth: '1000 GB',
      };
      const { ipaddr, ...rest } = vps!;
      assert.deepEqual(rest, expected);
      assert.deepEqual(ipaddr, ['203.0.113.130', '2001:db8:1::130']);
      assert.equal(cloud!['vmid'], '201');
      succeeds(await machine.legacy('GET', '/vps/get/101'), vps);
      succeeds(await request(yard, 'POST', '/vps/get', { key: yard.lab.customer.key, form: { vmid: '101' } }), vps);
      succeeds(await machine.legacy('GET', '/vps/network'), {
        101: { ipv4: ['203.0.113.130'], ipv6: ['2001:db8:1::130'] },
        201: { ipv4: ['203.0.113.140'], ipv6: [] },
      });
      machine.own().setPower('off');
      await look(machine);
      assert.equal(((await machine.legacy('GET', '/vps/get/101')).body.result as Shown)['status'], 'Offline');
      assert.deepEqual(await machine.events('device.power'), [
        { type: 'device.power.changed', data: { state: 'off', source: 'sync' } },
      ]);
    });

    it('of others are not there', async () => {
      await using machine = await open();
      const { key } = machine.yard.lab.stranger;
      succeeds(await machine.legacy('GET', '/vps/list', {}, key), []);
      refused(await machine.legacy('GET', '/vps/get/101', {}, key), 404);
      refused(await machine.legacy('POST', '/vps/power', { vmid: '101', action: 'off' }, key), 404);
      refused(await machine.legacy('POST', '/vps/tun', { vmid: '101', action: 'enable' }, key), 404);
      refused(await machine.v2('POST', 'power', { action: 'off' }, key), 404, 'not_found');
      refused(await machine.v2('GET', 'stats', {}, key), 404, 'not_found');
      refused(await machine.legacy('POST', '/vps/reinstall', { vmid: '101', template: 'debian-12' }, key), 404);
      assert.equal(machine.own().state.power, 'on');
      assert.deepEqual(machine.node.events, []);
    });

    it('are switched in the words of each face', async () => {
      await using machine = await open();
      const power = (action: string) => machine.legacy('POST', '/vps/power', { vmid: '101', action });
      succeeds(await machine.v2('GET', 'power'), 'on');
      succeeds(await power('off'), 'Powered Off');
      succeeds(await machine.v2('GET', 'power'), 'off');
      refused(await machine.v2('POST', 'power', { action: 'reboot' }), 409, 'state_conflict');
      succeeds(await power('on'), 'Powered On');
      succeeds(await power('reboot'), 'Rebooted');
      succeeds(await machine.v2('POST', 'power', { action: 'off' }), 'Chassis Power Control: Down/Off');
      succeeds(await machine.v2('POST', 'power', { action: 'cycle' }), 'Chassis Power Control: Cycle');
      succeeds(await machine.v2('POST', 'power', { action: 'reboot' }), 'Chassis Power Control: Reset');
      succeeds(await machine.v2('POST', 'power', { action: 'on' }), 'Chassis Power Control: Up/On');
      assert.equal(machine.own().state.power, 'on');
      assert.deepEqual(await seen(machine), ['on', 'command', null]);
      // Asked before it is forced, every time.
      assert.equal(machine.node.events.filter((each) => each === 'shutdown vm-101').length, 4);
      assert.deepEqual(
        (await machine.events('device.power')).map(({ data }) => data['state']),
        ['off', 'on', 'off', 'on', 'off', 'on', 'off', 'on'],
      );
    });

    it('boot once from the network or an image, and have no BIOS to enter', async () => {
      await using machine = await open();
      succeeds(await machine.v2('PUT', 'power', { request: 'cdrom' }), 'Set Boot Device to cdrom');
      assert.equal(machine.own().state.nextBoot, 'cdrom');
      succeeds(await machine.v2('PUT', 'power', { request: 'pxe' }), 'Set Boot Device to pxe');
      succeeds(await machine.legacy('POST', '/vps/power', { vmid: '101', action: 'reboot' }), 'Rebooted');
      assert.equal(machine.own().bootedFrom, 'pxe');
      refused(await machine.v2('PUT', 'power', { request: 'bios' }), 422, 'capability_missing');
    });

    it('get another name, password and tunnel devices, seen inside', async () => {
      await using machine = await open();
      succeeds(await machine.v2('POST', 'hostname', { hostname: 'New.Example.net' }), '');
      assert.equal(machine.own().system().hostname, 'new.example.net');
      succeeds(
        await machine.legacy('POST', '/vps/hostname', { vmid: '101', hostname: 'www.example.net' }),
        'Hostname Updated',
      );
      const { result: listed } = (await machine.legacy('GET', '/vps/get/101')).body;
      assert.equal((listed as Shown)['hostname'], 'www.example.net');
      assert.deepEqual(
        (await machine.events('device.hostname')).map(({ data }) => data),
        [{ hostname: 'new.example.net' }, { hostname: 'www.example.net' }],
      );
      const { result: password } = (await machine.legacy('POST', '/vps/password', { vmid: '101' })).body;
      assert.match(String(password), /^[A-Za-z0-9]{16}$/);
      assert.equal(machine.own().system().rootPassword, password);
      succeeds(await machine.legacy('POST', '/vps/tun', { vmid: '101', action: 'enable' }), 'TUN Enabled');
      assert.equal(machine.own().state.tun, 'enabled');
      succeeds(await machine.legacy('POST', '/vps/tun', { vmid: '101', action: 'disable' }), 'TUN Disabled');
      refused(await machine.legacy('POST', '/vps/tun', { action: 'enable' }), 400);
      await machine.yard.parts.store.queries.deleteFrom('machines').where('vmid', '=', 201).execute();
      await machine.yard.parts.store.queries
        .updateTable('services')
        .set({ type: 'dedicated', vmid: null })
        .where('vmid', '=', 201)
        .execute();
      succeeds(await machine.legacy('POST', '/vps/tun', { action: 'enable' }), 'TUN Enabled');
      machine.own().setPower('off');
      refused(await machine.v2('POST', 'hostname', { hostname: 'off.example.net' }), 409, 'state_conflict');
      assert.equal(machine.own().system().hostname, 'www.example.net');
    });

    it('tell what they use of what they have, and what they are made of', async () => {
      await using machine = await open();
      const stats = (await machine.v2('GET', 'stats')).body.result as Shown;
      assert.deepEqual([stats['status'], stats['type'], stats['node']], ['Online', 'Xen', 'dc01hv01']);
      assert.match(String(stats['memory']), /^[0-9.]+ MB \/ 1024 MB$/);
      assert.match(String(stats['harddisk']), /^[0-9.]+ GB \/ 20 GB$/);
      assert.match(String(stats['bandwidth']), /^[0-9.]+ GB \/ 1000 GB$/);
      assert.deepEqual(stats['ipaddr'], ['203.0.113.130', '2001:db8:1::130']);
      const { parts, ports } = (await machine.v2('GET', 'hardware')).body.result as Shown & { parts: Shown };
      assert.deepEqual(
        [parts['CPU'], parts['RAM'], parts['Hard Drive'], ports],
        [['1 virtual CPU'], ['1024 MB'], ['20 GB'], {}],
      );
      succeeds(await machine.v2('GET', 'type'), 'vps');
      machine.own().setPower('off');
      assert.equal(((await machine.v2('GET', 'stats')).body.result as Shown)['status'], 'Offline');
    });

    it('on a node that is down are unknown, never off, and their commands end in 504', async () => {
      await using machine = await open();
      await look(machine);
      machine.node.setFaults({ isDown: true });
      refused(await machine.v2('GET', 'power'), 504, 'node_unreachable');
      refused(await machine.v2('POST', 'power', { action: 'off' }), 504, 'node_unreachable');
      refused(await machine.legacy('POST', '/vps/power', { vmid: '101', action: 'on' }), 504);
      refused(await machine.legacy('POST', '/vps/password', { vmid: '101' }), 504);
      refused(await machine.legacy('POST', '/vps/reinstall', { vmid: '101', template: 'debian-12' }), 504);
      const stats = (await machine.v2('GET', 'stats')).body.result as Shown;
      assert.deepEqual([stats['status'], stats['memory']], ['Unknown', '- / 1024 MB']);
      await look(machine);
      assert.deepEqual(await seen(machine), ['on', 'sync', 'node_unreachable']);
      assert.equal(((await machine.legacy('GET', '/vps/get/101')).body.result as Shown)['status'], 'Unknown');
      machine.node.setFaults({});
      assert.equal(machine.own().state.power, 'on');
      // What could not be done in time is not done later either, and the machine is free again.
      machine.yard.pass(60_000);
      await until(async () => (await machine.v2('GET', 'power')).status === 200);
      await look(machine);
      assert.deepEqual(await seen(machine), ['on', 'query', null]);
      assert.deepEqual(await machine.events('device.power'), []);
    });

    it('take one command at a time, and tell who comes second what is going on', async () => {
      await using machine = await open();
      const { store, clock } = machine.yard.parts;
      const held_until = clock.now() + 3_600_000;
      const lock = { device: 'vm-101', holder: 'somebody else', purpose: 'a reinstall', held_until };
      await deviceLockTake(store.queries, lock, clock.now());
      const refusals = await Promise.all([
        machine.v2('POST', 'power', { action: 'on' }),
        machine.v2('POST', 'power', { action: 'off' }),
        machine.legacy('POST', '/vps/password', { vmid: '101' }),
      ]);
      for (const each of refusals) assert.match(refused(each, 409), /a reinstall is running/);
      succeeds(await machine.v2('GET', 'power'), 'on');
      assert.deepEqual(machine.node.events, []);
    });

    it('that do not heed a request to shut down are forced', async () => {
      await using machine = await open();
      machine.node.setFaults({ ignoresShutdown: true });
      const off = machine.legacy('POST', '/vps/power', { vmid: '101', action: 'off' });
      await until(() => machine.node.events.includes('shutdown vm-101'));
      assert.equal(machine.own().state.power, 'on');
      machine.yard.pass(16_000);
      await until(() => machine.own().state.power === 'off');
      await off;
    });
  });
}
