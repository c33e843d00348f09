// Two thousand requests that nobody would send. A hundred thousand, and what they leave in memory: test/long/fuzz.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from '#test/support/fuzz.ts';
import { openTestYard } from '#test/support/yard.ts';

test('whatever is sent to any route is answered as documented, and never by a failure of ours', async (t) => {
  await using yard = await openTestYard();
  const statuses = await fuzz(yard, { seed: 20_261_115, requests: 2000 });
  t.diagnostic(JSON.stringify(Object.fromEntries(statuses)));
  // A run that is refused at the door would prove nothing.
  for (const status of [200, 400, 401, 403, 404]) assert.ok((statuses.get(status) ?? 0) > 10, `${status} is rare`);
});
