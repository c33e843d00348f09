// Adopts virtual machines that a hypervisor had before Hostyard. Nothing on the machine changes: it keeps its name, its disks and
// its power state, so customers notice nothing. Only its row in the database says that it is the machine of a service now.
import { commandTimeout } from '#equipment/device-command.ts';
import type { ForeignMachine } from '#drivers/hypervisor/adoption.ts';
import { requireCapability } from '#drivers/hypervisor/driver.ts';
import { appendEvent } from '#events/append.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { auditAppend } from '#store/account/audit.ts';
import { machineFilteringSet, machinesOnHypervisor } from '#store/devices/adopted-machines.ts';
import { hypervisorDue, hypervisorFind } from '#store/devices/hypervisors.ts';
import { machineChange, machineFind, machineName, machinePut, type Machine } from '#store/devices/machines.ts';
import { serviceActivate, serviceLoad, type Service } from '#store/devices/services.ts';
import { templateFind, type Template } from '#store/devices/templates.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { isMachine } from '../services/services.ts';
import type { App } from '../app.ts';

export interface UnknownMachine {
  /** On the hypervisor. */
  readonly name: string;
  readonly power: 'on' | 'off';
}

export interface AdoptionOrder {
  readonly node: string;
  /** Its name on the hypervisor. */
  readonly machine: string;
  readonly service: number;
  /** The template that its system resembles; customers see its name. */
  readonly template: string;
  readonly bandwidthGb: number;
  /** True if it may only use the addresses of its service. */
  readonly isFiltered: boolean;
}

export interface AdoptionResult {
  readonly outcome: 'adopted' | 'changed' | 'unchanged';
  readonly machine: ForeignMachine;
}

/** Lists the machines of a hypervisor that belong to no service. */
export async function listUnknownMachines(app: App, node: string): Promise<readonly UnknownMachine[]> {
  await requireHypervisor(app, node);
  const timeout = commandTimeout();
  const present = await app.hypervisors.use(node, (hypervisor) => {
    requireCapability(hypervisor, 'adoption');
    return hypervisor.machines.list(timeout);
  });
  // The list has the names that adopted machines have in Hostyard.
  const known = new Set((await machinesOnHypervisor(app.store.queries, node)).map(({ vmid }) => machineName(vmid)));
  return present
    .filter(({ name }) => !known.has(name))
    .map(({ name, power }) => ({ name, power }))
    .toSorted((left, right) => left.name.localeCompare(right.name));
}

/**
 * On the command line of the server. A second call with the same order changes nothing. With `dryRun`, everything is checked and
 * nothing written.
 */
export async function adoptMachine(app: App, order: AdoptionOrder, dryRun: boolean): Promise<AdoptionResult> {
  const template = await findAdoptionTemplate(app, order);
  await checkOrder(app.store.queries, order);
  const machine = await inspectMachine(app, order);
  const outcome = await app.store.transaction(async (queries) => {
    const stored = await storeMachine(app, queries, order, template, machine, dryRun);
    if (!dryRun && stored !== 'unchanged') await auditAppend(queries, await auditEntry(app, queries, order));
    return stored;
  });
  return { outcome, machine };
}

export async function findAdoptionTemplate(
  app: App,
  { node, template: value }: Pick<AdoptionOrder, 'node' | 'template'>,
): Promise<Template> {
  const row = await requireHypervisor(app, node);
  const template = requireFound(await templateFind(app.store.queries, value), 'Template not found.');
  if (!app.hypervisors.kindsOf(row.driver).includes(template.kind))
    throw conflict(`Hypervisor ${node} does not run ${template.kind} machines. Choose another template.`);
  return template;
}

export async function inspectMachine(
  app: App,
  { node, machine: name }: Pick<AdoptionOrder, 'node' | 'machine'>,
): Promise<ForeignMachine> {
  await requireHypervisor(app, node);
  const timeout = commandTimeout();
  return app.hypervisors
    .use(node, (hypervisor) => requireCapability(hypervisor, 'adoption').inspect(name, timeout))
    .catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
      throw new ApiError('not_found', { message: `Hypervisor ${node} has no machine ${name}.` });
    });
}

/** As if staff had called the operator API. */
async function auditEntry({ clock }: App, queries: Queries, { machine, service, template }: AdoptionOrder) {
  return {
    account_id: (await serviceLoad(queries, service))!.account_id,
    at: clock.now(),
    address: '',
    key_id: null,
    contact_id: null,
    operation: 'operator.machineAdopt',
    target: `service=${service} template=${template} machine=${machine}`,
    outcome: 'success',
    request_id: '',
    operator: 'hostyard adopt',
  };
}

async function requireHypervisor({ store }: App, node: string) {
  const row = await hypervisorFind(store.queries, node);
  return requireFound(row?.removed_at === null ? row : undefined, `Hypervisor ${node} does not exist.`);
}

/** Returns the service, and its machine if that is the one to be adopted. */
async function checkOrder(
  queries: Queries,
  { node, machine: name, service: id }: AdoptionOrder,
): Promise<{ readonly service: Service; readonly present: Machine | undefined }> {
  const service = requireFound(await serviceLoad(queries, id), 'Service not found.');
  if (!isMachine(service)) throw conflict('The service is a dedicated server. Choose one of type vps or cloud.');
  if (service.status !== 'Active' && service.status !== 'Pending') throw conflict(`The service is ${service.status}.`);
  const known = await machinesOnHypervisor(queries, node);
  const owner = known.find(({ vmid, hypervisor_name }) => (hypervisor_name ?? machineName(vmid)) === name)?.service_id;
  if (owner !== undefined && owner !== id) throw conflict(`The machine ${name} belongs to service ${owner}.`);
  const present = await machineFind(queries, id);
  if (present !== undefined && owner !== id)
    throw conflict(
      `Service ${id} already has a machine: ${machineName(present.vmid)} on ${present.node ?? 'no node'}.`,
    );
  return { service, present };
}

/** In a transaction. */
export async function storeMachine(
  app: App,
  queries: Queries,
  order: AdoptionOrder,
  template: Template,
  machine: ForeignMachine,
  dryRun: boolean,
): Promise<AdoptionResult['outcome']> {
  // Another call may have been faster.
  const { service, present } = await checkOrder(queries, order);
  const unfiltered = order.isFiltered ? 0 : 1;
  if (present !== undefined) {
    if (present.unfiltered === unfiltered) return 'unchanged';
    if (dryRun) return 'changed';
    await machineFilteringSet(queries, service.id, unfiltered);
  } else {
    if (dryRun) return 'adopted';
    const vmid = service.vmid!;
    await machinePut(queries, {
      service_id: service.id,
      account_id: service.account_id,
      vmid,
      kind: template.kind,
      wanted_node: order.node,
      hypervisor_name: order.machine === machineName(vmid) ? null : order.machine,
      unfiltered,
      template: template.value,
      vcpus: machine.vcpus,
      memory_mb: machine.memoryMb,
      disk_gb: machine.diskGb,
      bandwidth_gb: order.bandwidthGb,
      mac: machine.mac ?? '',
    });
    await machineChange(queries, service.id, { state: 'ready', node: order.node });
    await serviceActivate(queries, service.id);
    const event = { type: 'machine.adopted', data: {} } as const;
    await appendEvent(app, queries, { account: service.account_id, service: service.id, ...event });
  }
  await hypervisorDue(queries, service.id);
  await reconcilerSignal(queries, 'machine-sync');
  return present === undefined ? 'adopted' : 'changed';
}
