// Moves machines to other hypervisors, for staff. A workflow does the work; this checks what can be checked before it starts.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { Migration, migrationOperator } from '#contract/operator/migration.ts';
import { stepLabels } from '#contract/workflow-steps.ts';
import { conflict, invalid, requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import { hypervisorFind } from '#store/devices/hypervisors.ts';
import { machineCopiesRunning, type MachineCopy } from '#store/devices/machine-copies.ts';
import { nodesOfGroup } from '#store/devices/machine-groups.ts';
import { machineFind, type Machine } from '#store/devices/machines.ts';
import { machineOfVmid } from '#store/operator/operator-devices.ts';
import type { Queries } from '#store/store.ts';
import { workflowInput, workflowRunning, workflowSearch, type WorkflowRecord } from '#store/work/workflows.ts';
import { machineTarget } from '#workflows/device-steps.ts';
import { cancelWorkflow, startWorkflow } from '#workflows/engine/runner.ts';
import { machineBackup } from '#workflows/machine/machine-backup.ts';
import { machineMigrate } from '#workflows/machine/machine-migrate.ts';
import type { MachineMigrateInput } from '#workflows/machine/migration-steps.ts';
import type { App, Context } from '../app.ts';
import { pageLength } from '../operator/accounts.ts';
import { vmidOf } from '../operator/device-operations.ts';

/** The operating system gets longer than for a shutdown that its customer waits for. */
const graceMs = 120_000;

type Mode = MachineMigrateInput['mode'];

export async function startMigration(
  context: Context,
  { device, target, member, mode = 'auto' }: InputOf<typeof migrationOperator.machineMigrate>,
): Promise<{ action: string }> {
  const { queries, app } = context;
  const machine = await machineOfDevice(queries, device);
  if (machine.state !== 'ready' || machine.node === null || machine.untidy === 2)
    throw conflict('The machine is not on a hypervisor.');
  if (member !== undefined) checkMember(machine, { target, member, mode });
  if (target !== undefined) await checkTarget(context, machine, target);
  if ((await workflowRunning(queries, machine.service_id, machineMigrate.name)) !== undefined)
    throw conflict('The machine is already moving.');
  // Its copy, and those of volumes, would stay behind. An evacuation waits for all other work.
  if ((await workflowRunning(queries, machine.service_id, machineBackup.name)) !== undefined)
    throw conflict('A backup of the machine is being made. Wait until it has finished, or cancel it.');
  const action = await startMachineMigration(app, queries, machine, context.operation, {
    target: target ?? null,
    member,
    mode,
  });
  context.onBehalfOf(machine.account_id);
  return { action };
}

/** Starts it in the current transaction. */
export async function startMachineMigration(
  app: App,
  queries: Queries,
  machine: Machine,
  operation: string,
  {
    target,
    member,
    mode,
  }: { readonly target: string | null; readonly member?: string | undefined; readonly mode: Mode },
): Promise<string> {
  const place = machineTarget({ ...machine, node: machine.node! }, 'a migration');
  return startWorkflow(app, queries, machineMigrate, {
    account: machine.account_id,
    service: machine.service_id,
    operation,
    input: { ...place, target, mode, graceMs, ...(member !== undefined && { member }) },
  });
}

export async function cancelMigration(context: Context, device: string): Promise<void> {
  const { queries, app } = context;
  const { service_id, account_id } = await machineOfDevice(queries, device);
  const running = await workflowRunning(queries, service_id, machineMigrate.name);
  if (running === undefined || !(await cancelWorkflow(app, queries, running)))
    throw conflict('The machine is not moving.');
  context.onBehalfOf(account_id);
}

export async function migrationList(
  { queries }: Context,
  { service, status, before, limit = pageLength }: InputOf<typeof migrationOperator.migrationList>,
): Promise<Static<typeof Migration>[]> {
  const filter = {
    account: undefined,
    name: machineMigrate.name,
    service,
    statuses: status && [status],
    before,
    limit,
  };
  const copies = await copiesByWorkflow(queries);
  return (await workflowSearch(queries, filter)).map((record) => {
    const { node, name, target, member = '' } = inputOf(record);
    return {
      action: record.id,
      device: name,
      service: String(record.service_id),
      account: String(record.account_id),
      source: node,
      member,
      ...copyShape(copies.get(record.id), target),
      status: record.status,
      step: stepLabels[record.step] ?? '',
      reason: record.error_reason ?? '',
      detail: record.detail,
      started: timeText(record.created_at),
      ended: optionalTimeText(record.ended_at),
    };
  });
}

export async function copiesByWorkflow(queries: Queries): Promise<ReadonlyMap<string, MachineCopy>> {
  return new Map((await machineCopiesRunning(queries)).map((copy) => [copy.workflow_id, copy]));
}

export function copyShape(copy: MachineCopy | undefined, wanted: string | null = null) {
  return {
    mode: copy?.mode ?? ('' as const),
    target: copy?.node ?? wanted ?? '',
    percent: copy === undefined || copy.total_bytes === 0 ? '' : percentText(copy),
  };
}

/** Memory that the machine changes is copied again, so there can be more than was expected. */
function percentText({ copied_bytes, total_bytes }: MachineCopy): string {
  return String(Math.min(99, Math.floor((100 * copied_bytes) / total_bytes)));
}

function inputOf({ input }: WorkflowRecord): MachineMigrateInput {
  return workflowInput.decode(input) as MachineMigrateInput;
}

async function machineOfDevice(queries: Queries, device: string): Promise<Machine> {
  const vmid = vmidOf(device.toLowerCase());
  const row = vmid === undefined ? undefined : await machineOfVmid(queries, vmid);
  return requireFound(row && (await machineFind(queries, row.service_id)), 'Machine not found.');
}

function checkMember(
  machine: Machine,
  { target, member, mode }: { readonly target: string | undefined; readonly member: string; readonly mode: Mode },
): void {
  if (target !== undefined) throw invalid({ target: 'cannot be used with member' });
  if (mode === 'live') throw invalid({ mode: 'must be cold: a container cannot move while it runs' });
  if (machine.member === member) throw conflict('The machine is already on this member.');
}

async function checkTarget({ app, queries }: Context, machine: Machine, target: string): Promise<void> {
  const { node, kind } = machine;
  const row = await hypervisorFind(queries, target);
  if (row === undefined || row.removed_at !== null) throw invalid({ target: 'must be a hypervisor' });
  if (target === node) throw conflict('The machine is already on this hypervisor.');
  if (row.maintenance_since !== null) throw conflict('The target is under maintenance.');
  const source = await hypervisorFind(queries, node!);
  if (row.driver !== source?.driver || !app.hypervisors.kindsOf(row.driver).includes(kind))
    throw conflict('The target is a different kind of hypervisor.');
  if ((await nodesOfGroup(queries, machine)).has(target))
    throw conflict(
      'The target already has a machine of the same group, whose machines must be on different hypervisors.',
    );
}
