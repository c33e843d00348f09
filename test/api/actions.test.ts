// Actions: what runs or ran for the account, on both engines. Each story puts workflows where it needs them and moves them
// itself; that they move by themselves is told in test/faults/workflows.test.ts.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { AccountId } from '#store/tables.ts';
import { workflowAdvance, workflowCountTries, workflowEnd } from '#store/work/workflows.ts';
import { reconcilerEnrol, reconcilerFinish, reconcilerTake } from '#store/work/reconcilers.ts';
import { startWorkflow } from '#workflows/runner.ts';
import { done, workflow } from '#workflows/workflow.ts';
import { request } from '#test/support/request.ts';
import { until } from '#test/support/until.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

interface Action {
  started: string;
  id: string;
  status: string;
  service: string;
  step: string;
  progress: string;
  code: string;
}
interface Refusal {
  code: string;
  fields: Record<string, string>;
}

const twoSteps = workflow<object, object>('two-steps', 1)
  .step('first', { do: async () => done(), undo: 'nothing' })
  .step('second', { do: async () => done(), undo: 'nothing' });

for (const { engine, suite, start } of engines) {
  describe(`actions on ${engine}`, suite, () => {
    let database: Awaited<ReturnType<typeof start>>;
    let yard: TestYard;
    let key: string;
    before(async () => {
      database = await start();
      yard = await openTestYard(await database.newDatabase());
      ({ key } = yard.lab.customer);
    });
    after(async () => {
      await yard[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });

    const begin = (service: number | undefined, account = yard.lab.customer.account): Promise<string> => {
      // Ids sort by the millisecond of the start.
      yard.pass(1);
      return yard.parts.store.transaction((queries) =>
        startWorkflow(yard.parts, queries, twoSteps, {
          account: Number(account) as AccountId,
          service,
          operation: 'v2.deviceReload',
          input: {},
        }),
      );
    };
    const end = (id: string, status: 'Completed' | 'Failed' = 'Completed') =>
      workflowEnd(yard.parts.store.queries, id, { status, at: yard.parts.clock.now() });
    const list = async (params: Record<string, unknown> = {}) => {
      const answer = await request<{ result: Action[] }>(yard, 'GET', '/v2/action', { key, params });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.result;
    };
    const get = (id: string, params: Record<string, unknown> = {}, as = key) =>
      request<{ result: Action & Refusal }>(yard, 'GET', `/v2/action/${id}`, { key: as, params });
    const ids = (actions: readonly Action[]): string[] => actions.map(({ id }) => id);

    it('are shown whole, from their start to their end', async () => {
      const before = yard.parts.clock.now();
      const id = await begin(1001);
      const { body } = await get(id);
      const { started } = body.result;
      const at = Date.parse(`${started.replace(' ', 'T')}Z`);
      // To the second, as it is told.
      assert.ok(at >= before - 1000 && at <= yard.parts.clock.now(), started);
      const begun = {
        id,
        operation: 'v2.deviceReload',
        service: '1001',
        status: 'Queued',
        progress: '0',
        step: 'first',
      };
      assert.deepEqual(body.result, { ...begun, started, ended: '', code: '', error: '' });
      await workflowAdvance(yard.parts.store.queries, id, { status: 'Stuck', progress: 50, step: 'second' });
      const { status, progress, step } = (await get(id)).body.result;
      assert.deepEqual(
        [status, progress, step],
        ['Running', '50', 'second'],
        'that it is stuck is not the customer’s concern',
      );
      await workflowAdvance(yard.parts.store.queries, id, {
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

    it('concern a service or none', async () => {
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
      assert.deepEqual(ids(await list({ ids: `${first},${third}` })), [first, third], 'in the order asked for');
      // What a customer takes for running, whatever the operator calls it.
      await workflowAdvance(yard.parts.store.queries, first!, { status: 'Running' });
      await workflowAdvance(yard.parts.store.queries, third!, { status: 'Stuck' });
      assert.deepEqual(ids(await list({ service: 1002, status: 'Running' })), [third, first]);
      for (const id of [first!, third!]) await end(id);
    });

    it('with wait are answered when something changes, and not when nothing does that can be seen', async () => {
      const [changing, still] = [await begin(1001), await begin(1001)];
      const { queries } = yard.parts.store;
      let answered = false;
      const waiting = list({ ids: `${still},${changing}`, wait: 60 }).finally(() => (answered = true));
      await workflowCountTries(queries, changing!, 3);
      await pause(500);
      assert.equal(answered, false);
      await workflowAdvance(queries, changing!, { status: 'Running' });
      assert.deepEqual(
        (await waiting).map(({ status }) => status),
        ['Queued', 'Running'],
      );
      await end(changing!);
      assert.equal((await get(still!, { wait: 1 })).body.result.status, 'Queued', 'when the time is up');
      await end(still!);
      assert.equal((await get(still!, { wait: 60 })).body.result.status, 'Completed', 'at once when it has ended');
    });

    it('are waited for by twenty calls of an account at once, and by another when one of them is answered', async () => {
      const id = await begin(1001);
      const statuses: number[] = [];
      const calls = Array.from({ length: 25 }, async () => {
        const { status, headers } = await get(id, { wait: 60 });
        assert.equal(headers.get('retry-after'), status === 429 ? '1' : null);
        statuses.push(status);
      });
      await until(() => statuses.length === 5, { saw: () => statuses, patienceMs: 50_000 });
      assert.equal((await get(id)).status, 200, 'who does not wait is not in the way');
      await end(id);
      await Promise.all(calls);
      assert.deepEqual(statuses, [...Array.from({ length: 5 }, () => 429), ...Array.from({ length: 20 }, () => 200)]);
      const next = await begin(1001);
      assert.equal((await get(next, { wait: 1 })).status, 200);
      await end(next);
    });

    it('of somebody else are as if they were not there', async () => {
      const id = await begin(undefined, yard.lab.stranger.account);
      const absent = `${id.slice(0, -4)}aaaa`;
      const told = async (path: string): Promise<string> => {
        const answer = await fetch(new URL(path, yard.url), { headers: { 'x-api-key': key } });
        assert.equal(answer.status, 404);
        return answer.text();
      };
      for (const path of ['/v2/action/ID', '/v2/action/ID?wait=5', '/v2/action?ids=ID', '/v2/action?ids=ID&wait=5']) {
        assert.equal(await told(path.replace('ID', id)), await told(path.replace('ID', absent)));
      }
      assert.ok(!ids(await list({ limit: 1000 })).includes(id));
      assert.equal((await get(id, {}, yard.lab.stranger.key)).status, 200);
    });

    it('refuse what makes no sense, by name', async () => {
      const refused = async (params: Record<string, unknown>): Promise<string[]> => {
        const answer = await request<{ result: Refusal }>(yard, 'GET', '/v2/action', { key, params });
        assert.equal(answer.status, 400, JSON.stringify(params));
        return Object.keys(answer.body.result.fields);
      };
      assert.deepEqual(await refused({ wait: 5 }), ['wait']);
      assert.deepEqual(await refused({ wait: 61, ids: 'abcdefghijklmnop' }), ['wait']);
      assert.deepEqual(await refused({ ids: 'NOT-AN-ID' }), ['ids']);
      assert.deepEqual(await refused({ status: 'Stuck' }), ['status']);
      assert.deepEqual(await refused({ before: '1' }), ['before']);
      assert.deepEqual(await refused({ limit: 0 }), ['limit']);
      const filters = { service: 1001, status: 'Running', limit: 5, before: 'abcdefghijklmnop' };
      assert.deepEqual(await refused({ ids: 'abcdefghijklmnop', ...filters }), Object.keys(filters));
      assert.equal((await get('NOT-AN-ID')).status, 400);
    });

    it('are read with the scope of reading devices', async () => {
      const id = await begin(undefined);
      const keyWith = async (scope: string): Promise<string> => {
        const params = { name: scope, scopes: [scope] };
        const made = await request<{ result: { key: string } }>(yard, 'POST', '/v2/account/key', { key, params });
        return made.body.result.key;
      };
      assert.equal((await get(id, {}, await keyWith('device:read'))).status, 200);
      const other = await get(id, {}, await keyWith('billing:read'));
      assert.deepEqual([other.status, other.body.result.code], [403, 'scope_missing']);
      await end(id);
    });

    it('that run, and reconcilers, stand in the metrics', async () => {
      const { queries } = yard.parts.store;
      const id = await begin(undefined);
      await workflowAdvance(queries, id, { status: 'Stuck' });
      await reconcilerEnrol(queries, 'never-run');
      await reconcilerEnrol(queries, 'sweeper');
      await reconcilerTake(queries, 'sweeper', 'a', 1, 2);
      await reconcilerFinish(queries, 'sweeper', 'a', {
        nextRunAt: 0,
        signalsSeen: 0,
        success: { at: 1_700_000_000_500, durationMs: 1250, backlog: 7 },
        error: null,
      });
      const { body } = await request<string>(yard, 'GET', '/metrics', { key: yard.lab.operator.key });
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

    it('held back are answered when the server stops', async () => {
      const id = await begin(undefined);
      const waiting = get(id, { wait: 60 });
      await pause(300);
      yard.parts.stop();
      assert.equal((await waiting).body.result.status, 'Queued');
    });
  });
}
