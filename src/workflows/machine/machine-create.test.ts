// A creation that is abandoned, because its rollback took too long, leaves no machine that nobody knows. No workflow keeps the
// machine of a terminated service from being removed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { machineChange, machineFind } from '#store/devices/machines.ts';
import { workflowAbandon, workflowsRunning } from '#store/work/workflows.ts';
import {
  orderOn,
  reinstallOn,
  startGround,
  startMachine,
  type MachineFixture,
} from '#test/support/machine-fixtures.ts';
import { runToEnd } from '../engine/harness.ts';
import { failed } from '../engine/workflow.ts';
import { creationOf, machineCreate } from './machine-create.ts';
import { machineReinstall } from './machine-reinstall.ts';
import { placementLock } from './placement-lock.ts';

/** A machine of the site file, which nobody ordered, and which may exist. */
async function listOn(ground: MachineFixture) {
  const listed = await orderOn(ground);
  await machineChange(ground.store.queries, ground.service, { install_data: null });
  return listed;
}

async function abandonAfter(ground: MachineFixture, name: string, makeFixture = orderOn): Promise<void> {
  const { queries } = ground.store;
  const record = await runToEnd(machineCreate, await makeFixture(ground), {
    async saved(_direction, step) {
      const [id] = await workflowsRunning(queries, '', 1);
      if (step === name) await workflowAbandon(queries, id!);
    },
  });
  assert.equal(record.status, 'Cancelled');
}

async function rowOf({ store, service }: MachineFixture) {
  const { state, node, untidy } = (await machineFind(store.queries, service))!;
  return { state, node, untidy };
}

test('the machine of an abandoned creation is marked for removal, and the next creation starts again', async () => {
  await using ground = await startGround();
  await abandonAfter(ground, 'start');
  assert.equal(ground.node.machines.get('vm-101')?.state.power, 'on');
  assert.deepEqual(await rowOf(ground), { state: 'pending', node: 'node1', untidy: 1 });
  assert.equal((await runToEnd(machineCreate, await orderOn(ground), {})).status, 'Completed');
  assert.deepEqual(ground.node.events.slice(-3), ['remove vm-101', 'create vm-101', 'power vm-101']);
  assert.deepEqual(await rowOf(ground), { state: 'ready', node: 'node1', untidy: 0 });
});

test('the machine of an abandoned creation stays marked if the next creation fails before removing it', async () => {
  await using ground = await startGround();
  await abandonAfter(ground, 'start');
  const remains = { state: 'pending', node: 'node1', untidy: 1 };
  for (const isPlaced of [true, false]) {
    const record = await runToEnd(machineCreate, await orderOn(ground), {
      [isPlaced ? 'after' : 'before']: async (direction: string) =>
        direction === 'do' ? failed('nothing_free', 'No room.') : undefined,
    });
    assert.equal(record.status, 'Failed');
    assert.deepEqual(await rowOf(ground), remains);
  }
});

test('files that an abandoned creation has left are removed, even if the hypervisor has no such machine', async () => {
  await using ground = await startGround();
  await machineChange(ground.store.queries, ground.service, { node: 'node1', untidy: 1 });
  assert.equal((await runToEnd(machineCreate, await orderOn(ground), {})).status, 'Completed');
  assert.deepEqual(ground.node.events.slice(-3), ['remove vm-101', 'create vm-101', 'power vm-101']);
});

test('a machine that an abandoned creation has found is kept, and adopted by the next one', async () => {
  await using ground = await startMachine();
  await machineChange(ground.store.queries, ground.service, { state: 'pending', node: null });
  await abandonAfter(ground, 'place', listOn);
  assert.deepEqual(await rowOf(ground), { state: 'pending', node: null, untidy: 0 });
  assert.equal((await runToEnd(machineCreate, await listOn(ground), {})).status, 'Completed');
  assert.equal(ground.node.machines.get('vm-101')?.state.current, 'old');
});

