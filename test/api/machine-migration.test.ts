// Staff move machines between hypervisors and evacuate one. Whatever fails, the machine runs on its old hypervisor, and never on both.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { continueEvacuations } from '#app/machines/evacuation.ts';
import { waitForMachines } from '#app/site/machines.ts';
import { startLabHypervisor, type LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import type { Methods } from '#sdk/operator.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { machineCopiesRunning } from '#store/devices/machine-copies.ts';
import { machineFind } from '#store/devices/machines.ts';
import { workflowLoad, workflowsOfService } from '#store/work/workflows.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { listEvents } from '#test/support/event-stream.ts';
import { machineSite, smallMachine } from '#test/support/machine-site.ts';
import { asOperator, operatorResult } from '#test/support/operators.ts';
import { request, requestResult, type ErrorResult } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';

const token = 'secret-enough';
const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const signal = (): AbortSignal => AbortSignal.timeout(60_000);

// One after the other, because they share hypervisors.
describeOnEngines('migration of machines', { postgres: 'in long runs', concurrency: 1 }, ({ owned, openApp }) => {
  let app: TestApp;
  let key: string;
  let one: LabHypervisor;
  let two: LabHypervisor;
  before(async () => {
    const start = async () => owned.use(await startLabHypervisor({ token, timing, memoryMb: 1600 }));
    [one, two] = [await start(), await start()];
    const nodes = [one, two].map(({ address, port }, index) => ({
      name: `node${index + 1}`,
      driver: 'lab',
      settings: { address, port, token },
    }));
    const pinned = { ...smallMachine, node: 'node1' };
    const { site, key: own } = machineSite(nodes, [pinned, pinned, { ...pinned, memoryMb: 256 }]);
    key = own;
    app = await openApp({ worksOffJobs: true, site });
    await waitForMachines(app.parts, 60_000);
  });

  const powers = (name: string) => [one, two].map((node) => node.machines.get(name)?.state.power);
  const nodeOf = async (service: number) => (await machineFind(app.parts.store.queries, service))?.node;
  const migrate = async (device: string, params: object = {}) =>
    (await operatorResult<{ action: string }>(app, 'POST', 'machine/migrate', { device, ...params })).action;
  const ended = async (id: string) => {
    const load = async () => (await workflowLoad(app.parts.store.queries, id))!;
    await until(async () => (await load()).ended_at !== null, { saw: async () => JSON.stringify(await load()) });
    return load();
  };
  const tidy = () => machineTidy(app.parts).run(signal());
  const rejection = async (method: string, path: string, params: object) =>
    (await asOperator(app, method, path, { ...params })).status;

  it('moves a running machine without a stop, and removes what it left', async () => {
    const { status } = await ended(await migrate('vm-101'));
    assert.equal(status, 'Completed');
    assert.deepEqual(powers('vm-101'), ['off', 'on']);
    assert.equal(await nodeOf(2001), 'node2');
    assert.ok(!one.events.slice(-5).includes('shutdown vm-101'));
    await tidy();
    assert.deepEqual(powers('vm-101'), [undefined, 'on']);
    assert.deepEqual(two.machines.get('vm-101')!.state.networks, ['10.64.0.0/32']);
    const events = await listEvents(app, key);
    const own = events.filter(({ type }) => type.startsWith('device.migration'));
    assert.deepEqual(
      own.map(({ type, data }) => [type, data]),
      [
        ['device.migration.started', { downtime: 'none' }],
        ['device.migration.completed', { downtime: 'none' }],
      ],
    );
    // Commands reach it on its new hypervisor.
    const form = { vmid: '101', action: 'off' };
    assert.equal((await request(app, 'POST', '/vps/power', { key, form })).status, 200);
    await until(() => powers('vm-101')[1] === 'off');
  });

  it('copies a machine that is off with its volumes, and keeps it off', async () => {
    const params = { service: '2001', name: 'data', size: '5' };
    const volume = await requestResult<{ id: string }>(app, 'POST', '/v2/machine/volume', { key, params });
    await until(() => two.volumes[`vol-${volume.id}`]?.machine === 'vm-101');
    await until(async () => (await workflowsOfService(app.parts.store.queries, 2001)).length === 0);
    const { status } = await ended(await migrate('vm-101', { target: 'node1' }));
    assert.equal(status, 'Completed');
    assert.deepEqual(powers('vm-101'), ['off', 'off']);
    assert.equal(await nodeOf(2001), 'node1');
    await tidy();
    assert.deepEqual(powers('vm-101'), ['off', undefined]);
    assert.deepEqual(
      [one, two].map(({ volumes }) => volumes),
      [{ [`vol-${volume.id}`]: { sizeGb: 5, machine: 'vm-101' } }, {}],
    );
  });

  it('removes the old copy of a volume that was detached before the old hypervisor responded', async () => {
    await ended(await migrate('vm-101', { target: 'node2' }));
    const [name = ''] = Object.keys(two.volumes);
    await request(app, 'POST', '/v2/machine/volume/detach', { key, params: { id: name.slice('vol-'.length) } });
    await until(async () => (await workflowsOfService(app.parts.store.queries, 2001)).length === 0);
    await tidy();
    assert.deepEqual(
      [one, two].map(({ volumes }) => volumes),
      [{}, { [name]: { sizeGb: 5 } }],
    );
    await ended(await migrate('vm-101', { target: 'node1' }));
    await tidy();
  });

  it('leaves the machine running on its hypervisor if the target disappears in the middle', async () => {
    two.setMalfunctions({ crashesAt: 'copy' });
    const id = await migrate('vm-102', { mode: 'cold' });
    await until(() => two.events.includes('copy vm-102'));
    // Longer than the machine waits for the target while it is off.
    app.pass(120_000);
    const { status, error_code } = await ended(id);
    assert.deepEqual([status, error_code], ['Failed', 'node_unreachable']);
    assert.equal(powers('vm-102')[0], 'on');
    assert.equal(await nodeOf(2002), 'node1');
    two.setMalfunctions({});
    app.pass(60_000);
    await tidy();
    assert.deepEqual(powers('vm-102'), ['on', undefined]);
  });

  it('starts nothing on the old hypervisor while it is unknown whether the machine runs on the new one', async () => {
    two.setMalfunctions({ crashesAt: 'power' });
    const id = await migrate('vm-102', { mode: 'cold' });
    await until(() => two.machines.get('vm-102')?.state.power === 'on');
    await until(async () => (await workflowLoad(app.parts.store.queries, id))?.direction === 'back');
    app.pass(60_000);
    assert.equal(powers('vm-102')[0], 'off');
    assert.ok(await deviceLockFind(app.parts.store.queries, 'vm-102', app.parts.clock.now()));
    two.setMalfunctions({});
    await until(async () => {
      app.pass(20_000);
      return (await workflowLoad(app.parts.store.queries, id))?.ended_at !== null;
    });
    assert.deepEqual(powers('vm-102'), ['on', undefined]);
    assert.equal(await nodeOf(2002), 'node1');
  });

  it('rejects targets that cannot take the machine', async () => {
    assert.equal(await rejection('POST', 'machine/migrate', { device: 'vm-102', target: 'node9' }), 400);
    assert.equal(await rejection('POST', 'machine/migrate', { device: 'vm-102', target: 'node1' }), 409);
    assert.equal(await rejection('POST', 'machine/migrate', { device: 'vm-999' }), 404);
    assert.equal(await rejection('DELETE', 'machine/migrate', { device: 'vm-102' }), 409);
    await operatorResult(app, 'PUT', 'node/maintenance', { name: 'node2', enabled: 'true', reason: 'new fans' });
    assert.equal(await rejection('POST', 'machine/migrate', { device: 'vm-102', target: 'node2' }), 409);
    const { status, error_reason } = await ended(await migrate('vm-102'));
    assert.deepEqual([status, error_reason], ['Failed', 'No other hypervisor can take the machine.']);
    // The site file does not end maintenance.
    await applySite(app.parts, app.site);
    const node = await operatorResult<Awaited<ReturnType<Methods['nodeGet']>>>(app, 'GET', 'node/node2');
    assert.deepEqual([node.maintenancereason, node.evacuation], ['new fans', 'none']);
    await operatorResult(app, 'PUT', 'node/maintenance', { name: 'node2', enabled: 'false' });
    assert.equal(await rejection('PUT', 'node/maintenance', { name: 'node2', enabled: 'true' }), 400);
  });

  it('leaves a machine alone whose hypervisor shares its storage with the target', async () => {
    await tidy();
    two.setMalfunctions({ hasFilesOf: 'vm-102' });
    const before = two.events.length;
    const { status, error_reason } = await ended(await migrate('vm-102'));
    assert.equal(status, 'Failed');
    assert.match(error_reason ?? '', /^The storage of hypervisor node2 has files of vm-102\./);
    await tidy();
    assert.deepEqual(two.events.slice(before), []);
    assert.deepEqual(powers('vm-102'), ['on', undefined]);
    two.setMalfunctions({});
  });

  it('never moves two machines of a group to one hypervisor, even at the same time', async () => {
    const params = { name: 'database' };
    const { id: group } = await requestResult<{ id: string }>(app, 'POST', '/v2/machine/group', { key, params });
    const setGroup = (group_id: number | null) =>
      app.parts.store.queries.updateTable('machines').set({ group_id }).where('vmid', '>', 101).execute();
    await setGroup(Number(group));
    two.setMalfunctions({ buildMs: 60_000 });
    const first = await migrate('vm-102', { mode: 'cold' });
    await until(async () => (await machineCopiesRunning(app.parts.store.queries)).length === 1);
    const { status, error_reason } = await ended(await migrate('vm-103'));
    const reason = 'No other hypervisor without another machine of its group can take the machine.';
    assert.deepEqual([status, error_reason], ['Failed', reason]);
    const chosen = { device: 'vm-103', target: 'node2' };
    const refused = await asOperator<ErrorResult>(app, 'POST', 'machine/migrate', chosen);
    assert.equal(refused.status, 409);
    assert.match(refused.body.result.message, /a machine of the same group/);
    await operatorResult(app, 'DELETE', 'machine/migrate', { device: 'vm-102' });
    await ended(first);
    two.setMalfunctions({});
    await setGroup(null);
  });

  it('keeps the machine locked, however long it is copied', async () => {
    const { queries } = app.parts.store;
    for (const mode of ['cold', 'live']) {
      two.setMalfunctions({ buildMs: 60_000 });
      const id = await migrate('vm-102', { mode });
      const progressSince = async (at: number) => ((await machineCopiesRunning(queries))[0]?.progress_at ?? 0) > at;
      for (let minutes = 0; minutes < 60; minutes += 20) {
        const at = app.parts.clock.now();
        await until(() => progressSince(at));
        app.pass(20 * 60_000);
      }
      assert.equal((await deviceLockFind(queries, 'vm-102', app.parts.clock.now()))?.holder, id);
      await operatorResult(app, 'DELETE', 'machine/migrate', { device: 'vm-102' });
      await ended(id);
      two.setMalfunctions({});
      await tidy();
    }
  });

  it('does not take a machine that was asked to shut down for off because its old copy is', async () => {
    one.setMalfunctions({ ignoresShutdown: true });
    const params = { service: '2003' };
    assert.equal((await request(app, 'POST', '/v2/device/shutdown', { key, params })).status, 200);
    const [shutdown] = await workflowsOfService(app.parts.store.queries, 2003);
    assert.equal((await ended(await migrate('vm-103', { mode: 'live' }))).status, 'Completed');
    assert.deepEqual(powers('vm-103'), ['off', 'on']);
    app.pass(6 * 60_000);
    const { status, error_code } = await ended(shutdown!.id);
    assert.deepEqual([status, error_code], ['Failed', 'state_conflict']);
    one.setMalfunctions({});
    await ended(await migrate('vm-103', { target: 'node1' }));
    await tidy();
  });

  it('shows progress, and can be cancelled', async () => {
    two.setMalfunctions({ buildMs: 60_000 });
    const id = await migrate('vm-102', { mode: 'cold' });
    const read = async () =>
      (await operatorResult<Awaited<ReturnType<Methods['migrationList']>>>(app, 'GET', 'machine/migration'))[0]!;
    await until(async () => (await read()).percent !== '', { saw: async () => JSON.stringify(await read()) });
    const { device, source, target, mode, status } = await read();
    assert.deepEqual([device, source, target, mode, status], ['vm-102', 'node1', 'node2', 'cold', 'Running']);
    // The machine belongs to its hypervisor, and the reconciler leaves its power to the migration.
    await machineSync(app.parts, async () => {}).run(signal());
    await operatorResult(app, 'DELETE', 'machine/migrate', { device: 'vm-102' });
    assert.equal((await ended(id)).status, 'Cancelled');
    assert.deepEqual(powers('vm-102'), ['on', undefined]);
    two.setMalfunctions({});
  });

  it('evacuates a hypervisor, the largest machines first, and reports what cannot move', async () => {
    const read = () =>
      operatorResult<Awaited<ReturnType<Methods['nodeEvacuationGet']>>>(app, 'GET', 'node/node1/evacuation');
    await operatorResult(app, 'POST', 'node/evacuate', { name: 'node1', reason: 'a new board' });
    assert.equal(await rejection('POST', 'node/evacuate', { name: 'node1', reason: 'again' }), 409);
    await until(async () => {
      await continueEvacuations(app.parts, signal());
      return (await read()).state === 'ended';
    });
    const { machines } = await read();
    assert.deepEqual(machines, []);
    for (const name of ['vm-101', 'vm-102', 'vm-103']) assert.notEqual(powers(name)[1], undefined);
    await tidy();
    assert.equal(one.machines.size, 0);
    const firstCopies = ['vm-101', 'vm-102', 'vm-103'].map((name) => two.events.lastIndexOf(`copy ${name}`));
    assert.ok(firstCopies[2]! > Math.min(firstCopies[0]!, firstCopies[1]!), 'the smallest was not last');
    // Back again: the first one is too small now.
    await operatorResult(app, 'PUT', 'node/maintenance', { name: 'node1', enabled: 'false' });
    one.setMalfunctions({ isDiskFull: true });
    await operatorResult(app, 'POST', 'node/evacuate', { name: 'node2', reason: 'the next board' });
    await until(async () => {
      await continueEvacuations(app.parts, signal());
      const { state } = await operatorResult<{ state: string }>(app, 'GET', 'node/node2/evacuation');
      return state === 'ended';
    });
    const left = await operatorResult<Awaited<ReturnType<Methods['nodeEvacuationGet']>>>(
      app,
      'GET',
      'node/node2/evacuation',
    );
    assert.deepEqual(
      left.machines.map(({ device, state }) => [device, state]),
      [
        ['vm-101', 'failed'],
        ['vm-102', 'failed'],
        ['vm-103', 'failed'],
      ],
    );
    assert.match(left.machines[0]!.reason, /No other hypervisor has 512 MB of memory and 10 GB of disk left/);
    assert.equal(await rejection('DELETE', 'node/evacuate', { name: 'node2' }), 409);
    one.setMalfunctions({});
  });
});
