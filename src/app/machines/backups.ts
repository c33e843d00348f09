// Backups of virtual machines that customers make, schedule, delete and restore.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type {
  MachineBackup as BackupShape,
  MachineBackupSchedule,
  NewMachineBackup,
  StartedBackupWork,
} from '#contract/shapes/machine-backup.ts';
import type { machineBackupV2 } from '#contract/v2/machine-backup.ts';
import { appendEvent } from '#events/append.ts';
import { requireCapability } from '#drivers/hypervisor/driver.ts';
import { lockForWorkflow, retryWhileBusy } from '#equipment/device-command.ts';
import { conflict, invalid, requireFound } from '#lib/api-error.ts';
import { randomBase32 } from '#lib/random.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import {
  backupsDiscardUnused,
  backupVolumesInsert,
  backupVolumesOf,
  type BackupVolume,
} from '#store/devices/backup-volumes.ts';
import * as store from '#store/devices/machine-backups.ts';
import type { Service } from '#store/devices/services.ts';
import { machineName, type Machine } from '#store/devices/machines.ts';
import { volumeName, volumesAttached } from '#store/devices/volumes.ts';
import { serviceLock } from '#store/operator/operator-services.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { workflowRunning } from '#store/work/workflows.ts';
import { machineTarget } from '#workflows/device-steps.ts';
import { machineBackupRestore } from '#workflows/machine/machine-backup-restore.ts';
import { machineBackup, type MachineBackupInput } from '#workflows/machine/machine-backup.ts';
import { emitForService } from '../events/events.ts';
import { normalizeHostname, requireMachine, serviceOf, startServiceWork } from '../services/services.ts';
import type { App, Context } from '../app.ts';
import { nextBackupAt } from './backup-retention.ts';
import { backupDefaults, newBackupPlan, requireBackupSettings } from './backup-settings.ts';
import { machineOf, type PlacedMachine } from './machines.ts';
import { startMachineWork } from './machine-work.ts';
import { shutdownGraceMs } from './power.ts';

const idBits = 80;

export async function listBackups(context: Context, id: number): Promise<Static<typeof BackupShape>[]> {
  const service = await backupService(context, id);
  const backups = await store.machineBackupList(context.queries, service.account_id, id);
  const volumes = await backupVolumesOf(
    context.queries,
    backups.map((backup) => backup.id),
  );
  const byBackup = Map.groupBy(volumes, ({ backup_id }) => backup_id);
  return backups.map((backup) => backupShape(backup, byBackup.get(backup.id) ?? []));
}

export async function getBackupSchedule(context: Context, id: number): Promise<Static<typeof MachineBackupSchedule>> {
  const { account_id } = await backupService(context, id);
  const stored = await store.backupPlanFind(context.queries, id);
  return scheduleShape(context, stored ?? newBackupPlan(context.app, account_id, id));
}

export async function setBackupSchedule(
  context: Context,
  input: InputOf<typeof machineBackupV2.machineBackupScheduleSet>,
): Promise<Static<typeof MachineBackupSchedule>> {
  const { app, queries } = context;
  const { account_id, id } = await backupService(context, input.service);
  const plan = await store.backupPlanEnsure(queries, newBackupPlan(app, account_id, id));
  const schedule = {
    frequency: input.frequency ?? plan.frequency,
    weekday: input.weekday ?? plan.weekday,
    hour: input.hour ?? plan.hour,
    keep_daily: input.daily ?? plan.keep_daily,
    keep_weekly: input.weekly ?? plan.keep_weekly,
    keep_monthly: input.monthly ?? plan.keep_monthly,
    with_volumes: input.volumes === undefined ? plan.with_volumes : Number(input.volumes === 'included'),
  };
  const { perMachine = backupDefaults.perMachine } = await requireBackupSettings(app, queries);
  if (schedule.keep_daily + schedule.keep_weekly + schedule.keep_monthly > perMachine)
    throw conflict(`A machine can keep ${perMachine} backups. Lower daily, weekly or monthly.`);
  const next_at = nextBackupAt({ service_id: id, ...schedule }, app.clock.now());
  await store.backupPlanChange(queries, id, { ...schedule, next_at });
  await reconcilerSignal(queries, store.backupReconciler);
  context.emit('device.backup.scheduled', { frequency: schedule.frequency }, id);
  return scheduleShape(context, { ...plan, ...schedule, next_at });
}

