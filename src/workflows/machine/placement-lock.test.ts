import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { machineCopyFind } from '#store/devices/machine-copies.ts';
import { machineFind } from '#store/devices/machines.ts';
import { startGround, type MachineFixture } from '#test/support/machine-fixtures.ts';
import { migrationInput, startMigration } from '#test/support/migration-fixtures.ts';
import type { MachineContext, MachineDeps } from '../device-steps.ts';
import { machineCreate } from './machine-create.ts';
import { reserveTarget } from './migration-target.ts';
import { lockPlacement, placementLock, unlockPlacement } from './placement-lock.ts';

function contextOf({ deps }: MachineFixture, workflow: string): MachineContext {
  return { deps, workflow, signal: AbortSignal.timeout(60_000) } as Partial<MachineContext> as MachineContext;
}

/** Another workflow acquires the lock, which has expired, while the hypervisors are asked. */
function contextOfLoser(ground: MachineFixture): MachineContext {
  const { deps } = ground;
  const use: MachineDeps['hypervisors']['use'] = async (...call) => {
    await ground.store.queries.updateTable('device_locks').set({ holder: 'other' }).execute();
    return deps.hypervisors.use(...call);
  };
  const hypervisors = Object.assign(Object.create(deps.hypervisors) as typeof deps.hypervisors, { use });
  return { ...contextOf(ground, 'first'), deps: { ...deps, hypervisors } };
}
const lostLock = /another machine was placed before/;

test('a migration that has lost the lock reserves nothing', async () => {
  await using ground = await startMigration();
  const context = contextOfLoser(ground);
  await assert.rejects(reserveTarget(context, { ...migrationInput(ground, 'cold'), target: null }), lostLock);
  assert.equal(await machineCopyFind(ground.store.queries, 'first'), undefined);
});

test('a creation that has lost the lock places nothing', async () => {
  await using ground = await startGround();
  const input = { service: ground.service, name: 'vm-101', hostname: 'vps1.example.net', addresses: [] };
  const placed = await machineCreate.steps[0]!.step.do(contextOfLoser(ground), input as never, {} as never);
  const record = placed.kind === 'done' ? placed.write : undefined;
  await assert.rejects(ground.store.transaction(record!), lostLock);
  assert.equal((await machineFind(ground.store.queries, ground.service))!.node, null);
});

test('a machine is placed as soon as another one has been', async () => {
  await using ground = await startGround();
  const { queries } = ground.store;
  const [first, second] = [contextOf(ground, 'first'), contextOf(ground, 'second')];
  assert.equal(await lockPlacement(first, 'a test'), undefined);
  const turn = lockPlacement(second, 'a test');
  await unlockPlacement(queries, first);
  assert.equal(await turn, undefined);
  assert.equal((await deviceLockFind(queries, placementLock, Date.now()))?.holder, 'second');
});

test('a workflow gives up its turn to others if a placement takes longer', async () => {
  await using ground = await startGround();
  const { queries } = ground.store;
  assert.equal(await lockPlacement(contextOf(ground, 'first'), 'a test'), undefined);
  assert.equal((await lockPlacement(contextOf(ground, 'second'), 'a test'))?.kind, 'wait');
  assert.equal((await deviceLockFind(queries, placementLock, Date.now()))?.holder, 'first');
});
