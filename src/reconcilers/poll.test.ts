import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pollingReconciler } from './poll.ts';

test('a device whose poll ends while the due devices are listed is not polled again', async () => {
  const slow = Promise.withResolvers<void>();
  const polls: string[] = [];
  let lists = 0;
  const reconciler = pollingReconciler(
    'polls',
    async () => {
      lists++;
      if (lists === 1) return [{ name: 'slow' }, { name: 'fast' }];
      if (lists > 2) return [];
      // It was due when the list was read.
      slow.resolve();
      await turn();
      return [{ name: 'slow' }];
    },
    async ({ name }) => {
      polls.push(name);
      if (name === 'slow') await slow.promise;
    },
  );
  await reconciler.run(new AbortController().signal);
  assert.deepEqual(polls, ['slow', 'fast']);
});
