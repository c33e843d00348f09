import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { consoleTicketInsert } from '#store/devices/console-tickets.ts';
import { workflowEnd } from '#store/work/workflows.ts';
import { request } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { countTurns } from '#test/support/turns.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { workflow } from '#workflows/engine/workflow.ts';
import { housekeeping } from './housekeeping.ts';
import type { AccountId } from '#store/account-id.ts';

const hour = 3_600_000;
const day = 24 * hour;
const empty = workflow<object, object>('empty', 1);

describeOnEngines('housekeeping', ({ newDatabase }) => {
  test('deletes everything when it expires, and not before', async () => {
    await using app = await openTestApp(await newDatabase());
    const { parts } = app;
    const account = Number(app.lab.customer.account) as AccountId;
    const hook = await request(app, 'POST', '/v2/account/webhook', {
      key: app.lab.customer.key,
      params: { url: 'https://93.184.216.34/' },
    });
    assert.equal(hook.status, 200, JSON.stringify(hook.body));
    await request(app, 'POST', '/v2/account/key', {
      key: app.lab.customer.key,
      params: { name: 'a', scopes: ['event:read'] },
      headers: { 'idempotency-key': 'one' },
    });
    const { queries } = parts.store;
    const now = parts.clock.now();
    const ticket = { hash: 'x', account_id: account, service_id: 1001, key_id: 1, address: '127.0.0.1' };
    await consoleTicketInsert(queries, { ...ticket, expires_at: now + 60_000 });
    const { email, password } = app.lab.customer;
    await request(app, 'POST', '/v2/session', { params: { email, password } });
    const start = { account, service: undefined, operation: 'test', input: {} };
    const [ended] = await parts.store.transaction(async (transaction) => [
      await startWorkflow(parts, transaction, empty, start),
      await startWorkflow(parts, transaction, empty, start),
    ]);
    await workflowEnd(queries, ended!, { status: 'Completed', at: now });
    const steps: readonly [number, readonly number[]][] = [
      // tickets, sessions, responses, events, deliveries, workflows
      [0, [1, 1, 1, 1, 1, 2]],
      [hour, [0, 1, 1, 1, 1, 2]],
      [12 * hour, [0, 0, 1, 1, 1, 2]],
      [8 * day, [0, 0, 0, 1, 1, 2]],
      [90 * day, [0, 0, 0, 0, 0, 2]],
      [400 * day, [0, 0, 0, 0, 0, 1]],
    ];
    for (const [passed, left] of steps) {
      app.pass(passed);
      const { backlog } = await housekeeping(parts.store, parts.clock).run(new AbortController().signal);
      assert.equal(backlog, 0);
      assert.deepEqual(await counts(app), left, `after another ${passed / hour} hours`);
    }
    const response = { account_id: account, method: 'POST', path: '/', fingerprint: '', claimed_by: '' };
    const expired = { ...response, status: 200, body: '', claimed_until: 0, expires_at: now };
    for (let batch = 0; batch < 5; batch++)
      await queries
        .insertInto('idempotency')
        .values(Array.from({ length: 500 }, (_, index) => ({ ...expired, key: `${batch} ${index}` })))
        .execute();
    const turns = await countTurns(housekeeping(parts.store, parts.clock).run(new AbortController().signal));
    assert.ok(turns >= 5, `requests could run ${turns} times`);
    assert.deepEqual(await counts(app), steps.at(-1)![1]);
  });
});

async function counts({ parts }: TestApp): Promise<number[]> {
  const counts: number[] = [];
  for (const source of [
    'console_tickets',
    "keys where kind = 'session'",
    'idempotency',
    'events',
    'deliveries',
    // Excludes the workflows that create the lab's machines.
    "workflows where operation = 'test'",
  ]) {
    const { rows } = await sql
      .raw<{ count: number }>(`select count(*) as count from ${source}`)
      .execute(parts.store.queries);
    counts.push(rows[0]!.count);
  }
  return counts;
}
