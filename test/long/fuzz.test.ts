// A hundred thousand requests that nobody would send: as documented to the last, and no memory is left with them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fuzz } from '#test/support/fuzz.ts';
import { openTestYard } from '#test/support/yard.ts';

const rounds = 10;
const requests = 10_000;
const mostGrowthBytes = 20 * 2 ** 20;

test('a hundred thousand of them are answered as documented, and leave no memory taken', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await using yard = await openTestYard();
  const first = Math.floor(Math.random() * 2 ** 31);
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { faces, statuses } = await fuzz(yard, { seed: first + round, requests });
    collect();
    taken.push(process.memoryUsage().heapUsed);
    const counts = JSON.stringify({ ...Object.fromEntries(faces), ...Object.fromEntries(statuses) });
    t.diagnostic(`seed ${first + round}: ${Math.round(taken.at(-1)! / 2 ** 20)} MB, ${counts}`);
  }
  // The first rounds fill what is kept on purpose: statements, remembered keys, compiled code.
  const growth = taken.at(-1)! - taken[Math.floor(rounds / 2)]!;
  assert.ok(growth < mostGrowthBytes, `${growth} bytes more after the second half`);
});
