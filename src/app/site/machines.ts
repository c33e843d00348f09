// Checks and applies the hypervisors, templates and virtual machines of a site file. A new machine is created in the
// background, and its service stays Pending until it exists.
import type { SiteMachine, SiteTemplate } from '#contract/site/machines.ts';
import type { Site } from '#contract/site/site.ts';
import { hypervisorSettings } from '#drivers/hypervisor/registry.ts';
import { nodeSealContext } from '#equipment/hypervisors.ts';
import { createFeed, waitForChange } from '#store/feed.ts';
import {
  machineFind,
  machineName,
  machinePut,
  machinesInsert,
  machinesPending,
  machinesToCreate,
  storedMachines,
  type Machine,
  type MachineOrder,
} from '#store/devices/machines.ts';
import { hypervisorFind, hypervisorPut, hypervisorNameServers } from '#store/devices/hypervisors.ts';
import { serviceAwait, serviceLoad, servicesAwaitMachines } from '#store/devices/services.ts';
import type { MachineKind } from '#store/devices/machine-tables.ts';
import type { Queries } from '#store/store.ts';
import { templatesPut } from '#store/devices/templates.ts';
import { allNetblocks, providerNetblocks } from '#store/network/netblocks.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { workflowRunning } from '#store/work/workflows.ts';
import { creationOf, machineCreate } from '#workflows/machine/machine-create.ts';
import { startWorkflow, startWorkflows } from '#workflows/engine/runner.ts';
import { addressesOfServices, addressesToSet } from '../network/delivery.ts';
import { screensEntry } from '../machines/vnc-sessions.ts';
import { differs, sealSettingsIfChanged } from './equipment.ts';
import { createDuplicateCheck, type SiteProblem } from './site-problem.ts';
import { checkDriver } from './schema-checks.ts';
import type { App } from '../app.ts';
import type { AccountId } from '#store/account-id.ts';

export function* checkMachines(site: Site): Iterable<SiteProblem> {
  const { nodes = [], templates = [], services = [] } = site;
  const isDuplicate = createDuplicateCheck();
  for (const [index, node] of nodes.entries()) {
    const path = ['nodes', index];
    if (isDuplicate('node', node.name))
      yield [[...path, 'name'], `node ${node.name} is defined twice; give each node its own name`];
    yield* checkDriver(path, hypervisorSettings, node);
  }
  for (const [index, { value, type, firmware, secureBoot, tpm }] of templates.entries()) {
    const path = ['templates', index];
    if (isDuplicate('template', value))
      yield [[...path, 'value'], `template ${value} is defined twice; give each template its own value`];
    if (type === 'OpenVZ' && (firmware ?? secureBoot ?? tpm) !== undefined)
      yield [path, 'a container has no firmware and no TPM; remove firmware, secureBoot and tpm or change type'];
    if (secureBoot === true && firmware !== 'uefi')
      yield [[...path, 'secureBoot'], 'secure boot needs UEFI; set firmware to uefi'];
  }
  const templateNames = new Set(templates.map(({ value }) => value));
  const nodeNames = new Set(nodes.map(({ name }) => name));
  for (const [index, { type, machine }] of services.entries()) {
    if (machine === undefined) continue;
    const path = ['services', index, 'machine'];
    if (type === 'dedicated') yield [path, 'a dedicated service has no machine; remove machine or change type'];
    const { template, node, adopt } = machine;
    if (!templateNames.has(template))
      yield [[...path, 'template'], `unknown template ${template}; add it under templates`];
    if (adopt !== undefined && node === undefined)
      yield [[...path, 'adopt'], 'a machine is adopted from a node; add node'];
    if (adopt !== undefined && isDuplicate('adopted machine', `${node} ${adopt}`))
      yield [[...path, 'adopt'], `the machine ${adopt} is adopted twice; it can have only one service`];
    if (node !== undefined && !nodeNames.has(node))
      yield [[...path, 'node'], `unknown node ${node}; add it under nodes`];
  }
}

