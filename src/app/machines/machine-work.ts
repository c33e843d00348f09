// Starts long work on a machine in the transaction of a call. The machine is locked in the workflow's name in the same
// transaction, so that only one of two concurrent calls succeeds; a machine that is busy rejects the call.
import { lockForWorkflow } from '#equipment/device-command.ts';
import type { Service } from '#store/devices/services.ts';
import type { MachineTarget } from '#workflows/device-steps.ts';
import type { Workflow } from '#workflows/engine/workflow.ts';
import type { Context } from '../app.ts';
import { startServiceWork } from '../services/services.ts';

/** Returns the workflow, which the customer sees as an action. */
export async function startMachineWork<Deps, Input extends MachineTarget>(
  context: Context,
  service: Service,
  workflow: Workflow<Deps, Input, never>,
  input: Input,
): Promise<string> {
  const holder = await startServiceWork(context, service, workflow, input);
  const { name: device, purpose } = input;
  await lockForWorkflow(context.queries, { device, holder, purpose }, context.app.clock.now());
  return holder;
}
