// What the harness cannot tell of the power cycle: who may command a device whose cycle is being undone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLog } from '#kernel/log.ts';
import type { Jobs } from '#jobs/jobs.ts';
import { deviceLockFind, deviceLockRelease, deviceLockTake } from '#store/devices/device-locks.ts';
import { workflowLoad } from '#store/work/workflows.ts';
import { makePoweredServer } from '#test/support/scenarios.ts';
import { powerCycle } from './power-cycle.ts';
import { runWorkflow, startWorkflow, type Boundaries } from './runner.ts';
import { failed } from './workflow.ts';

const nothing = async (): Promise<undefined> => undefined;

for (const [whose, power] of [
  ['its own', 'on'],
  ['somebody else’s', 'off'],
] as const) {
  test(`a device whose lock is ${whose} when a cycle is undone ends ${power}`, async () => {
    await using world = await makePoweredServer();
    const { store, deps, input, account, service } = world;
    const clock = { now: Date.now };
    const lock = { device: input.server, holder: 'somebody', purpose: 'power off', held_until: Date.now() + 60_000 };
    const jobs = { enqueue: async () => '' } as Partial<Jobs> as Jobs;
    const parts = { store, clock, jobs, deps, log: makeLog('silent'), workflows: [powerCycle] };
    const start = { account, service, operation: 'test', input: { ...input, offMs: 0 } };
    const id = await store.transaction((queries) => startWorkflow(parts, queries, powerCycle, start));
    const boundaries: Boundaries = {
      before: async (direction, step) => {
        if (direction === 'do') return step === 'on' ? failed('bmc_unreachable', 'silent') : undefined;
        if (step !== 'off') return undefined;
        await deviceLockRelease(store.queries, input.server, id);
        if (whose !== 'its own') await deviceLockTake(store.queries, lock, Date.now());
        return undefined;
      },
      after: async (direction, step) => {
        const held = await deviceLockFind(store.queries, input.server, Date.now());
        if (direction === 'undo' && step === 'off') assert.equal(held?.holder, whose === 'its own' ? id : 'somebody');
        return undefined;
      },
      saved: nothing,
    };
    const fence = store.transaction.bind(store);
    const job = { id: '', attempt: 1, payload: { id }, signal: new AbortController().signal };
    await runWorkflow(parts, { ...job, publish: fence, complete: fence }, boundaries);
    assert.equal((await workflowLoad(store.queries, id))!.status, 'Failed');
    assert.deepEqual(await world.look(), { power, locked: whose !== 'its own' });
  });
}
