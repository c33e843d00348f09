// Backups of virtual machines, our addition.
import { Type } from 'typebox';
import { Moment } from './account.ts';

const text = Type.String();
const count = Type.Integer();

/** Random, unlike other ids, because workflows name it before it is stored. */
export const BackupId = Type.String({
  minLength: 12,
  maxLength: 40,
  pattern: '^[a-z0-9]{12,40}$',
  'x-reason': 'must be the id of a backup',
});

export const MachineBackup = Type.Object({
  id: text,
  status: Type.Enum(['Creating', 'Stored'], { description: 'Only a stored backup can be restored' }),
  source: Type.Enum(['schedule', 'request']),
  created: Moment,
  hostname: Type.String({ description: 'Of the machine at that time' }),
  system: text,
  type: Type.String({ description: 'The type of machine that can be made from it: Xen or OpenVZ' }),
  diskgb: Type.String({
    description: "Size of the machine's disk at that time; a new machine from the backup needs at least as much",
  }),
  volumes: Type.Array(Type.Object({ id: text, name: text, size: Type.String({ description: 'In GB' }) }), {
    description: 'Volumes in the backup, as they were at that time',
  }),
  size: Type.String({ description: 'Bytes of its content, including volumes' }),
  added: Type.String({ description: 'Bytes that it added to the storage of earlier backups' }),
  consistent: Type.Boolean({
    description:
      'True if nothing was being written. Otherwise the disks are as after a power failure, from which file systems recover',
  }),
  verified: Type.String({ description: 'When a test last restored it; empty if never' }),
});

export const MachineBackupSchedule = Type.Object({
  frequency: Type.Enum(['off', 'daily', 'weekly']),
  weekday: Type.Integer({ description: 'Day of a weekly backup; 0 is Sunday' }),
  hour: Type.Integer({ description: 'Hour in UTC, during which the backup starts' }),
  daily: Type.Integer({ description: 'Number of days whose last backup is kept' }),
  weekly: Type.Integer({ description: 'Number of weeks whose last backup is kept' }),
  monthly: Type.Integer({ description: 'Number of months whose last backup is kept' }),
  volumes: Type.Enum(['included', 'excluded'], { description: 'Whether backups include the attached volumes' }),
  next: Type.String({ description: 'When the next one starts; empty if none is scheduled' }),
  stored: Type.String({ description: 'Bytes that all backups of the machine occupy' }),
  backups: count,
});

export const StartedBackupWork = Type.Object({
  action: Type.String({ description: 'As in GET /v2/action' }),
});

export const NewMachineBackup = Type.Object({
  id: text,
  action: Type.String({ description: 'As in GET /v2/action' }),
});
