// Five thousand random requests, and some that are hardly requests. test/long/fuzz.test.ts sends a hundred thousand and
// watches memory.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fuzz } from '#test/support/fuzz.ts';
import { rawExchanges } from '#test/support/raw-http.ts';
import { request } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';

const seed = 20_261_115;

describe('random input', () => {
  let app: TestApp;
  before(async () => void (app = await openTestApp()));
  after(() => app[Symbol.asyncDispose]());

  test('to any route gets a documented response, and never an internal error', async (t) => {
    const { statuses, apis } = await fuzz(app, { seed, requests: 5000 });
    t.diagnostic(JSON.stringify({ ...Object.fromEntries(apis), ...Object.fromEntries(statuses) }));
    // A run that is rejected at the start would prove nothing.
    for (const status of [200, 400, 401, 403, 404]) assert.ok((statuses.get(status) ?? 0) > 25, `${status} is rare`);
    for (const api of ['v2', 'legacy', 'operator']) assert.ok((apis.get(api) ?? 0) > 1000, `${api} is rare`);
  });

  test('that is not HTTP is rejected or disconnected, causes no internal error, and delays nobody', async (t) => {
    const statuses = new Map<string, number>();
    for (const { sent, received } of await rawExchanges(app, seed)) {
      const lines = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => status!);
      assert.ok(
        lines.every((status) => status < '500'),
        `${JSON.stringify(sent.slice(0, 2000))} got ${received.slice(0, 2000)}`,
      );
      for (const status of lines) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    t.diagnostic(JSON.stringify(Object.fromEntries(statuses)));
    for (const status of ['200', '400', '401', '405', '413', '431'])
      assert.ok(statuses.has(status), `${status} never occurred`);
    const { status } = await request(app, 'GET', '/v2/account', { key: app.lab.customer.key });
    assert.equal(status, 200);
  });
});
