// Every registered workflow goes through the harness. One that has no scenario here fails the run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { careful } from '#test/support/shelf.ts';
import { scenarios } from '#test/support/scenarios.ts';
import { harness, unenrolled } from './harness.ts';
import { workflows } from './registry.ts';

for (const scenario of scenarios) harness(scenario);

test('every registered workflow is enrolled in the harness', () => {
  assert.deepEqual(unenrolled(workflows, scenarios), []);
});

test('a workflow without a scenario is named', () => {
  assert.deepEqual(unenrolled([...workflows, careful], scenarios), ['careful version 1']);
});
