// Every workflow goes through the harness. One that is not registered, or has no scenario there, fails the run.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { careful } from '#test/support/shelf.ts';
import { scenarios } from '#test/support/scenarios.ts';
import { harness, unenrolled } from './harness.ts';
import { workflows } from './registry.ts';
import type { AnyWorkflow } from './workflow.ts';

for (const scenario of scenarios) harness(scenario);

test('every registered workflow is enrolled in the harness', () => {
  assert.deepEqual(unenrolled(workflows, scenarios), []);
});

test('every workflow of this room is registered, and each name and version once', async () => {
  const files = readdirSync(import.meta.dirname).filter((file) => /^[a-z-]+\.ts$/.test(file));
  const modules = await Promise.all(files.map((file) => import(`./${file}`) as Promise<Record<string, unknown>>));
  const defined = modules.flatMap((exported) => Object.values(exported)).filter(isWorkflow);
  assert.ok(defined.length > 0);
  const named = (list: readonly { name: string; version: number }[]): string[] =>
    list.map(({ name, version }) => `${name} ${version}`).toSorted();
  assert.deepEqual(named(workflows), [...new Set(named(defined))]);
});

function isWorkflow(value: unknown): value is AnyWorkflow<never> {
  return typeof value === 'object' && value !== null && 'steps' in value && 'whenEnded' in value;
}

test('a workflow without a scenario is named', () => {
  assert.deepEqual(unenrolled([...workflows, careful], scenarios), ['careful version 1']);
});
