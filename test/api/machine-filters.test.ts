// The network filters of virtual machines follow the addresses of their services, checked at the lab's hypervisor, on both
// engines.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { machineReport } from '#app/machines/report.ts';
import { networkRange } from '#lib/address-ranges.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { deviceLockAcquire, deviceLockRelease } from '#store/devices/device-locks.ts';
import { machineChange, machineFind } from '#store/devices/machines.ts';
import { netblockAssign, netblockList, netblockRemove } from '#store/network/netblocks.ts';
import { serviceLoad } from '#store/devices/services.ts';
import { assertResult } from '#test/support/devices.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { openMachine, type TestMachine } from '#test/support/machines.ts';

const main = '203.0.113.130/32';
const first = [main];
const signal = (): AbortSignal => new AbortController().signal;

/** Checks every hypervisor once, even if it is not due. */
async function check({ app }: TestMachine): Promise<number> {
  await app.parts.store.queries.updateTable('nodes').set({ next_look_at: 0 }).execute();
  return (await machineSync(app.parts, async () => {}).run(signal())).backlog;
}

describeOnEngines('network filters', { concurrency: 3, postgres: 'in long runs' }, ({ newDatabase }) => {
  const open = async (): Promise<TestMachine> => {
    const database = await newDatabase();
    return openMachine({ ...database, site: { netblocks: [] } });
  };
  const networks = (machine: TestMachine): unknown => machine.own().state.networks;
  const applied = async ({ app, service }: TestMachine): Promise<string | null> =>
    (await machineFind(app.parts.store.queries, Number(service)))!.networks;

  it('are added to machines that had none, and follow addresses that are assigned and taken away', async () => {
    await using machine = await open();
    const { app, service } = machine;
    const { queries } = app.parts.store;
    delete machine.own().state.networks;
    assert.equal(await check(machine), 0);
    assert.deepEqual(networks(machine), first);
    const { account_id } = (await serviceLoad(queries, Number(service)))!;
    const block = { cidr: '198.18.4.0/29', ...networkRange(parseNetwork('198.18.4.0/29')!) };
    await netblockAssign(queries, { ...block, account_id, service_id: Number(service) }, [block.first]);
    await check(machine);
    assert.deepEqual(networks(machine), [main, '198.18.4.0/29']);
    const before = machine.node.events.length;
    await check(machine);
    assert.equal(machine.node.events.length, before, 'nothing to do');
    const blocks = await netblockList(queries, account_id, Number(service));
    await netblockRemove(queries, blocks.find(({ cidr }) => cidr === block.cidr)!.id);
    await check(machine);
    assert.deepEqual(networks(machine), first);
  });

  it('are completed after a crash, and wait for another command', async () => {
    await using machine = await open();
    const { queries } = machine.app.parts.store;
    delete machine.own().state.networks;
    machine.node.setMalfunctions({ crashesAt: 'networks' });
    await check(machine);
    assert.equal(await applied(machine), null);
    machine.node.setMalfunctions({});
    delete machine.own().state.networks;
    const lock = { device: 'vm-101', holder: 'somebody', purpose: 'a test' };
    await deviceLockAcquire(queries, { ...lock, held_until: Date.now() + 60_000 }, Date.now());
    await check(machine);
    assert.equal(networks(machine), undefined);
    await deviceLockRelease(queries, lock.device, lock.holder);
    await check(machine);
    assert.deepEqual(networks(machine), first);
    assert.equal(await applied(machine), first.join(','));
  });

  it('are restored if somebody removes them, and reported if the hypervisor cannot', async () => {
    await using machine = await open();
    const { app, service } = machine;
    assert.equal(await check(machine), 0);
    delete machine.own().state.networks;
    const { use } = app.parts.hypervisors;
    const cannot = new ApiError('capability_missing', { message: 'It has no filter.' });
    const failing = { ...app.parts, hypervisors: { ...app.parts.hypervisors, use: unable } };
    async function unable<T>(...[name, work]: Parameters<typeof use<T>>): Promise<T> {
      const setNetworks = (): Promise<void> => Promise.reject(cannot);
      return use(name, (device, waits) => work({ ...device, machines: { ...device.machines, setNetworks } }, waits));
    }
    await app.parts.store.queries.updateTable('nodes').set({ next_look_at: 0 }).execute();
    const { backlog } = await machineSync(failing as typeof app.parts, async () => {}).run(signal());
    assert.equal(backlog, 1);
    const line = (await machineReport(app.parts)).find((each) => each.includes(`service ${service} `));
    assert.match(line!, /No network filter\. It has no filter\.$/);
    assert.equal(await check(machine), 0);
    assert.deepEqual(networks(machine), first);
    const healed = (await machineReport(app.parts)).find((each) => each.includes(`service ${service} `));
    assert.doesNotMatch(healed!, /filter/);
  });

  it('end with the machine, as do its console sessions and tickets', async () => {
    await using machine = await open();
    const { app, service } = machine;
    const { queries } = app.parts.store;
    assert.equal((await machine.v2('POST', 'console')).status, 200);
    assertResult(await machine.v2('GET', 'power'), 'on');
    await machineChange(queries, Number(service), { untidy: 2 });
    assert.equal((await machineTidy(app.parts).run(signal())).backlog, 0);
    assert.equal(machine.own(), undefined);
    const left = await queries
      .selectFrom('console_tickets')
      .selectAll()
      .where('service_id', '=', Number(service))
      .execute();
    assert.deepEqual(left, []);
  });
});
