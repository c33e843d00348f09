// Not covered by the harness: who may command a server whose power cycle is being undone or was abandoned, and the rescue system.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#lib/log.ts';
import type { Queue } from '#queue/queue.ts';
import { deviceLockFind, deviceLockRelease, deviceLockAcquire } from '#store/devices/device-locks.ts';
import { reloadInsert, reloadLoad, reloadMove } from '#store/devices/reloads.ts';
import { workflowLoad } from '#store/work/workflows.ts';
import { makePoweredServer } from '#test/support/scenarios.ts';
import { powerCycle } from './power-cycle.ts';
import { noBoundaries, type Boundaries } from '../engine/boundaries.ts';
import { runToEnd } from '../engine/harness.ts';
import { runWorkflow, startWorkflow } from '../engine/runner.ts';
import { failed, wait } from '../engine/workflow.ts';

for (const [whose, power] of [
  ['its own', 'on'],
  ["another command's", 'off'],
] as const) {
  test(`a server whose lock is ${whose} when its power cycle is undone ends ${power}`, async () => {
    await using fixture = await makePoweredServer();
    const { store, deps, input, account, service } = fixture;
    const clock = { now: Date.now };
    const lock = { device: input.server, holder: 'another', purpose: 'a power-off', held_until: Date.now() + 60_000 };
    const queue = { enqueue: async () => '' } as Partial<Queue> as Queue;
    const parts = { store, clock, queue, deps, log: createLog('silent'), workflows: [powerCycle] };
    const start = { account, service, operation: 'test', input: { ...input, offMs: 0 } };
    const id = await store.transaction((queries) => startWorkflow(parts, queries, powerCycle, start));
    const boundaries: Boundaries = {
      ...noBoundaries,
      before: async (direction, step) => {
        if (direction === 'do') return step === 'on' ? failed('bmc_unreachable', 'silent') : undefined;
        if (step !== 'off') return undefined;
        await deviceLockRelease(store.queries, input.server, id);
        if (whose !== 'its own') await deviceLockAcquire(store.queries, lock, Date.now());
        return undefined;
      },
      after: async (direction, step) => {
        const held = await deviceLockFind(store.queries, input.server, Date.now());
        if (direction === 'undo' && step === 'off') assert.equal(held?.holder, whose === 'its own' ? id : 'another');
        return undefined;
      },
    };
    const fence = store.transaction.bind(store);
    const job = { id: '', attempt: 1, payload: { id }, signal: new AbortController().signal };
    await runWorkflow(parts, { ...job, publish: fence, complete: fence }, boundaries);
    assert.equal((await workflowLoad(store.queries, id))!.status, 'Failed');
    assert.deepEqual(await fixture.observe(), { power, locked: whose !== 'its own' });
  });
}

test('a server whose power cycle is given up is no longer locked', async () => {
  await using fixture = await makePoweredServer();
  const { status } = await runToEnd(powerCycle, fixture, {
    before: async (direction, step) => {
      if (direction === 'undo') return wait(Number.MAX_SAFE_INTEGER / 2);
      return step === 'on' ? failed('bmc_unreachable', 'silent') : undefined;
    },
  });
  assert.equal(status, 'Failed');
  assert.deepEqual(await fixture.observe(), { power: 'off', locked: false });
});

test('a power cycle ends the rescue system in the transaction in which it completes', async () => {
  await using fixture = await makePoweredServer();
  const { queries } = fixture.store;
  const { account: account_id, service, input } = fixture;
  const id = 'rescue';
  const secrets = { secret_hash: id, password_hash: null, new_password: null, ssh_keys: '[]' };
  const boot = { id, account_id, service_id: service!, server: input.server, kind: 'rescue', created_at: 1 } as const;
  await reloadInsert(queries, { ...boot, ...secrets, system: JSON.stringify({ name: 'Rescue', value: 'rescue' }) });
  for (const status of ['Booting', 'Active'] as const) await reloadMove(queries, id, status);
  await runToEnd(powerCycle, { ...fixture, input: { ...input, rescue: id } }, {});
  assert.equal((await reloadLoad(queries, id))!.status, 'Completed');
});
