// Actions: what runs or ran for the account, on both engines. Each test inserts workflows and advances them itself;
// test/faults/workflows.test.ts covers the runner.
import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { workflowAdvance, workflowCountTries, workflowEnd } from '#store/work/workflows.ts';
import { reconcilerRegister, reconcilerFinish, reconcilersAcquire } from '#store/work/reconcilers.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { done, workflow } from '#workflows/engine/workflow.ts';
import type { Action } from '#sdk/v2.ts';
import { createKey, request, requestResult, type ErrorResult } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import type { AccountId } from '#store/account-id.ts';

const twoSteps = workflow<object, object>('two-steps', 1)
  .step('first', { do: async () => done(), undo: 'nothing' })
  .step('second', { do: async () => done(), undo: 'nothing' });

describeOnEngines('actions', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let key: string;
  before(async () => {
    app = await openApp();
    ({ key } = app.lab.customer);
  });

  const begin = (service: number | undefined, account = app.lab.customer.account): Promise<string> => {
    // Ids sort by the millisecond of the start.
    app.pass(1);
    return app.parts.store.transaction((queries) =>
      startWorkflow(app.parts, queries, twoSteps, {
        account: Number(account) as AccountId,
        service,
        operation: 'v2.deviceReload',
        input: {},
      }),
    );
  };
  const end = (id: string, status: 'Completed' | 'Failed' = 'Completed') =>
    workflowEnd(app.parts.store.queries, id, { status, at: app.parts.clock.now() });
  const list = (params: Record<string, unknown> = {}) =>
    requestResult<Action[]>(app, 'GET', '/v2/action', { key, params });
  const get = (id: string, params: Record<string, unknown> = {}, as = key) =>
    request<{ result: Action & ErrorResult }>(app, 'GET', `/v2/action/${id}`, { key: as, params });
  const ids = (actions: readonly Action[]): string[] => actions.map(({ id }) => id);

  it('are returned completely, from start to end', async () => {
    const before = app.parts.clock.now();
    const id = await begin(1001);
    const { body } = await get(id);
    const { started } = body.result;
    const at = Date.parse(`${started.replace(' ', 'T')}Z`);
    // With a precision of a second, as in the response.
    assert.ok(at >= before - 1000 && at <= app.parts.clock.now(), started);
    const initial = {
      id,
      operation: 'v2.deviceReload',
      service: '1001',
      status: 'Queued',
      progress: '0',
      step: 'first',
    };
    assert.deepEqual(body.result, { ...initial, started, ended: '', code: '', error: '' });
    await workflowAdvance(app.parts.store.queries, id, { status: 'Stuck', progress: 50, step: 'second' });
    const { status, progress, step } = (await get(id)).body.result;
    assert.deepEqual(
      [status, progress, step],
      ['Running', '50', 'second'],
      "a stuck workflow is not the customer's concern",
    );
    await workflowAdvance(app.parts.store.queries, id, {
      error_code: 'bmc_unreachable',
      error_reason: 'It was silent.',
    });
    await end(id, 'Failed');
    const over = (await get(id)).body.result as unknown as Record<string, string>;
    assert.deepEqual(
      [over['status'], over['step'], over['code'], over['error']],
      ['Failed', '', 'bmc_unreachable', 'It was silent.'],
    );
    assert.match(over['ended']!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  it('belong to a service or to none', async () => {
    const id = await begin(undefined);
    assert.equal((await get(id)).body.result.service, '');
    await end(id);
  });

  it('are listed newest first, by service, by status, in pages, and by name', async () => {
    const [first, second, third] = [await begin(1002), await begin(1002), await begin(1002)];
    await end(second!);
    assert.deepEqual(ids(await list({ service: 1002 })), [third, second, first]);
    assert.deepEqual(ids(await list({ service: 1002, status: 'Completed' })), [second]);
    assert.deepEqual(ids(await list({ service: 1002, limit: 2 })), [third, second]);
    assert.deepEqual(ids(await list({ service: 1002, limit: 2, before: second })), [first]);
    assert.deepEqual(ids(await list({ ids: `${first},${third}` })), [first, third], 'in the requested order');
    // A customer sees it as running, whatever operators call it.
    await workflowAdvance(app.parts.store.queries, first!, { status: 'Running' });
    await workflowAdvance(app.parts.store.queries, third!, { status: 'Stuck' });
    assert.deepEqual(ids(await list({ service: 1002, status: 'Running' })), [third, first]);
    for (const id of [first!, third!]) await end(id);
  });

  it('with `wait` return when something visible changes, and not otherwise', async () => {
    const [changing, still] = [await begin(1001), await begin(1001)];
    const { queries } = app.parts.store;
    let hasReturned = false;
    const waiting = list({ ids: `${still},${changing}`, wait: 60 }).finally(() => (hasReturned = true));
    await workflowCountTries(queries, changing!, 3);
    await pause(500);
    assert.equal(hasReturned, false);
    await workflowAdvance(queries, changing!, { status: 'Running' });
    assert.deepEqual(
      (await waiting).map(({ status }) => status),
      ['Queued', 'Running'],
    );
    await end(changing!);
    assert.equal((await get(still!, { wait: 1 })).body.result.status, 'Queued', 'when the time is up');
    await end(still!);
    assert.equal((await get(still!, { wait: 60 })).body.result.status, 'Completed', 'at once if it has ended');
  });

  it('can be waited for by twenty calls of an account at once, and by another when one of them returns', async () => {
    const id = await begin(1001);
    const statuses: number[] = [];
    const calls = Array.from({ length: 25 }, async () => {
      const { status, headers } = await get(id, { wait: 60 });
      assert.equal(headers.get('retry-after'), status === 429 ? '1' : null);
      statuses.push(status);
    });
    await until(() => statuses.length === 5, { saw: () => statuses, patienceMs: 50_000 });
    assert.equal((await get(id)).status, 200, 'calls that do not wait are unaffected');
    await end(id);
    await Promise.all(calls);
    assert.deepEqual(statuses, [...Array.from({ length: 5 }, () => 429), ...Array.from({ length: 20 }, () => 200)]);
    const next = await begin(1001);
    assert.equal((await get(next, { wait: 1 })).status, 200);
    await end(next);
  });

  it('of another account look as if they did not exist', async () => {
    const id = await begin(undefined, app.lab.stranger.account);
    const absent = `${id.slice(0, -4)}aaaa`;
    const notFoundBody = async (path: string): Promise<string> => {
      const response = await fetch(new URL(path, app.url), { headers: { 'x-api-key': key } });
      assert.equal(response.status, 404);
      return response.text();
    };
    for (const path of ['/v2/action/ID', '/v2/action/ID?wait=5', '/v2/action?ids=ID', '/v2/action?ids=ID&wait=5']) {
      assert.equal(await notFoundBody(path.replace('ID', id)), await notFoundBody(path.replace('ID', absent)));
    }
    assert.ok(!ids(await list({ limit: 1000 })).includes(id));
    assert.equal((await get(id, {}, app.lab.stranger.key)).status, 200);
  });

  it('reject invalid input by parameter name', async () => {
    const rejectedFields = async (params: Record<string, unknown>): Promise<string[]> => {
      const response = await request<{ result: ErrorResult }>(app, 'GET', '/v2/action', { key, params });
      assert.equal(response.status, 400, JSON.stringify(params));
      return Object.keys(response.body.result.fields);
    };
    assert.deepEqual(await rejectedFields({ wait: 5 }), ['wait']);
    assert.deepEqual(await rejectedFields({ wait: 61, ids: 'abcdefghijklmnop' }), ['wait']);
    assert.deepEqual(await rejectedFields({ ids: 'NOT-AN-ID' }), ['ids']);
    assert.deepEqual(await rejectedFields({ status: 'Stuck' }), ['status']);
    assert.deepEqual(await rejectedFields({ before: '1' }), ['before']);
    assert.deepEqual(await rejectedFields({ limit: 0 }), ['limit']);
    const filters = { service: 1001, status: 'Running', limit: 5, before: 'abcdefghijklmnop' };
    assert.deepEqual(await rejectedFields({ ids: 'abcdefghijklmnop', ...filters }), Object.keys(filters));
    assert.equal((await get('NOT-AN-ID')).status, 400);
  });

  it('require the scope for reading devices', async () => {
    const id = await begin(undefined);
    const keyWith = async (scope: string) => (await createKey(app, key, { scopes: [scope] })).key;
    assert.equal((await get(id, {}, await keyWith('device:read'))).status, 200);
    const other = await get(id, {}, await keyWith('billing:read'));
    assert.deepEqual([other.status, other.body.result.code], [403, 'scope_missing']);
    await end(id);
  });

  it('in progress, and reconcilers, are in the metrics', async () => {
    const { queries } = app.parts.store;
    const id = await begin(undefined);
    await workflowAdvance(queries, id, { status: 'Stuck' });
    await reconcilerRegister(queries, 'never-run');
    await reconcilerRegister(queries, 'sweeper');
    await reconcilersAcquire(queries, ['sweeper'], 'a', 1, 2);
    await reconcilerFinish(queries, 'sweeper', 'a', {
      nextRunAt: 0,
      signalsSeen: 0,
      success: { at: 1_700_000_000_500, durationMs: 1250, backlog: 7 },
      error: null,
    });
    const { body } = await request<string>(app, 'GET', '/metrics', { key: app.lab.operator.key });
    const lines = body.split('\n');
    for (const line of [
      'hostyard_workflows{status="Stuck"} 1',
      'hostyard_reconciler_last_success_seconds{name="sweeper"} 1700000000.5',
      'hostyard_reconciler_duration_seconds{name="sweeper"} 1.25',
      'hostyard_reconciler_backlog{name="sweeper"} 7',
    ]) {
      assert.ok(lines.includes(line), line);
    }
    assert.doesNotMatch(body, /last_success_seconds\{name="never-run"\}/);
    await end(id);
  });

  it('that are being waited for return when the server stops', async () => {
    const id = await begin(undefined);
    const waiting = get(id, { wait: 60 });
    await pause(300);
    app.parts.stop();
    assert.equal((await waiting).body.result.status, 'Queued');
  });
});
