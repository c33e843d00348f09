// Version 2, our additions: backups of virtual machines outside of their hypervisor.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
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
      'The machine keeps running. Its system disk is copied and stored encrypted outside of the hypervisor; attached volumes are not.',
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
      'What is omitted stays. The newest backup of each of the last `daily` days, `weekly` weeks and `monthly` months that have one is kept, and the newest of all; others are deleted.',
    params: {
      service: p.Id,
      frequency: p.optional(p.Choice('off', 'daily', 'weekly')),
      weekday: p.optional(p.Whole(0, 6)),
      hour: p.optional(p.Whole(0, 23)),
      daily: keep,
      weekly: keep,
      monthly: keep,
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
      'Replaces the system disk by its content at the time of the backup; everything written since is lost. `hostname` must be that of the machine, so that a mistyped id restores nothing. The backup is written to a new disk while the machine runs; then the machine restarts with it. If that fails, it runs its present system again.',
    params: { service: p.Id, backup: BackupId, hostname: p.DomainName },
    target: ['service', 'backup'],
    result: StartedBackupWork,
    errors: ['state_conflict', 'capability_missing', 'nothing_free', ...equipmentErrors.node],
  }),
} as const;
