// How longer work is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionWords, isUnderWay, stepWords } from './action-words.ts';

test('an action is called by its own words, on whichever interface it was begun', () => {
  assert.equal(actionWords('v2.devicePowerSet'), 'Power command');
  assert.equal(actionWords('site.apply'), 'Set up by the provider');
  assert.equal(actionWords('legacy.netblockRequest'), 'Netblock request');
});

test('a step is its name, taken apart', () => {
  assert.equal(stepWords('powerOff'), 'Power off');
  assert.equal(stepWords('wait-for-boot'), 'Wait for boot');
  assert.equal(stepWords(''), '');
});

test('what is queued or runs is under way', () => {
  const states = ['Queued', 'Running', 'Completed', 'Failed', 'Cancelled'] as const;
  assert.deepEqual(
    states.filter((status) => isUnderWay({ status })),
    ['Queued', 'Running'],
  );
});
