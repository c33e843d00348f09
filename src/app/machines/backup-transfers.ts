// Which content a transfer moves, and from where to where.
import type { SiteBackups } from '#contract/site/backups.ts';
import type { ContentReference, MachineLocation, TransferRequest } from '#drivers/backup/transfer.ts';
import { nodeSealContext } from '#equipment/hypervisors.ts';
import { ApiError, requireFound } from '#lib/api-error.ts';
import { hypervisorNameOf } from '#store/devices/adopted-machines.ts';
import { backupVolumesOf, type BackupVolume } from '#store/devices/backup-volumes.ts';
import { hypervisorFind } from '#store/devices/hypervisors.ts';
import type { BackupPlan, BackupTransfer, MachineBackup } from '#store/devices/machine-backups.ts';
import { machineFind, machineName } from '#store/devices/machines.ts';
import { volumeFind, volumeName } from '#store/devices/volumes.ts';
import { driverSettings } from '#store/driver-settings.ts';
import { copyName, restoredTemplate } from '#workflows/machine/backup-job.ts';
import { newSystemId } from '#workflows/machine/system-switch.ts';
import type { App } from '../app.ts';
import { repositoryAccess } from './backup-settings.ts';

/** A disk of a backup: of the system, or a volume. */
export type BackupPart = MachineBackup | BackupVolume;

export interface PartTransfer {
  readonly part: BackupPart;
  readonly request: TransferRequest;
}

/** Returns the requests of a transfer, one for each disk that it has not stored yet. */
export async function transferRequests(
  app: App,
  transfer: BackupTransfer,
  backup: MachineBackup,
  settings: SiteBackups,
  plan: BackupPlan,
): Promise<PartTransfer[]> {
  const { queries } = app.store;
  const { id, kind, service_id, target_id, account_id } = transfer;
  const volume =
    kind === 'volume' ? requireFound(await volumeFind(queries, account_id, transfer.volume_id ?? 0)) : undefined;
  const machine = await locateMachine(app, target_id ?? service_id, volume?.node);
  const common = { repository: { settings: settings.repository, access: repositoryAccess(app, plan) }, machine };
  const volumes = await backupVolumesOf(queries, [backup.id]);
  if (kind === 'store') {
    const parts = [backup, ...volumes].filter(({ snapshot }) => snapshot === null);
    return parts.map((part, index) => {
      const volume = isVolume(part) ? { volume: volumeName(part.volume_id) } : {};
      const isNew = plan.is_created === 0 && index === 0;
      return { part, request: { ...common, kind, copy: copyName(id), ...volume, isNew } };
    });
  }
  const part = transfer.part === null ? backup : volumes.find(({ volume_id }) => volume_id === transfer.part);
  const content = requireStored(part);
  if (kind === 'restore') return [{ part: backup, request: { ...common, kind, system: newSystemId(id), ...content } }];
  if (kind === 'template')
    return [{ part: backup, request: { ...common, kind, template: restoredTemplate(id), ...content } }];
  const { id: volumeId, size_gb: sizeGb } = volume!;
  const of = transfer.part === null ? 'system' : 'volume';
  return [{ part: part!, request: { ...common, kind, volume: { id: volumeName(volumeId), sizeGb }, of, ...content } }];
}

export function isVolume(part: BackupPart): part is BackupVolume {
  return 'volume_id' in part;
}

/** Rejects if the disk is not stored. */
export function requireStored(part: BackupPart | undefined): ContentReference {
  if (part === undefined || part.snapshot === null || part.digest === null)
    throw new ApiError('not_found', { internal: 'the backup is not stored' });
  return { snapshot: part.snapshot, digest: part.digest };
}

/** `place` is the hypervisor that a new volume belongs to, and is removed from if this fails: the machine may have migrated since. */
async function locateMachine(app: App, service: number, place: string | undefined): Promise<MachineLocation> {
  const { queries } = app.store;
  const machine = await machineFind(queries, service);
  const node = machine?.node ? await hypervisorFind(queries, place ?? machine.node) : undefined;
  if (machine === undefined || node === undefined) throw new ApiError('not_found', { internal: 'the machine is gone' });
  const name = machineName(machine.vmid);
  const { own } = await hypervisorNameOf(queries, node.name, name);
  return {
    driver: node.driver,
    settings: driverSettings.decode(app.secrets.open(node.settings, nodeSealContext(node.name))),
    name,
    ...(own !== null && { adoptedName: own }),
  };
}