test('an order does not get an existing machine with its number, which belongs to somebody else', async () => {
  await using ground = await startMachine();
  const { queries } = ground.store;
  await machineChange(queries, ground.service, { state: 'pending', node: null });
  const order = await orderOn(ground);
  const events = ground.node.events.length;
  let detail: string | undefined;
  await runToEnd(machineCreate, order, {
    async after() {
      detail = (await machineFind(queries, ground.service))?.detail;
      const [id] = await workflowsRunning(queries, '', 1);
      await workflowAbandon(queries, id!);
      return undefined;
    },
  });
  assert.deepEqual(await rowOf(ground), { state: 'pending', node: null, untidy: 0 });
  assert.equal(detail, 'node1: It already has a machine vm-101, which belongs to no service.');
  assert.deepEqual(ground.node.events.slice(events), []);
});

test('the machine of a service that was terminated meanwhile is still removed', async () => {
  await using ground = await startGround();
  const { queries } = ground.store;
  await machineChange(queries, ground.service, { untidy: 2 });
  await abandonAfter(ground, 'make');
  assert.equal((await machineFind(queries, ground.service))?.untidy, 2);
});

test('a machine whose service was terminated during its reinstall is still removed', async () => {
  await using ground = await startMachine();
  const { queries } = ground.store;
  await machineChange(queries, ground.service, { untidy: 2 });
  const { status } = await runToEnd(machineReinstall, await reinstallOn(ground), {});
  assert.equal(status, 'Completed');
  assert.equal((await machineFind(queries, ground.service))?.untidy, 2);
});

test('the chosen hypervisor is recorded with its step, so that an attempt which has lost its job changes nothing', async () => {
  await using ground = await startGround();
  const { queries } = ground.store;
  const seen: unknown[] = [];
  const look = async (step: string): Promise<undefined> => {
    const lock = await deviceLockFind(queries, placementLock, Date.now());
    if (step === 'place') seen.push({ node: (await rowOf(ground)).node, isLocked: lock !== undefined });
  };
  await runToEnd(machineCreate, await orderOn(ground), {
    after: (_direction, step) => look(step),
    saved: (_direction, step) => look(step),
  });
  assert.deepEqual(seen, [
    { node: null, isLocked: true },
    { node: 'node1', isLocked: false },
  ]);
});

test('after a pause of the process, a creation removes no machine that another instance may have made', async () => {
  await using ground = await startMachine();
  const { deps, account, service } = ground;
  const lost = new AbortController();
  let isPaused = false;
  const hypervisors: Hypervisors = {
    ...deps.hypervisors,
    use: (node, work) =>
      deps.hypervisors.use(node, (hypervisor, waits) => {
        const { machines } = hypervisor;
        const find: typeof machines.find = (...call) => machines.find(...call).finally(() => (isPaused = true));
        return work({ ...hypervisor, machines: { ...machines, find } }, waits);
      }),
  };
  const context = {
    deps: { ...deps, hypervisors },
    workflow: 'creation',
    account,
    service,
    now: Date.now(),
    since: Date.now(),
    get signal() {
      if (isPaused) lost.abort(new Error('the job is lost'));
      return lost.signal;
    },
  };
  const { step } = machineCreate.steps.find(({ name }) => name === 'make')!;
  const { input } = await orderOn(ground);
  await assert.rejects(step.do(context, input as never, { place: { node: 'node1', origin: 'new' } } as never));
  assert.equal(ground.node.machines.get('vm-101')?.state.power, 'on');
});

test('only a machine from a backup shows the steps of one', () => {
  const stepsOf = (from_backup: string | null) => creationOf({ from_backup }).steps.map(({ name }) => name);
  assert.deepEqual(stepsOf(null), ['place', 'make', 'start']);
  assert.deepEqual(stepsOf('b1'), ['place', 'fetch-backup', 'make', 'start', 'discard']);
});
