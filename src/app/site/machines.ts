// The nodes, templates and virtual machines of a site file: what is wrong with them beyond their shape, and how they come into
// the database. A machine that is not there yet is made in the background, and its service stays Pending until it is.
import { setTimeout as pause } from 'node:timers/promises';
import type { Site, SiteService } from '#contract/site.ts';
import { hypervisorSettings } from '#drivers/hypervisor/registry.ts';
import { nodeSealContext } from '#equipment/nodes.ts';
import { metaPut } from '#store/meta.ts';
import { machineFind, machineName, machinePut, machinesPending } from '#store/devices/machines.ts';
import { nodeFind, nodePut } from '#store/devices/nodes.ts';
import { serviceAwait, serviceLoad } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { templatesPut } from '#store/devices/templates.ts';
import type { AccountId } from '#store/tables.ts';
import { workflowUnderWay } from '#store/work/workflows.ts';
import { machineCreate } from '#workflows/machine-create.ts';
import { startWorkflow } from '#workflows/runner.ts';
import { addressesToSet } from '../machines/addresses.ts';
import { screensMeta } from '../machines/screens.ts';
import { differs, sealedSettings } from './equipment.ts';
import type { PlacedFault } from './placed-fault.ts';
import { driverFaults } from './shape-faults.ts';
import type { Yard } from '../yard.ts';

const lookAgainMs = 20;

export function* machineFaults(site: Site): Iterable<PlacedFault> {
  const { nodes = [], templates = [], services = [] } = site;
  const names = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    const path = ['nodes', index];
    if (names.has(node.name)) yield [[...path, 'name'], `node ${node.name} is there twice`];
    names.add(node.name);
    for (const [inner, message] of driverFaults(hypervisorSettings, node)) yield [[...path, ...inner], message];
  }
  const values = new Set<string>();
  for (const [index, { value }] of templates.entries()) {
    if (values.has(value)) yield [['templates', index, 'value'], `template ${value} is there twice`];
    values.add(value);
  }
  for (const [index, { type, machine }] of services.entries()) {
    if (machine === undefined) continue;
    const path = ['services', index, 'machine'];
    if (type === 'dedicated') yield [path, 'a dedicated service has no machine'];
    if (!values.has(machine.template)) yield [[...path, 'template'], `there is no template ${machine.template}`];
    if (machine.node !== undefined && !names.has(machine.node))
      yield [[...path, 'node'], `there is no node ${machine.node}`];
  }
}

/** After services and their addresses. */
export async function applyMachines(yard: Yard, queries: Queries, site: Site): Promise<void> {
  const { nodes = [], templates = [], services = [], screens = {} } = site;
  for (const { name, driver, settings, nameServers = [] } of nodes) {
    const before = await nodeFind(queries, name);
    const wanted = {
      name,
      driver,
      settings: sealedSettings(yard, before?.settings, settings, nodeSealContext(name)),
      name_servers: JSON.stringify(nameServers),
    };
    if (differs(before, { ...wanted, removed_at: null })) await nodePut(queries, wanted);
  }
  const listed = templates.map(({ name, value, type: kind, source }, position) => ({
    name,
    value,
    kind,
    source,
    position,
  }));
  await templatesPut(queries, listed);
  await metaPut(queries, screensMeta, JSON.stringify(screens));
  const kinds = new Map(listed.map(({ value, kind }) => [value, kind]));
  for (const service of services) {
    if (service.machine === undefined) continue;
    const kind = kinds.get(service.machine.template)!;
    await machinePut(queries, orderOf(service, service.machine, kind));
    await machineAwaited(yard, queries, service.id);
  }
}

function orderOf(
  { id, customer, vmid }: SiteService,
  machine: NonNullable<SiteService['machine']>,
  kind: 'Xen' | 'OpenVZ',
) {
  return {
    service_id: id,
    account_id: customer as AccountId,
    vmid: vmid!,
    kind,
    wanted_node: machine.node ?? null,
    template: machine.template,
    vcpus: machine.vcpus,
    memory_mb: machine.memoryMb,
    disk_gb: machine.diskGb,
    bandwidth_gb: machine.bandwidthGb,
    mac: macOf(vmid!),
  };
}

/** Waits a while for machines that are being made, so that a lab is whole when its banner says so. */
export async function machinesMade({ store }: Yard, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  while ((await machinesPending(store.queries)).length > 0 && performance.now() < until) await pause(lookAgainMs);
}

/** Of QEMU's own range, told apart by what tells machines apart. */
export function macOf(vmid: number): string {
  const digits = (vmid % 2 ** 24).toString(16).padStart(6, '0');
  return `52:54:00:${digits.slice(0, 2)}:${digits.slice(2, 4)}:${digits.slice(4)}`;
}

/** A machine that is not there yet is being made, by one workflow at a time; a service that is not Active gets none. */
export async function machineAwaited(
  yard: Yard,
  queries: Queries,
  id: number,
  operation = 'site.apply',
): Promise<string | undefined> {
  const machine = await machineFind(queries, id);
  const service = await serviceLoad(queries, id);
  if (machine?.state !== 'pending' || service === undefined) return undefined;
  if (service.status !== 'Active' && service.status !== 'Pending') return undefined;
  await serviceAwait(queries, id);
  const underWay = await workflowUnderWay(queries, id, machineCreate.name);
  if (underWay !== undefined) return underWay;
  return startWorkflow(yard, queries, machineCreate, {
    account: service.account_id,
    service: id,
    operation,
    input: {
      service: id,
      name: machineName(machine.vmid),
      hostname: service.hostname,
      addresses: await addressesToSet(queries, service),
    },
  });
}
