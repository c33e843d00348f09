// kill -9 at every moment of a billing run: whoever comes after goes on, and each account has its one invoice, with numbers
// without gaps.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceTermsSet } from '#app/billing/terms.ts';
import { startDueRuns } from '#app/billing/run.ts';
import { openJobs } from '#jobs/open.ts';
import { systemClock } from '#kernel/clock.ts';
import { makeLog } from '#kernel/log.ts';
import { dayOf } from '#kernel/moments.ts';
import { ledgerList } from '#store/billing/ledger.ts';
import { servicePut } from '#store/devices/services.ts';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { addAccount } from '#test/support/accounts.ts';
import { plainTerms, setPolicy } from '#test/support/billing-world.ts';
import { startDaemon, type Daemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { engines } from '#test/support/yard.ts';

const moments = [
  'before measuring',
  'after measuring',
  'before the bill',
  'bill is written but not committed',
  'bill is committed',
];
const accountsPerMoment = 5;

describe('a billing run and kill -9', { concurrency: true }, () => {
  for (const { engine, suite, start } of engines) {
    test(`at each of its moments on ${engine} issues every invoice once`, suite, async () => {
      await using running = await start();
      await using folder = await temporaryFolder('billing-run');
      const { database } = await running.newDatabase();
      const store = await openStore({ dataFolder: folder.path, database });
      await using owned = new AsyncDisposableStack();
      owned.defer(() => store.close());
      await setPolicy(store, { numbers: 'N{000}' });
      const parts = { store, clock: systemClock, log: makeLog('silent'), node: 'test' };
      const jobs = await openJobs(parts, database);
      owned.defer(() => jobs.stop());
      const node = (moment: string): Promise<Daemon> =>
        startDaemon(process.execPath, [
          join(import.meta.dirname, 'billing-node.ts'),
          moment,
          folder.path,
          ...(database === undefined ? [] : [database]),
        ]);

      for (const [index, moment] of moments.entries()) {
        for (let number = 1; number <= accountsPerMoment; number++)
          await addBilledAccount(store, index * accountsPerMoment + number);
        assert.equal(await startDueRuns({ ...parts, jobs }, { operation: 'test' }), accountsPerMoment);
        await using shot = await node(moment);
        assert.equal(await shot.ended, null, shot.output());
      }
      const accounts = moments.length * accountsPerMoment;
      await using last = await node('never');
      while ((await unbilled(store)) > 0) {
        assert.ok(last.running(), last.output());
        await pause(100);
      }
      await checkInvoices(store, accounts);
      // Runs that are started all over again have nothing to do.
      assert.equal(await startDueRuns({ ...parts, jobs }, { operation: 'test' }), 0);
    });
  }
});

async function addBilledAccount(store: Store, id: number): Promise<void> {
  const account = await addAccount(store, id);
  const names = { name: 'VPS', hostname: `s${id}.example.net`, ip: '203.0.113.1' };
  const kind = { type: 'vps', status: 'Active', server: null, created_at: 0 } as const;
  await servicePut(store.queries, { id, account_id: account, vmid: id, ...kind, ...names });
  const today = dayOf(systemClock.now());
  const wanted = { terms: plainTerms, setupCents: 100, today, start: undefined, until: undefined, billDay: undefined };
  await store.transaction((queries) => serviceTermsSet(queries, account, id, wanted));
}

async function unbilled(store: Store): Promise<number> {
  const rows = await store.queries.selectFrom('billing_accounts').selectAll().execute();
  return rows.filter(({ last_day, run_day }) => last_day === null || run_day !== null).length;
}

async function checkInvoices(store: Store, accounts: number): Promise<void> {
  const invoices = await store.queries.selectFrom('invoices').selectAll().execute();
  const ids = invoices.map(({ account_id }) => account_id).toSorted((one, other) => one - other);
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
