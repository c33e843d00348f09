// Five thousand requests that nobody would send, and some that are hardly requests. A hundred thousand, and what they leave in
// memory: test/long/fuzz.test.ts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fuzz } from '#test/support/fuzz.ts';
import { rawExchanges } from '#test/support/raw-http.ts';
import { request } from '#test/support/request.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

const seed = 20_261_115;

describe('whatever is sent', () => {
  let yard: TestYard;
  before(async () => void (yard = await openTestYard()));
  after(() => yard[Symbol.asyncDispose]());

  test('to any route is answered as documented, and never by a failure of ours', async (t) => {
    const { statuses, faces } = await fuzz(yard, { seed, requests: 5000 });
    t.diagnostic(JSON.stringify({ ...Object.fromEntries(faces), ...Object.fromEntries(statuses) }));
    // A run that is refused at the door would prove nothing.
    for (const status of [200, 400, 401, 403, 404]) assert.ok((statuses.get(status) ?? 0) > 25, `${status} is rare`);
    for (const face of ['v2', 'legacy', 'operator']) assert.ok((faces.get(face) ?? 0) > 1000, `${face} is rare`);
  });

  test('in the place of HTTP is refused or hung up on, is no failure of ours, and holds nobody up', async (t) => {
    const statuses = new Map<string, number>();
    for (const { sent, received } of await rawExchanges(yard, seed)) {
      const lines = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => status!);
      assert.ok(
        lines.every((status) => status < '500'),
        `${JSON.stringify(sent.slice(0, 2000))} got ${received.slice(0, 2000)}`,
      );
      for (const status of lines) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    t.diagnostic(JSON.stringify(Object.fromEntries(statuses)));
    for (const status of ['200', '400', '401', '405', '413', '431'])
      assert.ok(statuses.has(status), `${status} was never answered`);
    const { status } = await request(yard, 'GET', '/v2/account', { key: yard.lab.customer.key });
    assert.equal(status, 200);
  });
});
