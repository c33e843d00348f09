// Operator API: backups of the installation, on its own disk.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { described, text } from '../shapes/text.ts';

export const Backup = Type.Object({
  file: described('File in the folder `backups` of the data folder'),
  taken: described('Everything acknowledged before this time is included'),
  bytes: text,
  version: described('The version of Hostyard that wrote it'),
  engine: Type.Enum(['sqlite', 'postgres']),
  sealingkey: described('Fingerprint of the sealing key that it needs; the key itself is not included'),
});

export const backupOperator = {
  backupList: endpoint({
    method: 'GET',
    path: '/operator/backup',
    tag: 'backup',
    access: 'operator:read',
    command: 'backup list',
    summary: 'List backups, newest first',
    result: Type.Array(Backup),
  }),
  backupCreate: endpoint({
    method: 'POST',
    path: '/operator/backup',
    tag: 'backup',
    access: 'operator:owner',
    effect: 'equipment',
    command: 'backup create',
    summary: 'Create a backup',
    description:
      'Runs while the server is in use, and returns once the backup is verified and on disk. Backups beyond `HOSTYARD_BACKUPS_KEPT` are deleted, oldest first. For a large database, use `hostyard backup FILE` on the server itself, which can write anywhere.',
    result: Backup,
  }),
} as const;
