// New machines and volumes from backups. The machine that a backup is of stays as it is, and may be deleted.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { OrderedMachine } from '#contract/shapes/machine.ts';
import type { StartedVolume } from '#contract/shapes/volume.ts';
import type { machineBackupV2 } from '#contract/v2/machine-backup.ts';
import { conflict, requireFound } from '#lib/api-error.ts';
import { backupVolumesOf, machineBackupClaim } from '#store/devices/backup-volumes.ts';
import { machineDeletionFind } from '#store/devices/machine-deletions.ts';
import { machineBackupFind, type MachineBackup } from '#store/devices/machine-backups.ts';
import { machineTarget } from '#workflows/device-steps.ts';
import { machineBackupVolume } from '#workflows/machine/machine-backup-volume.ts';
import { resolveSshKeys } from '../account/ssh-keys.ts';
import type { Context } from '../app.ts';
import { ownService } from '../pricing/own-service.ts';
import { requireMachine, serviceOf, startServiceWork } from '../services/services.ts';
import { requireBackups } from './backups.ts';
import { requireBackupSettings } from './backup-settings.ts';
import { orderMachine } from './order.ts';
import { insertVolume, machineForVolumes, volumeShape } from './volumes.ts';

/** Orders a machine as any other, with the system disk of the backup. */
export async function orderFromBackup(
  context: Context,
  { service, backup: id, ...order }: InputOf<typeof machineBackupV2.machineBackupOrder>,
): Promise<Static<typeof OrderedMachine>> {
  // What is not the caller's does not exist, whatever else is wrong.
  await resolveSshKeys(context, order.sshkeys ?? []);
  const backup = await claimBackup(context, service, id);
  return orderMachine(context, order, { template: backup.template, backup });
}

/** Restores the system disk of a backup, or one of its volumes, to a new volume of the same or another machine. */
export async function createVolumeFromBackup(
  context: Context,
  {
    service,
    backup: id,
    volume: part,
    name,
    target = service,
  }: InputOf<typeof machineBackupV2.machineBackupVolumeCreate>,
): Promise<Static<typeof StartedVolume>> {
  const { queries } = context;
  const backup = await claimBackup(context, service, id);
  const stored = await backupVolumesOf(queries, [id]);
  const source = part === undefined ? undefined : requireFound(stored.find(({ volume_id }) => volume_id === part));
  const owner = await machineForVolumes(context, target);
  if (owner.machine.kind !== backup.kind)
    throw conflict(
      "A container's backup can only be restored to a container, and a virtual machine's only to a virtual machine. Choose another machine.",
    );
  await requireBackups(context, owner.machine);
  const sizeGb = source?.size_gb ?? backup.disk_gb;
  const volume = await insertVolume(context, owner, name, sizeGb);
  const action = await startServiceWork(context, owner.service, machineBackupVolume, {
    ...machineTarget(owner.machine, 'a restore'),
    backup: id,
    backupService: service,
    part: part ?? null,
    volume: volume.id,
    label: name,
    sizeGb,
  });
  return { ...(await volumeShape(queries, volume)), action };
}

/** Returns a backup of a machine that the customer may use or has deleted, and keeps it from being removed. */
async function claimBackup(context: Context, service: number, id: string): Promise<MachineBackup> {
  const { app, queries } = context;
  const isDeleted = (await machineDeletionFind(queries, service)) !== undefined;
  const { account_id } = requireMachine(await (isDeleted ? ownService : serviceOf)(context, service));
  await requireBackupSettings(app, queries);
  const backup = requireFound(await machineBackupFind(queries, account_id, service, id));
  requireFound((await machineBackupClaim(queries, id)) || undefined);
  return backup;
}
