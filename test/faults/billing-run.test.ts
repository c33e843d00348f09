// kill -9 at every point of a billing run: its successor continues, and each account has exactly one invoice, with
// gapless numbers.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setServiceTerms } from '#app/billing/terms.ts';
import { startDueRuns } from '#app/billing/run.ts';
import { openQueue } from '#queue/open.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { ledgerList } from '#store/billing/ledger.ts';
import { servicesPut } from '#store/devices/services.ts';
import type { Store } from '#store/store.ts';
import { addAccount } from '#test/support/accounts.ts';
import { plainTerms, setPolicy } from '#test/support/billing-fixtures.ts';
import { startProgram, type Daemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { enginesOfSlowSuites } from '#test/support/engine-suite.ts';
import { openTestStore } from '#test/support/store.ts';
import { until } from '#test/support/until.ts';

const checkpoints = [
  'before measuring',
  'after measuring',
  'before the bill',
  'bill is written but not committed',
  'bill is committed',
];
const accountsPerCheckpoint = 5;

describe('a billing run and kill -9', { concurrency: true }, () => {
  for (const { engine, suite, start } of enginesOfSlowSuites) {
    test(`at each point on ${engine} issues every invoice once`, suite, async () => {
      await using running = await start();
      await using folder = await temporaryFolder('billing-run');
      const { database } = await running.newDatabase();
      const store = await openTestStore({ dataFolder: folder.path, database });
      await using owned = new AsyncDisposableStack();
      owned.defer(() => store.close());
      await setPolicy(store, { numbers: 'N{000}' });
      const parts = { store, clock: systemClock, log: createLog('silent'), instanceId: 'test' };
      const queue = await openQueue(parts, database);
      owned.defer(() => queue.stop());
      const node = (checkpoint: string): Promise<Daemon> =>
        startProgram(
          join(import.meta.dirname, 'billing-node.ts'),
          checkpoint,
          folder.path,
          ...(database === undefined ? [] : [database]),
        );

      for (const [index, checkpoint] of checkpoints.entries()) {
        for (let number = 1; number <= accountsPerCheckpoint; number++)
          await addBilledAccount(store, index * accountsPerCheckpoint + number);
        assert.equal(await startDueRuns({ ...parts, queue }, { operation: 'test' }), accountsPerCheckpoint);
        await using shot = await node(checkpoint);
        assert.equal(await shot.ended, null, shot.output());
      }
      const accounts = checkpoints.length * accountsPerCheckpoint;
      await using last = await node('never');
      await until(async () => {
        assert.ok(last.running(), last.output());
        return (await unbilled(store)) === 0;
      });
      await checkInvoices(store, accounts);
      // Starting the runs again finds nothing to do.
      assert.equal(await startDueRuns({ ...parts, queue }, { operation: 'test' }), 0);
    });
  }
});

async function addBilledAccount(store: Store, id: number): Promise<void> {
  const account = await addAccount(store, id);
  const names = { name: 'VPS', hostname: `s${id}.example.net`, ip: '203.0.113.1' };
  const kind = { type: 'vps', status: 'Active', server: null, created_at: 0 } as const;
  await servicesPut(store.queries, [{ id, account_id: account, vmid: id, ...kind, ...names }]);
  const dates = { now: systemClock.now(), start: undefined, until: undefined, billDay: undefined };
  const terms = { terms: plainTerms, setupCents: 100, ...dates, origin: 'order' } as const;
  await store.transaction((queries) => setServiceTerms(queries, account, id, terms));
}

async function unbilled(store: Store): Promise<number> {
  const rows = await store.queries.selectFrom('billing_accounts').selectAll().execute();
  return rows.filter(({ last_day, run_day }) => last_day === null || run_day !== null).length;
}

async function checkInvoices(store: Store, accounts: number): Promise<void> {
  const invoices = await store.queries.selectFrom('invoices').selectAll().execute();
  const ids = invoices.map(({ account_id }) => account_id).toSorted((left, right) => left - right);
  assert.deepEqual(
    ids,
    Array.from({ length: accounts }, (_, index) => index + 1),
  );
  assert.deepEqual(
    invoices.map(({ number }) => number).toSorted(),
    Array.from({ length: accounts }, (_, index) => `N${String(index + 1).padStart(3, '0')}`),
  );
  for (const { id, account_id, total_cents } of invoices) {
    const entries = await ledgerList(store.queries, account_id);
    assert.ok(entries.every(({ invoice_id }) => invoice_id === id));
    const owed = entries.reduce((sum, { debit, amount_cents }) => sum + (debit === 'receivable' ? amount_cents : 0), 0);
    assert.equal(owed, total_cents);
  }
}
