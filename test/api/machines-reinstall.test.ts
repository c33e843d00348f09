// Reinstalling a virtual machine through either API: the new system is built next to the old one and swapped in, so
// that there is always one.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { machineFind } from '#store/devices/machines.ts';
import { waitForLastAction } from '#test/support/actions.ts';
import { assertRejected, assertResult } from '#test/support/devices.ts';
import { openMachine, type TestMachine } from '#test/support/machines.ts';
import { until } from '#test/support/until.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

const reinstall = (machine: TestMachine, template = 'ubuntu-24.04') =>
  machine.legacy('POST', '/vps/reinstall', { vmid: machine.vmid, template });
const row = async ({ app, service }: TestMachine) => (await machineFind(app.parts.store.queries, Number(service)))!;
/** Waits for the end of the reinstall in the account's actions. */
const ended = ({ app, service }: TestMachine) => waitForLastAction(app, app.lab.customer.key, service);
/** Tests a password on the machine itself. */
function logsIn(machine: TestMachine, password: string): boolean {
  return machine.own().system().rootPassword === password;
}

describeOnEngines('reinstalling a virtual machine', { postgres: 'in long runs', concurrency: 3 }, ({ newDatabase }) => {
  const open = async () => openMachine(await newDatabase());

  it('installs the requested system, name, addresses and password', async () => {
    await using machine = await open();
    const old = machine.own().state.current;
    const response = await reinstall(machine);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    const password = String(response.body.result);
    assert.match(password, /^[A-Za-z0-9]{16}$/);
    // It is in the database only as long as it is needed, and never in clear text.
    const { install_secret: sealed } = await row(machine);
    assert.ok(sealed === null || !sealed.includes(password));
    assert.equal((await ended(machine)).status, 'Completed');
    assert.notEqual(machine.own().state.current, old);
    const { template, hostname, addresses, nameServers } = machine.own().system();
    assert.deepEqual([template, hostname, nameServers], ['ubuntu-24.04', 'vps1.example.net', ['203.0.113.1']]);
    assert.deepEqual(
      (addresses as { address: string; prefixLength: number }[]).map(({ address, prefixLength }) => [
        address,
        prefixLength,
      ]),
      [
        ['203.0.113.130', 24],
        ['2001:db8:1::130', 48],
      ],
    );
    assert.ok(logsIn(machine, password));
    assert.equal(machine.own().state.power, 'on');
    const after = await row(machine);
    assert.deepEqual([after.template, after.install_secret, after.untidy], ['ubuntu-24.04', null, 1]);
    const dump = await machine.app.parts.store.queries.selectFrom('workflows').selectAll().execute();
    assert.ok(!JSON.stringify(dump).includes(password));
    // The old system is removed once it can no longer be needed.
    assert.equal(Object.keys(machine.own().state.systems).length, 2);
    await machineTidy(machine.app.parts).run(new AbortController().signal);
    assert.deepEqual(Object.keys(machine.own().state.systems), [machine.own().state.current]);
    assert.equal((await row(machine)).untidy, 0);
    assert.deepEqual(
      (await machine.events('device.reload')).map(({ type, data }) => [type, data['system']]),
      [
        ['device.reload.started', 'ubuntu-24.04'],
        ['device.reload.completed', 'ubuntu-24.04'],
      ],
    );
  });

  it('offers the templates of its kind, and rejects others with their names', async () => {
    await using machine = await open();
    const list = await machine.v2('GET', 'reload');
    const values = (list.body.result as { name: string; value: string }[]).map(({ value }) => value);
    assert.deepEqual(values, ['debian-12', 'ubuntu-24.04']);
    assertResult(await machine.legacy('GET', '/vps/template/Xen'), list.body.result);
    const containers = (await machine.legacy('GET', '/vps/template/OpenVZ')).body.result as { value: string }[];
    assert.equal(containers.length, 2);
    assertRejected(await machine.legacy('GET', '/vps/template/Qemu'), 400);
    for (const wrong of ['windows-3.11', containers[0]!.value])
      assert.match(assertRejected(await reinstall(machine, wrong), 422), /debian-12, ubuntu-24\.04/);
    assertRejected(await machine.v2('POST', 'reload', { value: 'windows-3.11' }), 422, 'not_in_catalogue');
    assertRejected(await machine.v2('PUT', 'reload'), 422, 'capability_missing');
    assert.deepEqual(machine.node.events, []);
  });

  it('runs one at a time, blocks other commands, and can be cancelled back to the old system', async () => {
    await using machine = await open();
    const old = machine.own().state.current;
    assertRejected(await machine.v2('DELETE', 'reload'), 409, 'state_conflict');
    // A slow hypervisor and a guest that does not shut down delay the reinstall for longer than this takes.
    machine.node.setMalfunctions({ ignoresShutdown: true, responseDelayMs: 2000 });
    const [first, second] = await Promise.all([
      machine.v2('POST', 'reload', { value: 'ubuntu-24.04' }),
      machine.v2('POST', 'reload', { value: 'ubuntu-24.04' }),
    ]);
    assert.deepEqual([first.status, second.status].toSorted(), [200, 409]);
    assert.match(assertRejected(first.status === 409 ? first : second, 409, 'device_busy'), /reinstall is running/);
    assert.match(assertRejected(await machine.v2('POST', 'power', { action: 'on' }), 409, 'device_busy'), /reinstall/);
    assertResult(await machine.v2('DELETE', 'reload'), 'Reload Cancelled');
    machine.node.setMalfunctions({ ignoresShutdown: true });
    // The shutdown request cannot be taken back: the guest gets its time before it counts as on again.
    const ticking = setInterval(() => machine.app.pass(1000), 20);
    const { status } = await ended(machine).finally(() => clearInterval(ticking));
    assert.equal(status, 'Cancelled');
    assert.deepEqual([machine.own().state.current, machine.own().state.power], [old, 'on']);
    assert.deepEqual(Object.keys(machine.own().state.systems), [old]);
    assert.equal((await row(machine)).install_secret, null);
    machine.node.setMalfunctions({});
    assertResult(await machine.legacy('POST', '/vps/power', { vmid: '101', action: 'on' }), 'Powered On');
    assert.deepEqual(
      (await machine.events('device.reload')).map(({ type }) => type),
      ['device.reload.started', 'device.reload.cancelled'],
    );
  });

  it('ends at once if it is cancelled while the new system is built, and leaves the machine untouched', async () => {
    await using machine = await open();
    const { state } = machine.own();
    const old = state.current;
    machine.node.setMalfunctions({ buildMs: 3_600_000 });
    assert.equal((await reinstall(machine)).status, 200);
    await until(() => Object.keys(state.systems).length === 2);
    assertResult(await machine.v2('DELETE', 'reload'), 'Reload Cancelled');
    machine.node.setMalfunctions({});
    // The next command and the next reinstall wait for the rollback, which takes no time.
    assertResult(await machine.v2('POST', 'power', { action: 'on' }), 'Chassis Power Control: Up/On');
    assert.equal((await ended(machine)).status, 'Cancelled');
    assert.deepEqual([state.current, Object.keys(state.systems)], [old, [old]]);
    assert.deepEqual(machine.node.events, ['tidy vm-101', 'tidy vm-101', 'power vm-101']);
    machine.node.setMalfunctions({ buildMs: 3_600_000 });
    assert.equal((await reinstall(machine)).status, 200);
    await until(() => Object.keys(state.systems).length === 2);
    assertResult(await machine.v2('DELETE', 'reload'), 'Reload Cancelled');
    machine.node.setMalfunctions({});
    assert.equal((await reinstall(machine)).status, 200);
    assert.equal((await ended(machine)).status, 'Completed');
  });

  it('is rejected if the hypervisor is full, before anything is destroyed', async () => {
    await using machine = await open();
    const before = structuredClone(machine.own().state);
    machine.node.setMalfunctions({ isDiskFull: true });
    assert.match(assertRejected(await reinstall(machine), 422), /no disk space/);
    assertRejected(await machine.v2('POST', 'reload', { value: 'debian-12' }), 422, 'nothing_free');
    assert.deepEqual(machine.own().state, before);
    assert.deepEqual(machine.node.events, []);
  });

  for (const step of ['build', 'use', 'power'] as const) {
    it(`ends with the old system if the hypervisor dies at ${step} and comes back`, async () => {
      await using machine = await open();
      const old = machine.own().state.current;
      machine.node.setMalfunctions({ crashesAt: step });
      const password = String((await reinstall(machine)).body.result);
      await until(
        async () =>
          (await row(machine)).power_error !== null || machine.node.events.some((event) => event.startsWith(step)),
      );
      machine.node.setMalfunctions({});
      machine.app.pass(30_000);
      const { status, error } = await ended(machine);
      assert.equal(status, 'Failed');
      assert.notEqual(error, '');
      assert.deepEqual([machine.own().state.current, machine.own().state.power], [old, 'on']);
      assert.deepEqual(Object.keys(machine.own().state.systems), [old]);
      assert.ok(!logsIn(machine, password));
      assert.equal((await row(machine)).template, 'debian-12');
    });
  }
});
