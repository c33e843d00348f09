// Five thousand random requests, in every state of the customer's services and half of them on each database, and some
// that are hardly requests. test/long/fuzz.test.ts sends a hundred thousand and watches memory.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fuzz } from '#test/support/fuzz.ts';
import { enterState, lifecycleStates } from '#test/support/lifecycle-states.ts';
import { rawExchanges } from '#test/support/raw-http.ts';
import { request } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const seed = 20_261_115;
const requestsPerState = 280;

describeOnEngines('random input of several callers', ({ engine, openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp()));

  for (const [index, state] of lifecycleStates.entries())
    test(`gets a documented response and never an internal error, with services ${state}`, async (t) => {
      await enterState(app, state);
      const ofEngine = engine === 'sqlite' ? 0 : lifecycleStates.length;
      const { statuses, apis } = await fuzz(app, { seed: seed + ofEngine + index, requests: requestsPerState });
      t.diagnostic(JSON.stringify({ ...Object.fromEntries(apis), ...Object.fromEntries(statuses) }));
      // A run that is rejected at the start would prove nothing.
      for (const status of [200, 400, 401, 403, 404]) assert.ok((statuses.get(status) ?? 0) > 3, `${status} is rare`);
      for (const api of ['v2', 'legacy', 'operator']) assert.ok((apis.get(api) ?? 0) > 50, `${api} is rare`);
      assert.ok((apis.get('automation') ?? 0) > 10);
    });
});

describe('random input', () => {
  const owned = suiteResources();
  let app: TestApp;
  before(async () => void (app = owned.use(await openTestApp())));

  test('that is not HTTP is rejected or disconnected, causes no internal error, and delays nobody', async (t) => {
    const statuses = new Map<string, number>();
    for (const { sent, isAnswered, received } of await rawExchanges(app, seed)) {
      const lines = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => status!);
      assert.ok(
        lines.every((status) => status < '500') && (!isAnswered || lines.length > 0),
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
