import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDestructive } from '#contract/destructive-operations.ts';
import { powerActions, powerActionInfo } from './power-actions.ts';

const possible = (state: 'on' | 'off' | 'unknown'): string[] =>
  powerActions.filter((action) => powerActionInfo[action].unavailable[state] === undefined);

test('a running device cannot be powered on, and a stopped one cannot be powered off or rebooted', () => {
  assert.deepEqual(possible('on'), ['shutdown', 'off', 'reboot', 'cycle']);
  assert.deepEqual(possible('off'), ['on', 'cycle']);
});

test('every action is available while the power state is unknown', () => {
  assert.deepEqual(possible('unknown'), powerActions);
});

test('exactly the actions that the contract calls destructive need a confirmation', () => {
  for (const action of powerActions)
    assert.equal(
      powerActionInfo[action].consequence !== undefined,
      isDestructive('devicePowerSet', { action }),
      action,
    );
});
