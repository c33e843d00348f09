// Which power buttons can act in which state.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDestroying } from '#contract/destroys.ts';
import { powerActions, powerRow } from './power-table.ts';

const possible = (state: 'on' | 'off' | 'unknown'): string[] =>
  powerActions.filter((action) => powerRow(action).against[state] === undefined);

test('a device that is on is not switched on, one that is off is neither switched off nor rebooted', () => {
  assert.deepEqual(possible('on'), ['off', 'reboot', 'cycle']);
  assert.deepEqual(possible('off'), ['on', 'cycle']);
});

test('in an unknown state nothing is refused beforehand', () => {
  assert.deepEqual(possible('unknown'), powerActions);
});

test('what the contract calls destroying is asked about first, and nothing else', () => {
  for (const action of powerActions)
    assert.equal(powerRow(action).cost !== undefined, isDestroying('devicePowerSet', { action }), action);
});
