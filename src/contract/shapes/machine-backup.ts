// Backups of virtual machines, our addition.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { described, text } from './text.ts';

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
  hostname: described('Of the machine at that time'),
  system: text,
  type: described('The type of machine that can be made from it: Xen or OpenVZ'),
  diskgb: described("Size of the machine's disk at that time; a new machine from the backup needs at least as much"),
  volumes: Type.Array(Type.Object({ id: text, name: text, size: described('In GB') }), {
    description: 'Volumes in the backup, as they were at that time',
  }),
  size: described('Bytes of its content, including volumes'),
  added: described('Bytes that it added to the storage of earlier backups'),
  consistent: Type.Boolean({
    description:
      'True if nothing was being written. Otherwise the disks are as after a power failure, from which file systems recover',
  }),
  verified: described('When a test last restored it; empty if never'),
});

export const MachineBackupSchedule = Type.Object({
  frequency: Type.Enum(['off', 'daily', 'weekly']),
  weekday: Type.Integer({ description: 'Day of a weekly backup; 0 is Sunday' }),
  hour: Type.Integer({ description: 'Hour in UTC, during which the backup starts' }),
  daily: Type.Integer({ description: 'Number of days whose last backup is kept' }),
  weekly: Type.Integer({ description: 'Number of weeks whose last backup is kept' }),
  monthly: Type.Integer({ description: 'Number of months whose last backup is kept' }),
  volumes: Type.Enum(['included', 'excluded'], { description: 'Whether backups include the attached volumes' }),
  next: described('When the next one starts; empty if none is scheduled'),
  stored: described('Bytes that all backups of the machine occupy'),
  backups: count,
});

export const StartedBackupWork = Type.Object({ action: described('As in GET /v2/action') });

export const NewMachineBackup = Type.Object({
  id: text,
  action: described('As in GET /v2/action'),
});
