// A hundred thousand random requests: every response is as documented, and memory does not grow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fuzz } from '#test/support/fuzz.ts';
import { openTestApp } from '#test/support/app.ts';

const rounds = 10;
const requests = 10_000;
const mostGrowthBytes = 20 * 2 ** 20;

test('a hundred thousand of them get documented responses and leave no memory in use', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await using app = await openTestApp();
  const first = Math.floor(Math.random() * 2 ** 31);
  const heapBytes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { apis, statuses } = await fuzz(app, { seed: first + round, requests });
    collect();
    heapBytes.push(process.memoryUsage().heapUsed);
    const counts = JSON.stringify({ ...Object.fromEntries(apis), ...Object.fromEntries(statuses) });
    t.diagnostic(`seed ${first + round}: ${Math.round(heapBytes.at(-1)! / 2 ** 20)} MB, ${counts}`);
  }
  // The first rounds fill caches: statements, keys, compiled code.
  const growth = heapBytes.at(-1)! - heapBytes[Math.floor(rounds / 2)]!;
  assert.ok(growth < mostGrowthBytes, `${growth} bytes more after the second half`);
});
