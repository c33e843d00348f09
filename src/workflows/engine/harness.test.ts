// The harness itself: it passes a workflow that cleans up after itself and catches each kind of flaw.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { harness } from './harness.ts';
import { careful, makeShelf } from '#test/support/shelf-fixture.ts';

harness({ workflow: careful, makeFixture: makeShelf });

for (const flaw of ['leaks', 'repeats', 'half-undone'] as const) {
  test(`a workflow that ${flaw} is caught`, async () => {
    const file = fileURLToPath(new URL('../../../test/support/flawed-workflow.ts', import.meta.url));
    // Otherwise the file would report its tests to this test runner.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { status, stdout } = spawnSync(process.execPath, [file, flaw], { env, encoding: 'utf8' });
    assert.equal(status, 1, 'the harness did not catch it');
    assert.match(stdout, /restores the initial state|same effect as once/);
  });
}
