import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '#test/support/folder.ts';
import { engines } from '#test/support/app.ts';
import { openOwnedStore, openTestStore } from '#test/support/store.ts';
import { addAccount } from '#test/support/accounts.ts';
import type { Queue } from '#queue/queue.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { workflow } from '#workflows/engine/workflow.ts';
import { metaPut } from '../meta.ts';
import { moveClockColumns, measuringColumns, moveLateStarts, moveStragglers } from './clock-moves.ts';
import { reconcilerRegister, reconcilerStates } from './reconcilers.ts';
import { workflowAdvance } from './workflows.ts';

/** Times that were promised or reported: they stay when the clock is set. */
const promised = [
  'account_exports.expires_at',
  'erasures.kept_until',
  'accounts.password_temporary_until',
  'billing_accounts.next_day',
  'billing_suspensions.since',
  'device_holds.since',
  'dunning_holds.since',
  'idempotency.expires_at',
  'impersonations.expires_at',
  'invitations.expires_at',
  'keys.expires_at',
  'machine_backup_plans.next_at',
  'machine_deletions.expires_at',
  'nodes.evacuation_since',
  'nodes.maintenance_since',
  'keys.previous_until',
  'licences.billed_until',
  'mail_bounces.undeliverable_since',
  'netblock_holdings.held_until',
  'nullroutes.ends_at',
  'operators.totp_since',
  'plans.expires_at',
  'port_holdings.held_until',
  'service_suspensions.since',
  'service_terms.billed_until',
  'totps.since',
  'webhooks.previous_until',
  'zone_claims.expires_at',
];

const hourMs = 3_600_000;

describe('a clock change', () => {
  it('moves every column that measures time, and every time column is classified', () => {
    const schema = readFileSync(join(import.meta.dirname, '../../../golden/schema.sql'), 'utf8');
    const measured = measuringColumns.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
    const known = new Set([...promised, ...measured]);
    const timeColumns = [...schema.matchAll(/^CREATE TABLE (\w+) \(([^;]*)\);/gm)].flatMap(([, table, body]) =>
      [
        ...body!.matchAll(
          /(?:^|,)\s*((?:\w+_)?(?:until|since|expires_at|ends_at)|next_(?!hop)\w+|run_at|heartbeat_at) /g,
        ),
      ].map(([, column]) => `${table}.${column}`),
    );
    assert.ok(timeColumns.length > 20);
    assert.deepEqual(
      timeColumns.filter((column) => !known.has(column)),
      [],
      'neither measuring nor promised',
    );
    assert.deepEqual(
      promised.filter((column) => !timeColumns.includes(column)),
      [],
      'does not exist',
    );
  });

  for (const { engine, suite, start } of engines)
    it(
      `moves the columns once on ${engine}, however many instances see it and when, and keeps what is due immediately`,
      suite,
      async () => {
        await using running = await start();
        await using folder = await temporaryFolder('clock');
        const { database } = await running.newDatabase();
        const store = await openTestStore({ dataFolder: folder.path, database });
        try {
          for (const name of ['due', 'planned']) await reconcilerRegister(store.queries, name);
          const now = 1_800_000_000_000;
          const planned = { run_at: now + 5000 };
          await store.queries.updateTable('reconcilers').set(planned).where('name', '=', 'planned').execute();
          const runAt = async () => (await reconcilerStates(store.queries)).map(({ run_at }) => run_at);
          const move = (by: number, seen: number) => moveClockColumns(store, { by, seen, toleranceMs: 5000 });
          assert.equal(await move(-hourMs, 0), -hourMs);
          assert.deepEqual(await runAt(), [0, now - hourMs + 5000]);
          // Another instance sees it later, and measures it less accurately.
          assert.equal(await move(-hourMs - 20, 0), -hourMs);
          assert.deepEqual(await runAt(), [0, now - hourMs + 5000]);
          assert.equal(await move(hourMs, -hourMs), 0);
          assert.deepEqual(await runAt(), [0, now + 5000]);
          assert.equal(await move(2 * hourMs, 0), 2 * hourMs);
          // A third one was cut off meanwhile: for it, the clock was set once. A fourth one has seen half of it.
          assert.equal(await move(2 * hourMs, 0), 2 * hourMs);
          assert.equal(await move(3 * hourMs, -hourMs), 2 * hourMs);
          assert.deepEqual(await runAt(), [0, now + 2 * hourMs + 5000]);
          // A process ended in the middle of a move back.
          const partsLeft = engine === 'postgres' ? measuringColumns.length + 1 : 1;
          await metaPut(store.queries, 'clock moves', JSON.stringify({ total: 0, by: -2 * hourMs, partsLeft }));
          assert.equal(await move(0, 0), 0);
          // An instance that had not seen the change yet wrote this with the old clock.
          const straggler = { now: now - 24 * hourMs, by: -24 * hourMs };
          await moveStragglers(store, straggler);
          await moveStragglers(store, straggler);
          assert.deepEqual(await runAt(), [0, now - 24 * hourMs + 5000]);
        } finally {
          await store.close();
        }
      },
    );

  it('set forward moves the steps that another instance started before it noticed', async () => {
    await using owned = new AsyncDisposableStack();
    const store = await openOwnedStore(owned, 'clock');
    const setAt = 1_800_000_000_000;
    const now = setAt + hourMs + 4000;
    const account = await addAccount(store, 1);
    const parts = { queue: { enqueue: async () => '' } as Partial<Queue> as Queue, clock: { now: () => setAt } };
    const start = { account, service: undefined, operation: 'test', input: {} };
    const starts = [setAt + 1500, now - 2000, setAt - hourMs, setAt + 2000];
    for (const [index, step_since] of starts.entries()) {
      const id = await startWorkflow(parts, store.queries, workflow('test', 1), start);
      await workflowAdvance(store.queries, id, { step_since, ended_at: index === 3 ? now : null });
    }
    for (let instance = 1; instance <= 2; instance++) await moveLateStarts(store, { setAt, by: hourMs });
    const rows = await store.queries.selectFrom('workflows').select('step_since').execute();
    const moved = [setAt + hourMs + 1500, ...starts.slice(1)];
    assert.deepEqual(new Set(rows.map(({ step_since }) => step_since)), new Set(moved));
  });

  const postgres = engines.find(({ engine }) => engine === 'postgres')!;
  it('waits for a transaction on PostgreSQL without holding what that one needs next', postgres.suite, async () => {
    await using running = await postgres.start();
    await using folder = await temporaryFolder('clock');
    const { database } = await running.newDatabase();
    const store = await openTestStore({ dataFolder: folder.path, database });
    try {
      await reconcilerRegister(store.queries, 'planned');
      const now = 1_800_000_000_000;
      await store.queries.updateTable('reconcilers').set({ run_at: now }).execute();
      await store.queries.insertInto('pollers').values({ instance: 'a', live_until: now }).execute();
      let moving: Promise<number> | undefined;
      // Not a transaction of the store, which would be repeated after a deadlock.
      await store.queries.transaction().execute(async (queries) => {
        await queries
          .updateTable('pollers')
          .set({ live_until: now + 1 })
          .execute();
        moving = moveClockColumns(store, { by: hourMs, seen: 0, toleranceMs: 5000 });
        // PostgreSQL looks for a deadlock once, a second after the wait begins: this one must find it.
        await sleep(1500);
        await queries.updateTable('reconcilers').set({ signals: 1 }).execute();
      });
      await moving;
      const [row] = await reconcilerStates(store.queries);
      assert.deepEqual([row?.run_at, row?.signals], [now + hourMs, 1]);
    } finally {
      await store.close();
    }
  });
});
