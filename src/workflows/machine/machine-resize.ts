// Changes the size of a virtual machine, and its plan with it. If the machine has to be off for that, it shuts down and starts
// again, and must stay on for a while; otherwise it gets its old size back. The price changes only when all is done.
import type { MachineSize } from '#drivers/hypervisor/driver.ts';
import { appendEvent } from '#events/append.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { machineSizeSet } from '#store/devices/machines.ts';
import type { Queries } from '#store/store.ts';
import {
  deviceLimit,
  machineAskStep,
  machineDevice,
  machineLockStep,
  machineOffStep,
  onAgainStep,
  toStepResult,
  undoWithRetry,
  useHypervisor,
  type MachineContext,
  type MachineDeps,
  type MachineTarget,
} from '../device-steps.ts';
import { done, failed, wait, workflow, type StepResult } from '../engine/workflow.ts';

export type PlanTerms = Readonly<Record<string, string | number | null>>;

/** Supplied by the app, which knows plans. */
export interface MachinePlanActions {
  /** Changes the terms of the service to those of the plan at the start of the resize. */
  change(queries: Queries, service: number, terms: PlanTerms): Promise<void>;
}
export interface ResizeDeps extends MachineDeps {
  readonly machinePlans: MachinePlanActions;
}

export interface MachineResizeInput extends MachineTarget {
  readonly from: MachineSize;
  readonly to: MachineSize;
  readonly bandwidthGb: number;
  readonly plan: string;
  readonly previousPlan: string;
  readonly terms: PlanTerms;
  readonly graceMs: number;
}

/** How long the machine must stay on. */
const stayMs = 15_000;
const pollMs = 1000;
const resizeTimeoutMs = 5 * 60_000;

export const machineResize = workflow<ResizeDeps, MachineResizeInput>('machine-resize', 1)
  .step('lock', machineLockStep)
  .step('look', {
    do: (context, input) =>
      toStepResult(context, async () => {
        const isLive = await useHypervisor(context, input.node, async ({ machines }) => machines.resizesLive);
        // A machine that is not touched counts as off.
        return done({ was: isLive ? ('off' as const) : await machineDevice(context, input).state(), isLive });
      }),
    undo: 'nothing',
  })
  .step('ask', machineAskStep)
  .step('off', {
    ...machineOffStep,
    do: async (context, input, { look }) => (look.isLive ? done() : machineOffStep.do(context, input)),
  })
  .step('resize', {
    do: (context, input) => toStepResult(context, () => resize(context, input, input.to)),
    undo: (context, input, { look }) =>
      undoWithRetry(context, input, async () => {
        if (look === undefined) return done();
        if (!look.isLive) await machineDevice(context, input).set('off');
        return resize(context, input, input.from);
      }),
  })
  .step('on', onAgainStep)
  .step('confirm', {
    do: (context, input, { look }) =>
      toStepResult(context, async (): Promise<StepResult<undefined>> => {
        if (look.was === 'off') return done();
        if ((await machineDevice(context, input).state()) === 'off')
          return failed('node_error', 'The machine did not stay on at its new size and is back at its old one.');
        return context.now - context.since < stayMs ? wait(pollMs) : done();
      }),
    undo: 'nothing',
    limit: deviceLimit(2 * stayMs, 'node_unreachable'),
  })
  .onEnd(async (queries, { workflow: holder, input, outcome, account, reason }, deps) => {
    const { service, name, plan, previousPlan, terms, to, bandwidthGb } = input;
    const data = { plan, previous: previousPlan };
    if (outcome !== 'Completed') {
      await deviceLockRelease(queries, name, holder);
      const failure = { type: 'machine.resize.failed', data: { ...data, reason } } as const;
      return appendEvent(deps, queries, { account, service, ...failure });
    }
    // It locks the account, which calls also lock before the machine: in the other order, each could wait for the other.
    await deps.machinePlans.change(queries, service, terms);
    await deviceLockRelease(queries, name, holder);
    await machineSizeSet(queries, service, {
      vcpus: to.vcpus,
      memory_mb: to.memoryMb,
      disk_gb: to.diskGb,
      bandwidth_gb: bandwidthGb,
    });
    await appendEvent(deps, queries, { account, service, type: 'service.plan.changed', data });
    return appendEvent(deps, queries, { account, service, type: 'machine.resize.completed', data });
  });

async function resize(context: MachineContext, { node, name }: MachineTarget, size: MachineSize) {
  await useHypervisor(context, node, ({ machines }, limit) => machines.resize(name, size, limit), resizeTimeoutMs);
  return done();
}
