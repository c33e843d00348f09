// The operator's side: backups of the installation, on its own disk.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';

const text = Type.String();
export const Backup = Type.Object({
  file: Type.String({ description: 'In the folder `backups` of the data folder' }),
  taken: Type.String({ description: 'Everything that was acknowledged before this moment is in it' }),
  bytes: text,
  version: Type.String({ description: 'The Hostyard that wrote it' }),
  engine: Type.Enum(['sqlite', 'postgres']),
  sealingkey: Type.String({ description: 'Fingerprint of the key that it needs; the key itself is not in it' }),
});

export const backupOperator = {
  backupList: endpoint({
    method: 'GET',
    path: '/operator/backup',
    tag: 'backup',
    access: 'operator:read',
    command: 'backup list',
    addition: true,
    summary: 'The backups that were taken here, newest first',
    params: {},
    result: Type.Array(Backup),
  }),
  backupCreate: endpoint({
    method: 'POST',
    path: '/operator/backup',
    tag: 'backup',
    access: 'operator:owner',
    effect: 'equipment',
    command: 'backup create',
    addition: true,
    summary: 'Take a backup while everything runs; answers when it is checked and on the disk',
    description:
      'The oldest beyond `HOSTYARD_BACKUPS_KEPT` are removed. `hostyard backup FILE` on the machine itself writes one anywhere, and is the better way for a large database.',
    params: {},
    result: Backup,
  }),
} as const;
