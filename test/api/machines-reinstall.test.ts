// A new system for a virtual machine, asked for through either face: built beside the old one, swapped, and never neither.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { machineFind } from '#store/devices/machines.ts';
import { lastActionEnded } from '#test/support/actions.ts';
import { refused, succeeds } from '#test/support/devices.ts';
import { openMachine, type TestMachine } from '#test/support/machines.ts';
import { engines } from '#test/support/yard.ts';
import { until } from '#test/support/until.ts';

const reinstall = (machine: TestMachine, template = 'ubuntu-24.04') =>
  machine.legacy('POST', '/vps/reinstall', { vmid: machine.vmid, template });
const row = async ({ yard, service }: TestMachine) => (await machineFind(yard.parts.store.queries, Number(service)))!;
/** The end of the reinstall, as the account's actions tell it. */
const ended = ({ yard, service }: TestMachine) => lastActionEnded(yard, yard.lab.customer.key, service);
/** Tests a password on the machine itself. */
function logsIn(machine: TestMachine, password: string): boolean {
  return machine.own().system().rootPassword === password;
}

for (const { engine, suite, start } of engines) {
  describe(`reinstalling a virtual machine on ${engine}`, { ...suite, concurrency: 3 }, () => {
    let database: Awaited<ReturnType<typeof start>>;
    before(async () => void (database = await start()));
    after(() => database?.[Symbol.asyncDispose]());
    const open = async () => openMachine(await database.newDatabase());

    it('gives it the system, the name, the addresses and the password that were asked for', async () => {
      await using machine = await open();
      const old = machine.own().state.current;
      const answer = await reinstall(machine);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const password = String(answer.body.result);
      assert.match(password, /^[A-Za-z0-9]{16}$/);
      // It is in the database only as long as it is needed, and never in clear.
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
      const dump = await machine.yard.parts.store.queries.selectFrom('workflows').selectAll().execute();
      assert.ok(!JSON.stringify(dump).includes(password));
      // The old system goes once it is sure that nobody goes back to it.
      assert.equal(Object.keys(machine.own().state.systems).length, 2);
      await machineTidy(machine.yard.parts).run(new AbortController().signal);
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

    it('is offered the templates of its kind and refuses others by naming them', async () => {
      await using machine = await open();
      const listed = await machine.v2('GET', 'reload');
      const values = (listed.body.result as { name: string; value: string }[]).map(({ value }) => value);
      assert.deepEqual(values, ['debian-12', 'ubuntu-24.04']);
      succeeds(await machine.legacy('GET', '/vps/template/Xen'), listed.body.result);
      const containers = (await machine.legacy('GET', '/vps/template/OpenVZ')).body.result as { value: string }[];
      assert.equal(containers.length, 2);
      refused(await machine.legacy('GET', '/vps/template/Qemu'), 400);
      for (const wrong of ['windows-3.11', containers[0]!.value])
        assert.match(refused(await reinstall(machine, wrong), 422), /debian-12, ubuntu-24\.04/);
      refused(await machine.v2('POST', 'reload', { value: 'windows-3.11' }), 422, 'not_in_catalogue');
      refused(await machine.v2('PUT', 'reload'), 422, 'capability_missing');
      assert.deepEqual(machine.node.events, []);
    });

    it('is one at a time, keeps other commands out, and is cancelled back to the old system', async () => {
      await using machine = await open();
      const old = machine.own().state.current;
      refused(await machine.v2('DELETE', 'reload'), 409, 'state_conflict');
      // A slow node and a guest that does not shut down hold the reinstall up for longer than this takes.
      machine.node.setFaults({ ignoresShutdown: true, answersAfterMs: 2000 });
      const [one, other] = await Promise.all([
        machine.v2('POST', 'reload', { value: 'ubuntu-24.04' }),
        machine.v2('POST', 'reload', { value: 'ubuntu-24.04' }),
      ]);
      assert.deepEqual([one.status, other.status].toSorted(), [200, 409]);
      assert.match(refused(one.status === 409 ? one : other, 409, 'device_busy'), /reinstall is running/);
      assert.match(refused(await machine.v2('POST', 'power', { action: 'on' }), 409, 'device_busy'), /reinstall/);
      succeeds(await machine.v2('DELETE', 'reload'), 'Reload Cancelled');
      machine.node.setFaults({ ignoresShutdown: true });
      // The guest was asked to shut down, which cannot be taken back: it is given its time before it counts as on again.
      const passing = setInterval(() => machine.yard.pass(1000), 20);
      const { status } = await ended(machine).finally(() => clearInterval(passing));
      assert.equal(status, 'Cancelled');
      assert.deepEqual([machine.own().state.current, machine.own().state.power], [old, 'on']);
      assert.deepEqual(Object.keys(machine.own().state.systems), [old]);
      assert.equal((await row(machine)).install_secret, null);
      machine.node.setFaults({});
      succeeds(await machine.legacy('POST', '/vps/power', { vmid: '101', action: 'on' }), 'Powered On');
      assert.deepEqual(
        (await machine.events('device.reload')).map(({ type }) => type),
        ['device.reload.started', 'device.reload.cancelled'],
      );
    });

    it('is refused where the node is full, before anything is destroyed', async () => {
      await using machine = await open();
      const before = structuredClone(machine.own().state);
      machine.node.setFaults({ isDiskFull: true });
      assert.match(refused(await reinstall(machine), 422), /no room/);
      refused(await machine.v2('POST', 'reload', { value: 'debian-12' }), 422, 'nothing_free');
      assert.deepEqual(machine.own().state, before);
      assert.deepEqual(machine.node.events, []);
    });

    for (const step of ['build', 'use', 'power'] as const) {
      it(`ends with the old system where the node dies at ${step} and comes back`, async () => {
        await using machine = await open();
        const old = machine.own().state.current;
        machine.node.setFaults({ diesAt: step });
        const password = String((await reinstall(machine)).body.result);
        await until(
          async () =>
            (await row(machine)).power_error !== null || machine.node.events.some((each) => each.startsWith(step)),
        );
        machine.node.setFaults({});
        machine.yard.pass(30_000);
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
}
