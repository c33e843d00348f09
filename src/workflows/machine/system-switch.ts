// The steps that switch a machine to a system that was built alongside the current one, so that a rollback returns to the old one.
import type { PowerState } from '#drivers/bmc/driver.ts';
import {
  machineDevice,
  toStepResult,
  undoWithRetry,
  useHypervisor,
  type MachineContext,
  type MachineTarget,
} from '../device-steps.ts';
import { done, failed, type Settled } from '../engine/workflow.ts';

interface SystemBefore {
  readonly look: { readonly was: PowerState; readonly system: string };
}

/** Named after the workflow, so that a retry after a crash finds it. */
export function newSystemId(workflow: string): string {
  return `s-${workflow}`;
}

/** Saves what the machine boots and whether it is on. Leftovers of an earlier switch would take the disk space of this one. */
export const lookStep = {
  do: (context: MachineContext, input: MachineTarget) =>
    toStepResult(context, async () => {
      const { node, name } = input;
      const was = await machineDevice(context, input).state();
      await useHypervisor(context, node, ({ systems }, limit) => systems.tidy(name, limit));
      const system = await useHypervisor(context, node, ({ systems }, limit) => systems.current(name, limit));
      return done({ was, system });
    }),
  undo: 'nothing',
} as const;

export const useStep = {
  do: (context: MachineContext, input: MachineTarget) =>
    toStepResult(context, () => useSystem(context, input, newSystemId(context.workflow))),
  undo: (context: MachineContext, input: MachineTarget, { look }: Partial<SystemBefore>) =>
    undoWithRetry(context, input, async () => {
      if (look === undefined) return done();
      await machineDevice(context, input).set('off');
      return useSystem(context, input, look.system);
    }),
};

/** Removes the system that was built, if it is not in use. */
export function undoBuild(context: MachineContext, input: MachineTarget) {
  return undoWithRetry(context, input, async () => {
    await useHypervisor(context, input.node, ({ systems }, limit) => systems.tidy(input.name, limit));
    return done();
  });
}

export const confirmStep = {
  do: (context: MachineContext, input: MachineTarget, { look }: SystemBefore) =>
    toStepResult(context, () =>
      confirmSystem(context, input, look.was, 'The machine is not running the restored system.'),
    ),
  undo: 'nothing',
} as const;

/** Fails with the reason if the machine has not switched to the new system, or its power is not the expected. */
export async function confirmSystem(
  context: MachineContext,
  { node, name }: MachineTarget,
  expected: PowerState,
  reason: string,
): Promise<Settled<undefined>> {
  const [current, state] = await useHypervisor(context, node, async ({ systems, power }, limit) => [
    await systems.current(name, limit),
    await power.state(name, limit),
  ]);
  const isSwitched = current === newSystemId(context.workflow) && state === expected;
  return isSwitched ? done() : failed('node_error', reason);
}

async function useSystem(
  context: MachineContext,
  { node, name }: MachineTarget,
  system: string,
): Promise<Settled<undefined>> {
  await useHypervisor(context, node, ({ systems }, limit) => systems.use(name, system, limit));
  return done();
}
