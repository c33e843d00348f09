// Fails for a workflow that is not registered or has no scenario, and runs those of neither machines nor servers through the
// harness; crashes.test.ts of those runs the others.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { stepLabels } from '#contract/workflow-steps.ts';
import { careful } from '#test/support/shelf-fixture.ts';
import { runScenarios, scenarios } from '#test/support/scenarios.ts';
import { withoutScenario } from './engine/harness.ts';
import { workflows } from './registry.ts';
import type { AnyWorkflow } from './engine/workflow.ts';

runScenarios('other');

test('every registered workflow has a scenario', () => {
  assert.deepEqual(withoutScenario(workflows, scenarios), []);
});

test('every step has a label for people', () => {
  const steps = workflows.flatMap((workflow) => workflow.steps.map(({ name }) => name));
  assert.deepEqual(
    steps.filter((name) => !Object.hasOwn(stepLabels, name)),
    [],
  );
});

test('every workflow in this module is registered once per name and version', async () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^[a-z/-]+\.ts$/.test(file),
  );
  const modules = await Promise.all(files.map((file) => import(`./${file}`) as Promise<Record<string, unknown>>));
  const defined = modules.flatMap((exported) => Object.values(exported)).filter(isWorkflow);
  assert.ok(defined.length > 0);
  const named = (list: readonly { name: string; version: number }[]): string[] =>
    list.map(({ name, version }) => `${name} ${version}`).toSorted();
  assert.deepEqual(named(workflows), [...new Set(named(defined))]);
});

function isWorkflow(value: unknown): value is AnyWorkflow<never> {
  return typeof value === 'object' && value !== null && 'steps' in value && 'endHandler' in value;
}

test('a workflow without a scenario is reported', () => {
  assert.deepEqual(withoutScenario([...workflows, careful], scenarios), ['careful version 1']);
});
