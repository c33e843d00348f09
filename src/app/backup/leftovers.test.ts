import assert from 'node:assert/strict';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dayMs } from '#lib/time.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { removeLeftovers } from './leftovers.ts';

test('copies of the database that a killed backup left are removed, but neither those of a running one nor backups', async () => {
  await using folder = await temporaryFolder('leftovers');
  const [old, now] = [new Date(Date.now() - 2 * dayMs), new Date()];
  const add = async (name: string, at: Date): Promise<void> => {
    const path = join(folder.path, name);
    if (name.startsWith('.')) await mkdir(path).then(() => writeFile(join(path, 'database'), 'copy'));
    else await writeFile(path, 'archive');
    await utimes(path, at, at);
  };
  await add('.hostyard-backup-old', old);
  await add('hostyard-2026-11-01T00-00-00-000Z.tar.17.partial', old);
  await add('.hostyard-backup-new', now);
  await add('hostyard-2026-11-02T00-00-00-000Z.tar.18.partial', now);
  await add('hostyard-2026-11-01T00-00-00-000Z.tar', old);
  await add('notes', old);
  await removeLeftovers(folder.path);
  assert.deepEqual((await readdir(folder.path)).toSorted(), [
    '.hostyard-backup-new',
    'hostyard-2026-11-01T00-00-00-000Z.tar',
    'hostyard-2026-11-02T00-00-00-000Z.tar.18.partial',
    'notes',
  ]);
});
