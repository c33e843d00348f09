// The words of a status, read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCancellable, reloadProgress } from './reload-progress.ts';

test('a status is read as its state, with how far it is and why it failed', () => {
  assert.deepEqual(reloadProgress('Installing 40%'), { state: 'Installing', percent: 40, reason: '' });
  assert.deepEqual(reloadProgress('Failed: the disk is too small'), {
    state: 'Failed',
    percent: 0,
    reason: 'the disk is too small',
  });
  assert.deepEqual(reloadProgress('Completed'), { state: 'Completed', percent: 100, reason: '' });
  for (const none of ['No reload in progress', 'No rescue system in use', ''])
    assert.equal(reloadProgress(none).state, undefined, none);
});

test('what has begun goes forward and never back', () => {
  const seen = ['Queued', 'Booting', 'Installing 0%', 'Installing 3%', 'Installing 100%', 'Completed'];
  const percents = seen.map((status) => reloadProgress(status).percent);
  assert.deepEqual(
    percents,
    percents.toSorted((one, other) => one - other),
  );
});

test('only what is under way can be cancelled', () => {
  const can = (status: string): boolean => isCancellable(reloadProgress(status));
  assert.deepEqual(['Queued', 'Booting', 'Installing 5%'].map(can), [true, true, true]);
  assert.deepEqual(['Active', 'Completed', 'Failed: x', 'Cancelled', 'No reload in progress'].map(can), [
    false,
    false,
    false,
    false,
    false,
  ]);
});
