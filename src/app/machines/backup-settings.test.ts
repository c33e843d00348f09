// What a site file has to say about the storage of backups.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BackupRepositorySettings } from '#contract/site/backups.ts';
import { checkBackups } from './backup-settings.ts';

const problems = (repository: BackupRepositorySettings, more: object = {}) =>
  [...checkBackups({ backups: { repository, ...more } })].map(([path, text]) => `${path.join('.')}: ${text}`);

test('each driver needs its own settings', () => {
  assert.deepEqual(problems({ driver: 'local', path: '/srv/backups' }), []);
  assert.deepEqual(problems({ driver: 'local', path: 'backups' }, { scratch: 'tmp' }), [
    'backups.repository.path: must be the path of a folder, beginning with a slash',
    'backups.scratch: must be the path of a folder, beginning with a slash',
  ]);
  const sftp = { driver: 'sftp', path: '/backups', host: 'backup.example.net', user: 'hostyard' } as const;
  assert.deepEqual(problems(sftp), [
    'backups.repository: a repository with the driver sftp needs key',
    'backups.repository: a repository with the driver sftp needs hostKey',
  ]);
  const s3 = { driver: 's3', path: 'machines', url: 'https://s3.example.net/backups' } as const;
  assert.deepEqual(problems({ ...s3, accessKeyId: 'id', secretAccessKey: 'secret' }), []);
  assert.equal(problems(s3).length, 2);
  assert.deepEqual([...checkBackups({})], []);
});
