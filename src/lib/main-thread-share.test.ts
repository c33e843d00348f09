// How long work on the main thread pauses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMainThreadShare } from './main-thread-share.ts';

test('pauses are longer the more work there was, and the more others pause', async () => {
  const pauses: number[] = [];
  const ends: (() => void)[] = [];
  const { pauseAfter } = createMainThreadShare((ms) => {
    pauses.push(ms);
    return new Promise<void>((resolve) => ends.push(resolve));
  });
  const first = pauseAfter(10);
  const second = pauseAfter(10);
  for (const end of ends) end();
  await Promise.all([first, second]);
  void pauseAfter(1);
  assert.deepEqual(pauses, [90, 180, 9]);
});
