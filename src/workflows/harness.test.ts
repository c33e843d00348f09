// The harness itself: it passes a workflow that cleans up after itself and catches each kind that does not.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { harness } from './harness.ts';
import { careful, makeShelf } from '#test/support/shelf.ts';

harness({ workflow: careful, makeWorld: makeShelf });

for (const flaw of ['leaks', 'repeats', 'half-undone'] as const) {
  test(`a workflow that ${flaw} is caught`, async () => {
    const file = fileURLToPath(new URL('../../test/support/flawed-workflow.ts', import.meta.url));
    // Without the runner's mark in the environment, or the file would report to the runner above it.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { status, stdout } = spawnSync(process.execPath, [file, flaw], { env, encoding: 'utf8' });
    assert.equal(status, 1, 'the harness let it pass');
    assert.match(stdout, /leaves all as it was|changes nothing more/);
  });
}
