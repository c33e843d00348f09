import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '#test/support/folder.ts';
import { copyEmptyDatabase } from './empty-database.ts';

test('an empty database is copied only if nothing is left of another one', async () => {
  await using folder = await temporaryFolder('empty');
  const source = join(folder.path, 'source');
  writeFileSync(source, 'empty');
  const copyTo = (name: string): void => copyEmptyDatabase(join(folder.path, name), pathToFileURL(source));
  const read = (name: string): string => readFileSync(join(folder.path, name), 'utf8');
  copyTo('new');
  assert.equal(read('new'), 'empty');
  assert.equal(statSync(join(folder.path, 'new')).mode & 0o777, 0o600);
  writeFileSync(join(folder.path, 'old'), 'full');
  copyTo('old');
  assert.equal(read('old'), 'full');
  writeFileSync(join(folder.path, 'removed-wal'), 'changes');
  copyTo('removed');
  copyEmptyDatabase(join(folder.path, 'none'), pathToFileURL(join(folder.path, 'missing')));
  assert.deepEqual(readdirSync(folder.path).toSorted(), ['new', 'old', 'removed-wal', 'source']);
});
