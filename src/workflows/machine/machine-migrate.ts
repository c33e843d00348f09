// Moves a virtual machine to another hypervisor, while it runs if both can, otherwise off. It belongs to its old hypervisor until
// it runs on the new one: `machines.node` changes in the transaction that records that. It never runs on both, and unknown is
// not off: nothing starts on one side before the other is known to be off. The old copy is removed afterwards by
// reconcilers/machine-tidy.ts, because that cannot be undone. Within a cluster, which counts as one hypervisor, the cluster moves it.
import { appendEvent } from '#events/append.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import {
  lockLimit,
  machineAskStep,
  machineDevice,
  machineLockStep,
  machineOffStep,
  toStepResult,
  useHypervisor,
  type MachineDeps,
} from '../device-steps.ts';
import { done, failed, workflow, type Settled } from '../engine/workflow.ts';
import { copyLimit } from './machine-copy.ts';
import {
  abandonCopy,
  copyCold,
  downtimeOf,
  findObstacle,
  moveLive,
  moveToMember,
  planMove,
  removeCopy,
  startOnMember,
  startThere,
  stopThere,
  undoLive,
  waitForMember,
  type MachineMigrateInput,
  type MigrationPlan,
} from './migration-steps.ts';
import { reserveTarget } from './migration-target.ts';

const placeLimitMs = 600_000;

export const machineMigrate = workflow<MachineDeps, MachineMigrateInput>('machine-migrate', 1)
  .step('lock', machineLockStep)
  .step('look', {
    do: (context, input) =>
      toStepResult(context, async () => {
        const was = await machineDevice(context, input).state();
        const obstacle = await findObstacle(context, input);
        if (obstacle !== undefined) return failed('state_conflict', obstacle);
        // Only the current system moves.
        await useHypervisor(context, input.node, ({ systems }, limit) => systems.tidy(input.name, limit));
        return done({ was });
      }),
    undo: 'nothing',
  })
  .step('place', {
    do: (context, input) =>
      toStepResult(context, () => context.deps.hypervisors.placing(() => reserveTarget(context, input))),
    undo: async (context) => done(undefined, (queries) => abandonCopy(queries, context.workflow)),
    limit: lockLimit(placeLimitMs),
  })
  .step('plan', {
    do: (context, input, { look, place }) =>
      toStepResult(context, () => planMove(context, input, look.was, place.target)),
    undo: 'nothing',
  })
  .step('move', {
    do: (context, input, { plan }) => (plan.mode === 'live' ? moveLive(context, input, plan) : settle()),
    undo: (context, input, { plan }) => (plan?.mode === 'live' ? undoLive(context, input, plan) : settle()),
    limit: copyLimit,
  })
  .step('ask', {
    do: (context, input, saved) => (isCold(saved) ? machineAskStep.do(context, input, saved) : settle()),
    undo: (context, input, saved) => (isCold(saved) ? machineAskStep.undo(context, input, saved) : settle()),
  })
  .step('off', {
    do: (context, input, saved) => (isCold(saved) ? machineOffStep.do(context, input) : settle()),
    undo: 'nothing',
    limit: machineOffStep.limit,
  })
  .step('copy', {
    do: (context, input, saved) => {
      if (input.member !== undefined) return moveToMember(context, input, input.member);
      return isCold(saved) ? copyCold(context, input, saved.plan) : settle();
    },
    undo: async (context, input, { plan }) => {
      if (plan?.mode === 'cold' && input.member !== undefined) return waitForMember(context, input);
      if (plan?.mode === 'cold') await removeCopy(context, input, plan.target);
      return done();
    },
    limit: copyLimit,
  })
  .step('start', {
    do: (context, input, saved) =>
      toStepResult(context, async () => {
        const { member } = input;
        if (member !== undefined) return startOnMember(context, input, member, saved.look.was);
        return isCold(saved) ? startThere(context, input, saved.plan, saved.look.was) : done();
      }),
    undo: (context, input, { plan }) =>
      plan?.mode === 'cold' && input.member === undefined ? stopThere(context, input, plan) : settle(),
  })
  .onEnd(async (queries, { workflow: holder, input, outcome, account, reason, saved }, deps) => {
    const { service, name } = input;
    await abandonCopy(queries, holder);
    await reconcilerSignal(queries, 'machine-tidy');
    await reconcilerSignal(queries, 'machine-addresses');
    await deviceLockRelease(queries, name, holder);
    // Without a plan the customer does not know of it.
    if (saved.plan === undefined) return;
    const downtime = downtimeOf(saved.plan, saved.look!.was);
    const event =
      outcome === 'Completed'
        ? ({ type: 'device.migration.completed', data: { downtime } } as const)
        : ({ type: 'device.migration.failed', data: { reason: outcome === 'Failed' ? reason : '' } } as const);
    await appendEvent(deps, queries, { account, service, ...event });
  });

function isCold(saved: { readonly plan?: MigrationPlan }): boolean {
  return saved.plan?.mode === 'cold';
}

async function settle(): Promise<Settled<undefined>> {
  return done();
}