export async function createBackup(context: Context, id: number): Promise<Static<typeof NewMachineBackup>> {
  const service = await backupService(context, id);
  const machine = await machineOf(context, service);
  await requireBackups(context, machine);
  const { perMachine = backupDefaults.perMachine } = await requireBackupSettings(context.app, context.queries);
  return retryWhileBusy(context.app.leaseFeed, machineName(machine.vmid), () =>
    context.app.store.transaction(async (queries) => {
      // Each time: another call may have been faster while this one waited.
      await requireIdle(queries, id);
      if ((await store.machineBackupsCount(queries, id)) >= perMachine)
        throw conflict(`The machine has ${perMachine} backups. Delete one first.`);
      const input = await newBackupInput(queries, machine, (await store.backupPlanFind(queries, id)) ?? backupDefaults);
      const action = await startServiceWork({ ...context, queries }, service, machineBackup, input);
      await recordBackup(context.app, queries, { workflow: action, input, service, machine, source: 'request' });
      return { id: input.backup, action };
    }),
  );
}

/** Returns the input of a workflow that makes a new backup, with the volumes that are attached now. */
export async function newBackupInput(
  queries: Queries,
  machine: PlacedMachine,
  { with_volumes }: Pick<store.BackupPlan, 'with_volumes'>,
): Promise<MachineBackupInput> {
  const volumes = with_volumes === 1 ? await volumesAttached(queries, machine.service_id) : [];
  const target = machineTarget(machine, 'a backup');
  return { ...target, backup: randomBase32(idBits), volumes: volumes.map(({ id }) => volumeName(id)) };
}

/** Locks the machine for a backup that was started in the same transaction. Rejects with `device_busy` if it is locked. */
export async function recordBackup(
  app: App,
  queries: Queries,
  { workflow, input: { backup: id, volumes: names = [] }, service, machine, source }: StartedBackup,
): Promise<void> {
  const now = app.clock.now();
  const { account_id, id: service_id, hostname } = service;
  await lockForWorkflow(queries, { device: machineName(machine.vmid), holder: workflow, purpose: 'a backup' }, now);
  await store.backupPlanEnsure(queries, newBackupPlan(app, account_id, service_id));
  const { template, kind, disk_gb } = machine;
  const owner = { id, account_id, service_id, hostname, template, kind, disk_gb, source, created_at: now };
  const content = { snapshot: null, digest: null, size_bytes: 0, added_bytes: 0, is_consistent: 0 };
  const unverified = { verified_at: null, verify_error: '' };
  await store.machineBackupInsert(queries, { ...owner, ...content, ...unverified, state: 'creating' });
  const attached = (await volumesAttached(queries, service_id)).filter((volume) =>
    names.includes(volumeName(volume.id)),
  );
  await backupVolumesInsert(
    queries,
    attached.map(({ id: volume_id, name, size_gb }) => ({ backup_id: id, volume_id, account_id, name, size_gb })),
  );
  const data = { backup: id, source };
  await appendEvent(app, queries, { account: account_id, service: service_id, type: 'device.backup.started', data });
}

interface StartedBackup {
  readonly workflow: string;
  readonly input: MachineBackupInput;
  readonly service: Pick<Service, 'id' | 'account_id' | 'hostname'>;
  readonly machine: Pick<Machine, 'vmid' | 'template' | 'kind' | 'disk_gb'>;
  readonly source: store.MachineBackup['source'];
}

