// Services as operators suspend, resume and terminate them. Each is a workflow that is accepted whatever the customer has
// started; its first step ends that work.
import type { Static } from 'typebox';
import type { ServiceWork } from '#contract/shapes/operator-service.ts';
import { conflict, invalid, requireFound } from '#lib/api-error.ts';
import { machineDeletionFind } from '#store/devices/machine-deletions.ts';
import { machineFind, machineName } from '#store/devices/machines.ts';
import { serviceLock, runningWorkflowNames } from '#store/operator/operator-services.ts';
import { suspensionOfService, stateBeforeSuspension } from '#store/devices/service-suspensions.ts';
import type { Service } from '#store/devices/services.ts';
import { portsOfService } from '#store/network/switches.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { nothingBefore, type Cut, type ServiceTarget } from '#workflows/service/service-device.ts';
import { serviceResume as resumeWorkflow } from '#workflows/service/service-resume.ts';
import { serviceSuspend as suspendWorkflow } from '#workflows/service/service-suspend.ts';
import { serviceTerminate as terminateWorkflow } from '#workflows/service/service-terminate.ts';
import { normalizeHostname } from '../services/services.ts';
import type { App, Context } from '../app.ts';

type Work = Static<typeof ServiceWork>;

/** How long a machine gets to shut down cleanly. */
const graceMs = 60_000;

export async function serviceSuspend(context: Context, id: number, reason: string, how?: Cut): Promise<Work> {
  const service = await lockService(context, id, staffCommands);
  // Unpaid invoices cut nothing off, and a payment would resume the service.
  const isOnlyFrozen = service.status === 'Suspended' && (await suspensionOfService(context.queries, id)) === undefined;
  if (service.status !== 'Active' && !isOnlyFrozen)
    throw conflict(`Only active services can be suspended; this one is ${service.status}.`);
  const target = await findTarget(context, service, 'the suspension of the service', how);
  const operator = context.caller.operator!.name;
  return startStaffWork(context, service, (start) =>
    startWorkflow(context.app, context.queries, suspendWorkflow, { ...start, input: { ...target, reason, operator } }),
  );
}

export async function serviceResume(context: Context, id: number): Promise<Work> {
  const service = await lockService(context, id, staffCommands);
  if (service.status !== 'Suspended') throw conflict(`The service is not suspended; it is ${service.status}.`);
  if ((await machineDeletionFind(context.queries, id)) !== undefined)
    throw conflict('The customer has deleted this machine, and can restore it.');
  // Without a row it was suspended for unpaid invoices or by the site file, and nothing was cut off.
  const text = (await suspensionOfService(context.queries, id))?.before;
  const stateBefore = text === undefined ? nothingBefore : stateBeforeSuspension.decode(text);
  const target = await findTarget(context, service, 'the resumption of the service', 'nothing');
  return startStaffWork(context, service, (start) =>
    startWorkflow(context.app, context.queries, resumeWorkflow, {
      ...start,
      input: { ...target, before: stateBefore },
    }),
  );
}

export async function serviceTerminate(
  context: Context,
  id: number,
  hostname: string,
  how: Exclude<Cut, 'ports'> = 'power',
): Promise<Work> {
  // A termination also ends a suspension or resumption that is in progress.
  const service = await lockService(context, id, [terminateWorkflow.name]);
  if (service.status === 'Terminated') throw conflict('The service is already terminated.');
  if (normalizeHostname(hostname) !== service.hostname)
    throw invalid({ hostname: 'must be the host name of the service, as confirmation' });
  return startStaffWork(context, service, ({ operation }) => startTermination(context, service, operation, how));
}

/** Starts the termination of a service that the caller has locked. Returns the workflow. */
export async function startTermination(
  { app, queries }: Pick<Context, 'queries'> & { readonly app: Pick<App, 'queue' | 'clock'> },
  service: Service,
  operation: string,
  how: Exclude<Cut, 'ports'>,
): Promise<string> {
  const input = await findTarget({ queries }, service, 'the termination of the service', how);
  return startWorkflow(app, queries, terminateWorkflow, {
    account: service.account_id,
    service: service.id,
    operation,
    input,
  });
}

const staffCommands = [suspendWorkflow, resumeWorkflow, terminateWorkflow].map(({ name }) => name);

/**
 * Returns the service unless one of these workflows is in progress on it. Holds the row, so that of two operators at once the
 * second sees the work of the first, and a customer's call either comes before the command or is rejected.
 */
async function lockService({ queries }: Context, id: number, excluding: readonly string[]): Promise<Service> {
  const service = requireFound(await serviceLock(queries, id), 'Service not found.');
  const running = (await runningWorkflowNames(queries, id)).filter((name) => excluding.includes(name));
  if (running.length > 0) throw conflict(`The service is busy: ${running.join(', ')}. Try again when it has finished.`);
  return service;
}

export async function findTarget(
  { queries }: Pick<Context, 'queries'>,
  service: Service,
  purpose: string,
  how: Cut | undefined,
): Promise<ServiceTarget> {
  const machine = await machineFind(queries, service.id);
  const isCreated = machine?.state === 'ready' && machine.node !== null;
  const ports = await portsOfService(queries, service.account_id, service.id);
  if (how === 'ports' && ports.length === 0) throw invalid({ how: 'cannot be ports: the service has no switch port' });
  return {
    service: service.id,
    purpose,
    server: service.server,
    machine: isCreated ? { node: machine.node!, name: machineName(machine.vmid) } : null,
    ports: ports.map(({ id, switch: name, if_index }) => ({ id, switch: name, ifIndex: if_index })),
    how: how ?? (service.server !== null && ports.length > 0 ? 'ports' : 'power'),
    graceMs,
  };
}

async function startStaffWork(
  context: Context,
  service: Service,
  start: (common: { account: Service['account_id']; service: number; operation: string }) => Promise<string>,
): Promise<Work> {
  context.onBehalfOf(service.account_id);
  const common = { account: service.account_id, service: service.id, operation: context.operation };
  return { service: String(service.id), workflow: await start(common) };
}