/** Requires that services and their addresses have been applied. */
export async function applyMachines(app: App, queries: Queries, site: Site): Promise<void> {
  const { nodes = [], templates = [], services = [], screens = {} } = site;
  for (const { name, driver, settings, nameServers = [], location = '' } of nodes) {
    const stored = await hypervisorFind(queries, name);
    const row = {
      name,
      driver,
      settings: sealSettingsIfChanged(app, stored?.settings, settings, nodeSealContext(name)),
      name_servers: hypervisorNameServers.encode(nameServers),
      location,
    };
    if (!differs(stored, { ...row, removed_at: null })) continue;
    await hypervisorPut(queries, row);
    await reconcilerSignal(queries, 'machine-addresses');
  }
  const rows = templates.map((template, position) => ({ ...templateRow(template), position }));
  await templatesPut(queries, rows);
  await screensEntry.put(queries, screens);
  const kinds = new Map(rows.map(({ value, kind }) => [value, kind]));
  const stored = await storedMachines(queries);
  const added: MachineOrder[] = [];
  for (const { id, customer, vmid, machine } of services) {
    if (machine === undefined) continue;
    const service = { id, account_id: customer as AccountId, vmid: vmid! };
    const order = machineOrder(service, kinds.get(machine.template)!, machine);
    const current = stored.get(id);
    if (current === undefined) added.push(order);
    else if (differs<Partial<Machine>>(current, isShapeOpen(current) ? order : changingPart(order)))
      await machinePut(queries, order);
  }
  await machinesInsert(queries, added);
  await createMachines(app, queries);
}

function templateRow({ type: kind, cloudInit, firmware = 'bios', secureBoot, tpm, ...template }: SiteTemplate) {
  const cloud_init = cloudInit === undefined ? null : Number(cloudInit);
  return {
    ...template,
    kind,
    cloud_init,
    firmware,
    secure_boot: Number(secureBoot ?? false),
    tpm: Number(tpm ?? false),
  };
}

function changingPart({ bandwidth_gb, unfiltered = 0 }: MachineOrder): Partial<Machine> {
  return { bandwidth_gb, unfiltered };
}

/** A machine keeps its size and system once it has a hypervisor. */
function isShapeOpen({ state, node }: Machine): boolean {
  return state === 'pending' && node === null;
}

/** Starts the creation of all machines that do not exist yet, as `ensureMachine` does for one. */
async function createMachines(app: App, queries: Queries): Promise<void> {
  await servicesAwaitMachines(queries);
  const pending = await machinesToCreate(queries, machineCreate.name);
  if (pending.length === 0) return;
  const machines = await addressesOfServices(pending, await allNetblocks(queries), await providerNetblocks(queries));
  for (const [workflow, group] of Map.groupBy(machines, creationOf)) {
    const starts = group.map(({ service_id: service, account_id: account, vmid, hostname, addresses }) => ({
      account,
      service,
      operation: 'site.apply',
      input: { service, name: machineName(vmid), hostname, addresses },
    }));
    await startWorkflows(app, queries, workflow, starts);
  }
}

interface MachineService {
  readonly id: number;
  readonly account_id: AccountId;
  readonly vmid: number;
}

/** Returns the machine that a service should have. Its MAC address is in QEMU's range and derived from the vmid. */
export function machineOrder(
  { id, account_id, vmid }: MachineService,
  kind: MachineKind,
  machine: SiteMachine,
): MachineOrder {
  const digits = (vmid % 2 ** 24).toString(16).padStart(6, '0');
  return {
    service_id: id,
    account_id,
    vmid,
    kind,
    wanted_node: machine.node ?? null,
    hypervisor_name: machine.adopt ?? null,
    unfiltered: Number(machine.filter === false),
    template: machine.template,
    vcpus: machine.vcpus,
    memory_mb: machine.memoryMb,
    disk_gb: machine.diskGb,
    bandwidth_gb: machine.bandwidthGb,
    mac: `52:54:00:${digits.slice(0, 2)}:${digits.slice(2, 4)}:${digits.slice(4)}`,
  };
}

/** Waits until pending machines have been created, at most `milliseconds`. */
export async function waitForMachines(app: App, milliseconds: number): Promise<void> {
  const countPending = async (): Promise<number> => (await machinesPending(app.store.queries)).length;
  const feed = createFeed(app, async () => new Map([['machines', await countPending()]]));
  const isDone = async (): Promise<true | undefined> => ((await countPending()) === 0 ? true : undefined);
  try {
    await waitForChange(feed, ['machines'], AbortSignal.timeout(milliseconds), isDone);
  } finally {
    feed.close();
  }
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
  const running = await workflowRunning(queries, id, machineCreate.name);
  if (running !== undefined) return running;
  return startWorkflow(app, queries, creationOf(machine), {
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
