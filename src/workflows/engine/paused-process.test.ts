// A process that was paused for longer than its lease, such as a virtual machine that was suspended: when it continues, another
// instance may have its workflows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { embeddedQueue } from '#queue/embedded.ts';
import { workflowLoad } from '#store/work/workflows.ts';
import { makeShelf } from '#test/support/shelf-fixture.ts';
import { until } from '#test/support/until.ts';
import { startWorkflow } from './runner.ts';
import { workflowWorker } from './worker.ts';
import { done, workflow } from './workflow.ts';

const log = createLog('silent');

test('a step that continues after a pause sends no further command, and runs again', async ({ mock }) => {
  await using fixture = await makeShelf();
  const { store, account } = fixture;
  const now = performance.now.bind(performance);
  let pausedMs = 0;
  mock.method(performance, 'now', () => now() + pausedMs);
  const sent: string[] = [];
  const definition = workflow<object, object>('two-commands', 1).step('only', {
    async do(context) {
      context.signal.throwIfAborted();
      sent.push('first');
      if (sent.length === 1) pausedMs = 20_000;
      context.signal.throwIfAborted();
      sent.push('second');
      return done();
    },
    undo: 'nothing',
  });
  await using owned = new AsyncDisposableStack();
  const queue = embeddedQueue({ store, clock: systemClock, log, instanceId: 'one' });
  owned.defer(() => queue.stop());
  const parts = { store, clock: systemClock, log, queue, deps: {}, workflows: [definition] };
  await queue.start([workflowWorker(parts)]);
  const start = { account, service: undefined, operation: 'test', input: {} };
  const id = await store.transaction((queries) => startWorkflow(parts, queries, definition, start));
  await until(async () => (await workflowLoad(store.queries, id))?.status === 'Completed');
  assert.deepEqual(sent, ['first', 'first', 'second']);
});
