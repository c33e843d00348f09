// Races every changing endpoint against itself with one Idempotency-Key, on both databases. Each acts once: all callers get the
// same response, or an error that the first call is still running. A call that loops without yielding
// would stop this process, and the runner's time limit ends it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { effectOf, isReading } from '#contract/endpoint.ts';
import { createAccountFixtures, inputs } from '#test/support/account-fixtures.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { changingExample } from '#test/support/examples.ts';
import { operatorCall } from '#test/support/operator-fixtures.ts';
import { request } from '#test/support/request.ts';
import { callRoute, errorOf, keyFor, routes, type Route, type RouteResponse } from '#test/support/routes.ts';

const racing = 3;
const mutations = routes.filter(({ endpoint }) => effectOf(endpoint) !== 'none' && endpoint.access !== 'public');

describeOnEngines('calls with one Idempotency-Key at the same time', ({ openApp }) => {
  let app: TestApp;
  before(async () => {
    app = await openApp();
    await applySite(app.parts, { ...app.site, webhooks: { allow: ['127.0.0.0/8'] } });
  });

  async function exampleOf(route: Route): Promise<{ readonly key?: string; readonly params: Record<string, unknown> }> {
    if (route.operation.api === 'operator') return operatorCall(app, route);
    const fixtures = await createAccountFixtures(app, app.lab.customer.key, route);
    const changing = inputs(route, fixtures, app.lab).find((input) => !isReading(route.endpoint, input));
    return { params: changing ?? changingExample(route.endpoint) };
  }

  test('act once at every endpoint, and the server stays responsive', { timeout: 240_000 }, async () => {
    for (const [index, route] of mutations.entries()) {
      const { params, key = keyFor(app, route) } = await exampleOf(route);
      const options = { key, headers: { 'idempotency-key': `race ${index}` } };
      const send = (): Promise<RouteResponse> => callRoute(app, route, params, 'json', options);
      const responses = await Promise.all(Array.from({ length: racing }, send));
      const settled = responses.filter((response) => !isStillRunning(response));
      assert.ok(settled.length > 0, `${route.label}: every call failed because another was running`);
      for (const { status, body } of settled)
        assert.deepEqual({ status, body }, { status: settled[0]!.status, body: settled[0]!.body }, route.label);
      assert.notEqual(settled[0]!.status, 500, route.label);
    }
    assert.equal((await request(app, 'GET', '/readyz')).status, 200);
  });
});

function isStillRunning(response: RouteResponse): boolean {
  return response.status === 409 && errorOf(response).code === 'idempotency_in_progress';
}
