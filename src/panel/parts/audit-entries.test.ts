import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutFinishedStarts } from './audit-entries.ts';

test('the start of an operation is listed only until its end is', () => {
  const entry = (requestid: string, outcome: string) => ({ requestid, operation: 'v2.devicePowerSet', outcome });
  const running = entry('c', 'begun');
  const [success, failure] = [entry('a', 'success'), entry('b', 'device_unreachable')];
  const all = [running, failure, entry('b', 'begun'), success, entry('a', 'begun')];
  assert.deepEqual(withoutFinishedStarts(all), [running, failure, success]);
});
