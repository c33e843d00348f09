// Maintenance of a hypervisor, and its evacuation: its machines move to others, a few at a time. The reconciler node-evacuation
// starts the migrations. Which machines are left, and why, follows from the machines and their last workflows.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { Evacuation, migrationOperator } from '#contract/operator/migration.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { conflict, invalid, requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import {
  hypervisorFind,
  hypervisorLock,
  hypervisorMaintenanceSet,
  hypervisorsEvacuating,
  type HypervisorRow,
} from '#store/devices/hypervisors.ts';
import { lastWorkflows, machinesToEvacuate } from '#store/devices/machine-evacuation.ts';
import { machineName } from '#store/devices/machines.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { workflowsOfService, type WorkflowRecord } from '#store/work/workflows.ts';
import { cancelWorkflow } from '#workflows/engine/runner.ts';
import { machineMigrate } from '#workflows/machine/machine-migrate.ts';
import type { App, Context } from '../app.ts';
import { copiesByWorkflow, copyShape, startMachineMigration } from './migration.ts';

/** Machines that move from one hypervisor at the same time. */
const movesAtOnce = 2;
const maxMachines = 1000;
const notEvacuated = { evacuation_since: null, evacuation_ended_at: null } as const;

export async function setNodeMaintenance(
  { app, queries }: Context,
  { name, enabled, reason = '' }: InputOf<typeof migrationOperator.nodeMaintenance>,
): Promise<void> {
  const { maintenance_since } = await lockNode(queries, name);
  if (enabled && reason === '') throw invalid({ reason: 'is required to start maintenance' });
  if (!enabled)
    return hypervisorMaintenanceSet(queries, name, {
      maintenance_since: null,
      maintenance_reason: '',
      ...notEvacuated,
    });
  const since = { maintenance_since: maintenance_since ?? app.clock.now() };
  return hypervisorMaintenanceSet(queries, name, { ...since, maintenance_reason: reason });
}

export async function startEvacuation(
  { app, queries }: Context,
  { name, reason, mode = 'auto' }: InputOf<typeof migrationOperator.nodeEvacuate>,
): Promise<void> {
  const row = await lockNode(queries, name);
  if (isEvacuating(row)) throw conflict('The hypervisor is already being evacuated.');
  const now = app.clock.now();
  await hypervisorMaintenanceSet(queries, name, {
    maintenance_since: row.maintenance_since ?? now,
    maintenance_reason: reason,
    evacuation_since: now,
    evacuation_ended_at: null,
    evacuation_mode: mode,
  });
  await reconcilerSignal(queries, 'node-evacuation');
}

export async function cancelEvacuation({ app, queries }: Context, name: string): Promise<void> {
  const row = await lockNode(queries, name);
  if (!isEvacuating(row)) throw conflict('The hypervisor is not being evacuated.');
  await hypervisorMaintenanceSet(queries, name, { evacuation_ended_at: app.clock.now() });
  for (const { last } of await surveyMachines(queries, row))
    if (last !== undefined && isRunning(last)) await cancelWorkflow(app, queries, last.id);
}

export async function evacuationGet({ queries }: Context, name: string): Promise<Static<typeof Evacuation>> {
  const row = await requireNode(queries, name);
  const { evacuation_since: since, evacuation_ended_at: ended } = row;
  const common = { name, mode: row.evacuation_mode };
  if (since === null) return { ...common, state: 'none', started: '', ended: '', machines: [] };
  const copies = await copiesByWorkflow(queries);
  return {
    ...common,
    state: ended === null ? 'running' : 'ended',
    started: timeText(since),
    ended: optionalTimeText(ended),
    machines: (await surveyMachines(queries, row)).map(({ machine, last }) => ({
      device: machineName(machine.vmid),
      service: String(machine.service_id),
      account: String(machine.account_id),
      hostname: machine.hostname,
      memorymb: String(machine.memory_mb),
      diskgb: String(machine.disk_gb),
      state: last === undefined ? 'waiting' : isRunning(last) ? 'moving' : 'failed',
      action: last?.id ?? '',
      ...copyShape(last && copies.get(last.id)),
      reason: last === undefined || isRunning(last) ? '' : (last.error_reason ?? 'It was cancelled.'),
    })),
  };
}

export async function nodeMembers({ app, queries }: Context, name: string): Promise<string[]> {
  await requireNode(queries, name);
  const timeout = commandTimeout();
  return app.hypervisors.use(name, async ({ members }) => [...((await members?.list(timeout)) ?? [])]);
}

/** Starts as many migrations as may run. Returns how many machines are left to move. */
export async function continueEvacuations(app: App, signal: AbortSignal): Promise<number> {
  let left = 0;
  for (const row of await hypervisorsEvacuating(app.store.queries))
    if (!signal.aborted) left += await app.store.transaction((queries) => continueEvacuation(app, queries, row.name));
  return left;
}

async function continueEvacuation(app: App, queries: Queries, name: string): Promise<number> {
  const row = await lockNode(queries, name);
  if (!isEvacuating(row)) return 0;
  const machines = await surveyMachines(queries, row);
  const moving = machines.filter(({ last }) => isRunning(last)).length;
  const waiting = machines.filter(({ last }) => last === undefined);
  if (moving + waiting.length === 0)
    await hypervisorMaintenanceSet(queries, name, { evacuation_ended_at: app.clock.now() });
  let free = movesAtOnce - moving;
  for (const { machine } of waiting) {
    if (free <= 0) break;
    // It moves when its other work has ended.
    if ((await workflowsOfService(queries, machine.service_id)).length > 0) continue;
    const options = { target: null, mode: row.evacuation_mode };
    await startMachineMigration(app, queries, machine, 'operator.nodeEvacuate', options);
    free--;
  }
  return moving + waiting.length;
}

async function surveyMachines(queries: Queries, { name, evacuation_since }: HypervisorRow) {
  const machines = await machinesToEvacuate(queries, name, maxMachines);
  const services = machines.map(({ service_id }) => service_id);
  const last = await lastWorkflows(queries, machineMigrate.name, services, evacuation_since ?? 0);
  return machines.map((machine) => ({ machine, last: last.get(machine.service_id) }));
}

function isRunning(record: WorkflowRecord | undefined): boolean {
  return record !== undefined && record.ended_at === null;
}

function isEvacuating({ evacuation_since, evacuation_ended_at }: HypervisorRow): boolean {
  return evacuation_since !== null && evacuation_ended_at === null;
}

async function requireNode(queries: Queries, name: string): Promise<HypervisorRow> {
  return requireUsed(await hypervisorFind(queries, name));
}

/** Two changes at the same moment would not see each other: a cancelled evacuation could start another migration. */
async function lockNode(queries: Queries, name: string): Promise<HypervisorRow> {
  return requireUsed(await hypervisorLock(queries, name));
}

function requireUsed(row: HypervisorRow | undefined): HypervisorRow {
  return requireFound(row?.removed_at === null ? row : undefined, 'Hypervisor not found.');
}
