// Services suspended, resumed and terminated by the provider's staff: each a workflow, one at a time for a service.
import type { Static } from 'typebox';
import type { ServiceWork } from '#contract/shapes/operator-service.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { machineFind, machineName } from '#store/devices/machines.ts';
import { serviceHold, workUnderWay } from '#store/operator/operator-services.ts';
import { suspensionOfService } from '#store/devices/service-suspensions.ts';
import type { Service } from '#store/devices/services.ts';
import { portsOfService } from '#store/network/switches.ts';
import { startWorkflow } from '#workflows/runner.ts';
import { nothingBefore, type Before, type Cut, type ServiceTarget } from '#workflows/service-device.ts';
import { serviceResume as resumeWorkflow } from '#workflows/service-resume.ts';
import { serviceSuspend as suspendWorkflow } from '#workflows/service-suspend.ts';
import { serviceTerminate as terminateWorkflow } from '#workflows/service-terminate.ts';
import type { Context } from '../yard.ts';

type Work = Static<typeof ServiceWork>;

/** How long a machine may take to shut down by itself. */
const graceMs = 60_000;

export async function serviceSuspend(context: Context, id: number, reason: string, how?: Cut): Promise<Work> {
  const service = await idle(context, id);
  if (service.status !== 'Active')
    throw new Fault('state_conflict', {
      message: `Only an Active service is suspended; this one is ${service.status}.`,
    });
  const target = await targetOf(context, service, 'suspension of the service', how);
  const operator = context.caller.operator!.name;
  return begun(context, service, (start) =>
    startWorkflow(context.yard, context.queries, suspendWorkflow, { ...start, input: { ...target, reason, operator } }),
  );
}

export async function serviceResume(context: Context, id: number): Promise<Work> {
  const service = await idle(context, id);
  if (service.status !== 'Suspended')
    throw new Fault('state_conflict', { message: `The service is not suspended; it is ${service.status}.` });
  // Suspended for its bills or by the site file: nothing was cut off.
  const text = (await suspensionOfService(context.queries, id))?.before;
  const before = text === undefined ? nothingBefore : (JSON.parse(text) as Before);
  const target = await targetOf(context, service, 'resumption of the service', 'nothing');
  return begun(context, service, (start) =>
    startWorkflow(context.yard, context.queries, resumeWorkflow, { ...start, input: { ...target, before } }),
  );
}

export async function serviceTerminate(
  context: Context,
  id: number,
  hostname: string,
  how: Exclude<Cut, 'ports'> = 'power',
): Promise<Work> {
  const service = await idle(context, id);
  if (service.status === 'Terminated') throw new Fault('state_conflict', { message: 'The service is terminated.' });
  if (hostname.replace(/\.$/, '').toLowerCase() !== service.hostname)
    throw invalid({ hostname: 'must be the host name of the service that is to end' });
  const input = await targetOf(context, service, 'termination of the service', how);
  return begun(context, service, (start) =>
    startWorkflow(context.yard, context.queries, terminateWorkflow, { ...start, input }),
  );
}

/** One that nothing is under way for. Of two operators at once the second finds what the first began. */
async function idle({ queries }: Context, id: number): Promise<Service> {
  const service = await serviceHold(queries, id);
  if (service === undefined) throw new Fault('not_found', { message: 'There is no such service.' });
  const work = await workUnderWay(queries, id);
  if (work.length > 0)
    throw new Fault('state_conflict', { message: `This is under way for the service: ${work.join(', ')}.` });
  return service;
}

async function targetOf(
  { queries }: Context,
  service: Service,
  purpose: string,
  how: Cut | undefined,
): Promise<ServiceTarget> {
  const machine = await machineFind(queries, service.id);
  const isThere = machine?.state === 'ready' && machine.node !== null;
  const ports = await portsOfService(queries, service.account_id, service.id);
  if (how === 'ports' && ports.length === 0) throw invalid({ how: 'must be another: the service has no switch port' });
  return {
    service: service.id,
    purpose,
    server: service.server,
    machine: isThere ? { node: machine.node!, name: machineName(machine.vmid) } : null,
    ports: ports.map(({ id, switch: name, if_index }) => ({ id, switch: name, ifIndex: if_index })),
    how: how ?? (service.server !== null && ports.length > 0 ? 'ports' : 'power'),
    graceMs,
  };
}

async function begun(
  context: Context,
  service: Service,
  start: (common: { account: Service['account_id']; service: number; operation: string }) => Promise<string>,
): Promise<Work> {
  context.actFor(service.account_id);
  const common = { account: service.account_id, service: service.id, operation: context.operation };
  return { service: String(service.id), workflow: await start(common) };
}
