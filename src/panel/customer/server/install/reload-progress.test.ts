import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCancellable, parseReloadStatus } from './reload-progress.ts';

test('a status is parsed into its state, percentage and failure reason', () => {
  assert.deepEqual(parseReloadStatus('Installing 40%'), { state: 'Installing', percent: 40, reason: '' });
  assert.deepEqual(parseReloadStatus('Failed: the disk is too small'), {
    state: 'Failed',
    percent: 0,
    reason: 'the disk is too small',
  });
  assert.deepEqual(parseReloadStatus('Completed'), { state: 'Completed', percent: 100, reason: '' });
  for (const none of ['No reload in progress', 'No rescue system in use', ''])
    assert.equal(parseReloadStatus(none).state, undefined, none);
});

test('progress never goes backwards', () => {
  const statuses = ['Queued', 'Booting', 'Installing 0%', 'Installing 3%', 'Installing 100%', 'Completed'];
  const percents = statuses.map((status) => parseReloadStatus(status).percent);
  assert.deepEqual(
    percents,
    percents.toSorted((left, right) => left - right),
  );
});

test('only an installation in progress can be cancelled', () => {
  const states = ['Queued', 'Booting', 'Installing 5%', 'Active', 'Completed', 'Failed: x', 'Cancelled', 'No reload'];
  assert.deepEqual(
    states.filter((status) => isCancellable(parseReloadStatus(status))),
    ['Queued', 'Booting', 'Installing 5%'],
  );
});
