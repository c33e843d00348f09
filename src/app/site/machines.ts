// Checks and applies the hypervisors, templates and virtual machines of a site file. A new machine is created in the
// background, and its service stays Pending until it exists.
import { setTimeout as pause } from 'node:timers/promises';
import type { Site, SiteService } from '#contract/site/site.ts';
import { hypervisorSettings } from '#drivers/hypervisor/registry.ts';
import { nodeSealContext } from '#equipment/hypervisors.ts';
import { machineFind, machineName, machinePut, machinesPending } from '#store/devices/machines.ts';
import { hypervisorFind, hypervisorPut, hypervisorNameServers } from '#store/devices/hypervisors.ts';
import { serviceAwait, serviceLoad } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { templatesPut } from '#store/devices/templates.ts';
import { workflowRunning } from '#store/work/workflows.ts';
import { machineCreate } from '#workflows/machine/machine-create.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { addressesToSet } from '../machines/addresses.ts';
import { screensEntry } from '../machines/vnc-sessions.ts';
import { differs, sealSettingsIfChanged } from './equipment.ts';
import type { SiteProblem } from './site-problem.ts';
import { checkDriver } from './schema-checks.ts';
import type { App } from '../app.ts';
import type { AccountId } from '#store/account-id.ts';

const pollIntervalMs = 20;

export function* checkMachines(site: Site): Iterable<SiteProblem> {
  const { nodes = [], templates = [], services = [] } = site;
  const names = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    const path = ['nodes', index];
    if (names.has(node.name))
      yield [[...path, 'name'], `node ${node.name} is defined twice; give each node its own name`];
    names.add(node.name);
    for (const [inner, message] of checkDriver(hypervisorSettings, node)) yield [[...path, ...inner], message];
  }
  const values = new Set<string>();
  for (const [index, { value }] of templates.entries()) {
    if (values.has(value))
      yield [['templates', index, 'value'], `template ${value} is defined twice; give each template its own value`];
    values.add(value);
  }
  for (const [index, { type, machine }] of services.entries()) {
    if (machine === undefined) continue;
    const path = ['services', index, 'machine'];
    if (type === 'dedicated') yield [path, 'a dedicated service has no machine; remove machine or change type'];
    if (!values.has(machine.template))
      yield [[...path, 'template'], `unknown template ${machine.template}; add it under templates`];
    if (machine.node !== undefined && !names.has(machine.node))
      yield [[...path, 'node'], `unknown node ${machine.node}; add it under nodes`];
  }
}

/** Requires that services and their addresses have been applied. */
export async function applyMachines(app: App, queries: Queries, site: Site): Promise<void> {
  const { nodes = [], templates = [], services = [], screens = {} } = site;
  for (const { name, driver, settings, nameServers = [] } of nodes) {
    const before = await hypervisorFind(queries, name);
    const row = {
      name,
      driver,
      settings: sealSettingsIfChanged(app, before?.settings, settings, nodeSealContext(name)),
      name_servers: hypervisorNameServers.encode(nameServers),
    };
    if (differs(before, { ...row, removed_at: null })) await hypervisorPut(queries, row);
  }
  const rows = templates.map(({ name, value, type: kind, source }, position) => ({
    name,
    value,
    kind,
    source,
    position,
  }));
  await templatesPut(queries, rows);
  await screensEntry.put(queries, screens);
  const kinds = new Map(rows.map(({ value, kind }) => [value, kind]));
  for (const service of services) {
    if (service.machine === undefined) continue;
    const kind = kinds.get(service.machine.template)!;
    await machinePut(queries, machineRow(service, service.machine, kind));
    await ensureMachine(app, queries, service.id);
  }
}

function machineRow(
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
    mac: machineMac(vmid!),
  };
}

/** Waits until pending machines have been created, at most `milliseconds`. */
export async function waitForMachines({ store }: App, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  while ((await machinesPending(store.queries)).length > 0 && performance.now() < until) await pause(pollIntervalMs);
}

/** Derives a MAC address in QEMU's range from the vmid. */
export function machineMac(vmid: number): string {
  const digits = (vmid % 2 ** 24).toString(16).padStart(6, '0');
  return `52:54:00:${digits.slice(0, 2)}:${digits.slice(2, 4)}:${digits.slice(4)}`;
}

/**
 * Creates the machine if it does not exist yet, with one workflow at a time. Services that are neither Active nor
 * Pending get none.
 */
export async function ensureMachine(
  app: App,
  queries: Queries,
  id: number,
  operation = 'site.apply',
): Promise<string | undefined> {
  const machine = await machineFind(queries, id);
  const service = await serviceLoad(queries, id);
  if (machine?.state !== 'pending' || service === undefined) return undefined;
  if (service.status !== 'Active' && service.status !== 'Pending') return undefined;
  await serviceAwait(queries, id);
  const underWay = await workflowRunning(queries, id, machineCreate.name);
  if (underWay !== undefined) return underWay;
  return startWorkflow(app, queries, machineCreate, {
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
