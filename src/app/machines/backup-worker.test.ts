// Removing what no backup needs while a backup is being completed: what it has stored stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import type { Site } from '#contract/site/site.ts';
import type { TransferRequest } from '#drivers/backup/transfer.ts';
import { createLog } from '#lib/log.ts';
import type { JobAttempt } from '#queue/queue.ts';
import { backupPlanEnsure, machineBackupChange, machineBackupInsert } from '#store/devices/machine-backups.ts';
import { startMachine } from '#test/support/machine-fixtures.ts';
import type { App } from '../app.ts';
import { storeSiteSettings } from '../site/settings.ts';
import { newBackupPlan } from './backup-settings.ts';
import { backupWorker } from './backup-worker.ts';

test('a backup that is completed at any moment of a pruning keeps its content', async () => {
  await using ground = await startMachine();
  const { store, account, deps } = ground;
  const log = createLog('silent');
  const settings = { backups: { repository: { driver: 'lab', path: '/unused' } } } as Site;
  await storeSiteSettings({ ...deps, log } as Partial<App> as App, store.queries, settings);
  const plan = newBackupPlan(deps as Partial<App> as App, account, 2001);
  await backupPlanEnsure(store.queries, { ...plan, is_created: 1 });
  const texts = { hostname: 'vps1.example.net', template: 'debian-12', verify_error: '' } as const;
  const numbers = { disk_gb: 1, size_bytes: 1, added_bytes: 1, is_consistent: 1, created_at: 0, verified_at: null };
  const owner = { id: 'one', account_id: account, service_id: 2001, source: 'request' } as const;
  const content = { snapshot: 'its-snapshot', digest: 'its-digest', state: 'creating' } as const;
  await machineBackupInsert(store.queries, { ...owner, ...content, ...texts, ...numbers });

  for (let completedAfter = 1; ; completedAfter++) {
    await machineBackupChange(store.queries, 'one', { state: 'creating' });
    let queriesDone = 0;
    const completing: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (++queriesDone === completedAfter) await machineBackupChange(store.queries, 'one', { state: 'stored' });
        return result;
      },
    };
    let kept: readonly string[] | undefined;
    const runTransfer: App['runTransfer'] = async (request: TransferRequest) => {
      if (request.kind === 'prune') kept = request.keep;
      return { digest: '', sizeBytes: 0, storedBytes: 0 };
    };
    const parts = { ...deps, runTransfer, log, store: { ...store, queries: store.queries.withPlugin(completing) } };
    const attempt = { payload: { service: 2001, task: 'prune' }, signal: AbortSignal.timeout(60_000) };
    const write = store.transaction.bind(store);
    await backupWorker(parts as Partial<App> as App).handle({
      ...attempt,
      publish: write,
      complete: write,
    } as Partial<JobAttempt<object>> as JobAttempt<object>);
    assert.deepEqual(new Set(kept), new Set(['its-snapshot']), `completed after query ${completedAfter}`);
    if (queriesDone < completedAfter) break;
  }
});
