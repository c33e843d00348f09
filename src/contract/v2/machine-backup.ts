// Version 2, our additions: backups of virtual machines outside of their hypervisor.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import { SshKeys, UserData } from '../installation-parameters.ts';
import * as p from '../parameters.ts';
import { OrderedMachine } from '../shapes/machine.ts';
import { StartedVolume } from '../shapes/volume.ts';
import {
  BackupId,
  MachineBackup,
  MachineBackupSchedule,
  NewMachineBackup,
  StartedBackupWork,
} from '../shapes/machine-backup.ts';

const backupEndpoint = { path: '/v2/machine/backup', tag: 'machine', addition: true } as const;
const schedulePath = '/v2/machine/backup/schedule';
const keep = p.optional(p.Whole(0, 366));

export const machineBackupV2 = {
  machineBackupList: endpoint({
    ...backupEndpoint,
    method: 'GET',
    access: 'device:read',
    summary: 'List backups of a machine',
    description: 'The newest first.',
    params: { service: p.Id },
    result: Type.Array(MachineBackup),
    errors: ['capability_missing'],
  }),
  machineBackupCreate: endpoint({
    ...backupEndpoint,
    method: 'POST',
    access: 'device:write',
    effect: 'equipment',
    cost: 20,
    summary: 'Back up a machine',
    description:
      'The machine keeps running. Its system disk is copied and stored encrypted outside the hypervisor, as are attached volumes unless the schedule excludes them. Disks are not copied at the same moment.',
    params: { service: p.Id },
    target: ['service'],
    result: NewMachineBackup,
    errors: ['state_conflict', 'capability_missing', ...equipmentErrors.node],
  }),
  machineBackupDelete: endpoint({
    ...backupEndpoint,
    method: 'DELETE',
    access: 'device:write',
    effect: 'stored',
    ignoresHold: true,
    summary: 'Delete a backup',
    description: 'This cannot be undone. Other backups are not affected.',
    params: { service: p.Id, backup: BackupId },
    target: ['service', 'backup'],
    result: Type.Literal('Backup Deleted'),
    errors: ['capability_missing', 'state_conflict'],
  }),
  machineBackupScheduleGet: endpoint({
    ...backupEndpoint,
    path: schedulePath,
    method: 'GET',
    access: 'device:read',
    summary: 'Get the backup schedule of a machine',
    params: { service: p.Id },
    result: MachineBackupSchedule,
    errors: ['capability_missing'],
  }),
  machineBackupScheduleSet: endpoint({
    ...backupEndpoint,
    path: schedulePath,
    method: 'PUT',
    access: 'device:write',
    effect: 'stored',
    ignoresHold: true,
    summary: 'Set the backup schedule of a machine',
    description:
      'Omitted fields keep their values. Keeps the newest backup of each of the last `daily` days, `weekly` weeks and `monthly` months that have one, and always the newest backup; deletes the others.',
    params: {
      service: p.Id,
      frequency: p.optional(p.Choice('off', 'daily', 'weekly')),
      weekday: p.optional(p.Whole(0, 6)),
      hour: p.optional(p.Whole(0, 23)),
      daily: keep,
      weekly: keep,
      monthly: keep,
      volumes: p.optional(p.Choice('included', 'excluded')),
    },
    target: ['service'],
    result: MachineBackupSchedule,
    errors: ['capability_missing', 'state_conflict'],
  }),
  machineBackupRestore: endpoint({
    ...backupEndpoint,
    path: '/v2/machine/backup/restore',
    method: 'POST',
    access: 'device:write',
    effect: 'equipment',
    cost: 20,
    summary: 'Restore a machine from a backup',
    description:
      'Replaces the system disk with its content at the time of the backup; everything written since is lost. Volumes stay as they are. `hostname` must be that of the machine, so that a mistyped id restores nothing. The backup is written to a new disk while the machine runs; then the machine restarts with it. If that fails, it runs its current system again.',
    params: { service: p.Id, backup: BackupId, hostname: p.DomainName },
    target: ['service', 'backup'],
    result: StartedBackupWork,
    errors: ['state_conflict', 'capability_missing', 'nothing_free', ...equipmentErrors.node],
  }),
  machineBackupOrder: endpoint({
    ...backupEndpoint,
    path: '/v2/machine/backup/order',
    method: 'POST',
    access: 'device:write',
    effect: 'stored',
    cost: 20,
    summary: 'Order a machine from a backup',
    description:
      'Like POST /v2/machine, with the system disk of the backup. `service` is the machine of the backup, which is not changed; it may be deleted, as long as it can still be restored. The plan needs a disk of at least the same size. The machine gets its own name, addresses, SSH keys and root password at its first boot. Volumes of the backup are restored separately.',
    params: {
      service: p.Id,
      backup: BackupId,
      plan: p.PlanName,
      hostname: p.DomainName,
      location: p.optional(p.Text({ max: 64 })),
      sshkeys: p.optional(SshKeys),
      userdata: p.optional(UserData),
      group: p.optional(p.Id),
    },
    target: ['service', 'plan', 'backup'],
    result: OrderedMachine,
    errors: ['state_conflict', 'capability_missing', 'not_in_catalogue', 'nothing_free'],
  }),
  machineBackupVolumeCreate: endpoint({
    ...backupEndpoint,
    path: '/v2/machine/backup/volume',
    method: 'POST',
    access: 'device:write',
    effect: 'stored',
    cost: 20,
    summary: 'Restore a disk of a backup to a new volume',
    description:
      'Creates a volume with the content of a `volume` of the backup, by default its system disk, and attaches it to the machine `target`, by default the machine of the backup. Use it to read single files, whatever the file system. It is counted and billed like other volumes: detach and delete it when you are done.',
    params: {
      service: p.Id,
      backup: BackupId,
      volume: p.optional(p.Id),
      name: p.Text({ max: 64 }),
      target: p.optional(p.Id),
    },
    target: ['service', 'name', 'target', 'backup'],
    result: StartedVolume,
    errors: ['state_conflict', 'already_exists', 'capability_missing', ...equipmentErrors.node],
  }),
} as const;
