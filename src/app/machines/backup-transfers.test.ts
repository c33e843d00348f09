// Where the content of a backup goes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteBackups } from '#contract/site/backups.ts';
import { backupPlanEnsure, type BackupTransfer, type MachineBackup } from '#store/devices/machine-backups.ts';
import { machineChange } from '#store/devices/machines.ts';
import { volumeInsert } from '#store/devices/volumes.ts';
import { sourceNode, startMigration, targetNode } from '#test/support/migration-fixtures.ts';
import type { App } from '../app.ts';
import { newBackupPlan } from './backup-settings.ts';
import { transferRequests } from './backup-transfers.ts';

test('a volume is restored to the hypervisor that its row names, also if its machine has migrated since', async () => {
  await using ground = await startMigration();
  const { store, account, deps, service } = ground;
  const app = deps as Partial<App> as App;
  const owner = { account_id: account, service_id: service, node: sourceNode, name: 'data', size_gb: 1 };
  const volume = await volumeInsert(store.queries, { ...owner, state: 'Creating', is_attached: 0, created_at: 0 });
  await machineChange(store.queries, service, { node: targetNode });
  const plan = await backupPlanEnsure(store.queries, newBackupPlan(app, account, service));
  const places = { service_id: service, target_id: service, volume_id: volume!.id, part: null };
  const transfer = { id: 'one', account_id: account, kind: 'volume', ...places } as Partial<BackupTransfer>;
  const backup = { id: 'one', snapshot: 'its-snapshot', digest: 'its-digest' } as Partial<MachineBackup>;
  const settings: SiteBackups = { repository: { driver: 'lab', path: '/unused' } };
  const [{ request } = { request: undefined }] = await transferRequests(
    app,
    transfer as BackupTransfer,
    backup as MachineBackup,
    settings,
    plan,
  );
  assert.ok(request?.kind === 'volume');
  assert.equal((request.machine.settings as { port: number }).port, ground.node.port);
});