/** Until the transaction ends, no other call starts a backup. */
export async function requireIdle(queries: Queries, service: number): Promise<void> {
  await serviceLock(queries, service);
  if ((await workflowRunning(queries, service, machineBackup.name)) !== undefined)
    throw conflict('A backup of this machine is being created. Wait until it has finished.');
}

export async function deleteBackup(context: Context, id: number, backup: string): Promise<void> {
  const { queries } = context;
  const service = await backupService(context, id);
  const found = requireFound(await store.machineBackupFind(queries, service.account_id, id, backup));
  if ((await workflowRunning(queries, id, machineBackupRestore.name)) !== undefined)
    throw conflict('The machine is being restored. Wait until that has finished.');
  if ((await backupsDiscardUnused(queries, id, [found.id])).length > 0)
    throw conflict('The backup is being restored. Wait until that has finished.');
  await reconcilerSignal(queries, store.backupReconciler);
  context.emit('device.backup.deleted', { backup }, id);
}

export async function restoreBackup(
  context: Context,
  { service: id, backup, hostname }: InputOf<typeof machineBackupV2.machineBackupRestore>,
): Promise<Static<typeof StartedBackupWork>> {
  const { app, queries } = context;
  const service = await backupService(context, id);
  const found = requireFound(await store.machineBackupFind(queries, service.account_id, id, backup));
  if (normalizeHostname(hostname) !== normalizeHostname(service.hostname))
    throw invalid({ hostname: 'must be the hostname of the machine, as confirmation' });
  const machine = await machineOf(context, service);
  await requireBackups(context, machine);
  const target = machineTarget(machine, 'a restore');
  const input = { ...target, backup, template: found.template, graceMs: shutdownGraceMs };
  const action = await retryWhileBusy(app.leaseFeed, input.name, () =>
    app.store.transaction(async (inside) => {
      await requireIdle(inside, id);
      const inTransaction = { ...context, queries: inside };
      const workflow = await startMachineWork(inTransaction, service, machineBackupRestore, input);
      await emitForService(inTransaction, service, 'device.restore.started', { backup });
      return workflow;
    }),
  );
  return { action };
}

/** Returns a virtual machine of the caller's, if the provider offers backups. */
export async function backupService(context: Context, id: number): Promise<Service> {
  const service = requireMachine(await serviceOf(context, id));
  await requireBackupSettings(context.app, context.queries);
  return service;
}

/** Rejects if the hypervisor cannot be reached or has no backups, before anything is started. */
export async function requireBackups({ app }: Context, { node }: PlacedMachine): Promise<void> {
  await app.hypervisors.use(node, async (hypervisor) => requireCapability(hypervisor, 'backups'));
}

function backupShape(backup: store.MachineBackup, volumes: readonly BackupVolume[]): Static<typeof BackupShape> {
  return {
    id: backup.id,
    status: backup.state === 'stored' ? 'Stored' : 'Creating',
    source: backup.source,
    created: timeText(backup.created_at),
    hostname: backup.hostname,
    system: backup.template,
    type: backup.kind,
    diskgb: String(backup.disk_gb),
    volumes: volumes.map(({ volume_id, name, size_gb }) => ({ id: String(volume_id), name, size: String(size_gb) })),
    size: String(backup.size_bytes),
    added: String(backup.added_bytes),
    consistent: backup.is_consistent === 1,
    verified: optionalTimeText(backup.verified_at),
  };
}

async function scheduleShape(
  { queries }: Context,
  plan: store.BackupPlan,
): Promise<Static<typeof MachineBackupSchedule>> {
  return {
    frequency: plan.frequency,
    weekday: plan.weekday,
    hour: plan.hour,
    daily: plan.keep_daily,
    weekly: plan.keep_weekly,
    monthly: plan.keep_monthly,
    volumes: plan.with_volumes === 1 ? 'included' : 'excluded',
    next: optionalTimeText(plan.next_at),
    stored: String(plan.stored_bytes),
    backups: await store.machineBackupsCount(queries, plan.service_id),
  };
}
