// Staff provision a service for a customer, and retry the creation of its machine.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { serviceOperator } from '#contract/operator/service.ts';
import type { ServiceWork } from '#contract/shapes/operator-service.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { serviceLoad } from '#store/devices/services.ts';
import { workflowRunning } from '#store/work/workflows.ts';
import { machineCreate } from '#workflows/machine/machine-create.ts';
import { retryWorkflow } from '#workflows/engine/runner.ts';
import { orderedSize } from '../pricing/plan-machine.ts';
import { findPlan } from '../pricing/plans.ts';
import { requireAvailableServer } from '../servers/reclaims.ts';
import { provisionService } from '../services/provision.ts';
import { ensureMachine } from '../site/machines.ts';
import type { Context } from '../app.ts';
import { lockCustomer } from './accounts.ts';

export type StaffOrder = InputOf<typeof serviceOperator.serviceProvision>;

export async function serviceProvision(context: Context, order: StaffOrder): Promise<Static<typeof ServiceWork>> {
  const { queries } = context;
  const { id: account, status } = await lockCustomer(queries, order.account);
  if (status === 'Closed') throw new ApiError('account_closed');
  const sized = await applyPlanSize(context, order);
  validateOrder(sized);
  const server = order.server === undefined ? null : await requireAvailableServer(queries, order.server.toLowerCase());
  const { service, workflow = '' } = await provisionService(context.onBehalfOf(account), account, sized, { server });
  return { service: String(service.id), workflow };
}

/** Completes the order of a machine with the size that its plan has. The order replaces parts of it. */
async function applyPlanSize({ app, queries }: Context, order: StaffOrder): Promise<StaffOrder> {
  if (order.type === 'dedicated' || order.plan === undefined) return order;
  const machine = (await findPlan(app, queries, order.plan))?.plan.machine;
  return machine === undefined ? order : { ...orderedSize(machine), ...(pickDefined(order) as StaffOrder) };
}

function validateOrder(order: StaffOrder): void {
  const sizes = ['vcpus', 'memorymb', 'diskgb'];
  const needed = order.type === 'dedicated' ? ['server'] : ['template', ...sizes];
  const excluded = order.type === 'dedicated' ? ['template', ...sizes, 'bandwidthgb', 'node'] : ['server'];
  const fields: Readonly<Record<string, unknown>> = order;
  const problems = [
    ...needed
      .filter((name) => fields[name] === undefined)
      .map((name) => [name, `is required for ${order.type}${sizes.includes(name) ? ' if the plan has no size' : ''}`]),
    ...excluded.filter((name) => fields[name] !== undefined).map((name) => [name, `cannot be used with ${order.type}`]),
    ...['setup', 'cycle']
      .filter((name) => fields[name] !== undefined && order.price === undefined)
      .map((name) => [name, 'needs a price']),
  ];
  if (problems.length > 0) throw invalid(Object.fromEntries(problems) as Record<string, string>);
}

/** Retries the step that is waiting, or starts anew. */
export async function serviceRetry(context: Context, id: number): Promise<Static<typeof ServiceWork>> {
  const { queries, app } = context;
  const service = requireFound(await serviceLoad(queries, id), 'Service not found.');
  const running = await workflowRunning(queries, id, machineCreate.name);
  const workflow = running ?? (await ensureMachine(app, queries, id, context.operation));
  if (workflow === undefined) throw conflict('The machine already exists, or its service does not need one.');
  if (running !== undefined) await retryWorkflow(app, queries, running);
  context.onBehalfOf(service.account_id);
  return { service: String(id), workflow };
}
