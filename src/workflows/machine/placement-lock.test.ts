import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { startGround, type MachineFixture } from '#test/support/machine-fixtures.ts';
import type { MachineContext } from '../device-steps.ts';
import { lockPlacement, placementLock, unlockPlacement } from './placement-lock.ts';

function contextOf({ deps }: MachineFixture, workflow: string): MachineContext {
  return { deps, workflow } as Partial<MachineContext> as MachineContext;
}

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
