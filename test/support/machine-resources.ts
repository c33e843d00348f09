// Volumes, snapshots, backups, images and groups of accounts' machines, and the input of operations that name them, for the
// sweeps.
import { randomUUID } from 'node:crypto';
import { newBackupPlan } from '#app/machines/backup-settings.ts';
import { randomBase32 } from '#lib/random.ts';
import { backupPlanEnsure, machineBackupInsert } from '#store/devices/machine-backups.ts';
import { machineGroupInsert } from '#store/devices/machine-groups.ts';
import { machineImageChange, machineImageInsert } from '#store/devices/machine-images.ts';
import { machineSnapshotChange, machineSnapshotInsert } from '#store/devices/machine-snapshots.ts';
import { volumeInsert } from '#store/devices/volumes.ts';
import type { TestApp } from './app.ts';
import type { Example } from './examples.ts';
import { accountOf, type Route } from './routes.ts';

export interface MachineResources {
  readonly machinegroup: string;
  readonly snapshot: string;
  readonly backup: string;
  readonly machineimage: string;
  readonly volume: string;
}

export const absentMachineResources: MachineResources = {
  machinegroup: '987654',
  snapshot: '987654',
  backup: 'absent987654',
  machineimage: '987654',
  volume: '987654',
};

let groups = 0;
let schedules = 0;
let volumes = 0;

/** Input of an operation on a machine's resources that makes it succeed. */
export function machineResourceInputs(
  { endpoint: { params }, operation: { name } }: Route,
  { snapshot, backup, volume }: MachineResources,
  lab: TestApp['lab'],
): Example {
  return {
    ...('snapshot' in params ? { snapshot } : {}),
    ...('backup' in params ? { backup } : {}),
    ...(name === 'machineBackupRestore' ? { hostname: 'vps1.example.net' } : {}),
    ...(name === 'machineBackupScheduleSet' ? { hour: schedules++ % 24, monthly: 0 } : {}),
    ...(name === 'volumeCreate' ? { name: `new volume ${volumes++}`, size: 1 } : {}),
    ...(name === 'machineBackupVolumeCreate' ? { name: `new volume ${volumes++}`, target: lab.vps.service } : {}),
    ...(name === 'volumeResize' ? { size: 2 } : {}),
    ...(name === 'volumeDelete' ? { name: volumeLabel(volume) } : {}),
    ...(name === 'machineGroupCreate' ? { name: `new group ${groups++}` } : {}),
  };
}

export async function machineGroupOf(app: TestApp, key: string): Promise<string> {
  const group = { account_id: accountOf(app, key), name: `group ${groups++}`, created_at: 0 };
  return String((await machineGroupInsert(app.parts.store.queries, group))!.id);
}

/** The name of a volume of this id. */
const volumeLabel = (id: string): string => `volume ${id}`;

/** Detached, unless the route detaches it. */
export async function volumeOf(app: TestApp, key: string, route: Route | undefined): Promise<string> {
  const node = app.equipment.hypervisor.name;
  const is_attached = route?.operation.name === 'volumeDetach' ? 1 : 0;
  const content = { node, name: randomUUID(), size_gb: 1, state: 'Ready', is_attached, created_at: 0 } as const;
  const { queries } = app.parts.store;
  const { id } = (await volumeInsert(queries, { ...machineOwner(app, key), ...content }))!;
  await queries
    .updateTable('volumes')
    .set({ name: volumeLabel(String(id)) })
    .where('id', '=', id)
    .execute();
  return String(id);
}

/** The only one of its account, because nothing runs that would complete or delete others. */
export async function snapshotOf(app: TestApp, key: string): Promise<string> {
  const { queries } = app.parts.store;
  await queries.deleteFrom('machine_snapshots').where('account_id', '=', accountOf(app, key)).execute();
  const content = { ...machineOwner(app, key), name: 'sweep', template: 'debian-12', created_at: 0 };
  const { id } = await machineSnapshotInsert(queries, content);
  await machineSnapshotChange(queries, id, { state: 'ready' });
  return String(id);
}

export async function backupOf(app: TestApp, key: string): Promise<string> {
  const { queries } = app.parts.store;
  await queries.deleteFrom('machine_backups').where('account_id', '=', accountOf(app, key)).execute();
  // Nothing runs them, and a machine has one at a time.
  await queries.updateTable('workflows').set({ ended_at: 1 }).where('name', 'like', 'machine-backup%').execute();
  const { account_id, service_id } = machineOwner(app, key);
  await backupPlanEnsure(queries, newBackupPlan(app.parts, account_id, service_id));
  const id = randomBase32(80);
  const machine = { hostname: 'vps1.example.net', template: 'debian-12', created_at: 0, source: 'request' } as const;
  const content = { disk_gb: 1, snapshot: 'none', digest: '0', size_bytes: 1, added_bytes: 1, is_consistent: 1 };
  const owner = { id, account_id, service_id, state: 'stored', verified_at: null, verify_error: '' } as const;
  await machineBackupInsert(queries, { ...owner, ...machine, ...content });
  return id;
}

export async function imageOf(app: TestApp, key: string): Promise<string> {
  const { queries } = app.parts.store;
  await queries.deleteFrom('machine_images').where('account_id', '=', accountOf(app, key)).execute();
  const content = { kind: 'Xen', node: app.equipment.hypervisor.name, disk_gb: 20, template: 'debian-12' } as const;
  const image = { ...machineOwner(app, key), ...content, name: 'sweep', created_at: 0 };
  const { id } = await machineImageInsert(queries, image);
  await machineImageChange(queries, id, { state: 'ready' });
  return String(id);
}

/** Returns the account and its machine. */
function machineOwner(app: TestApp, key: string) {
  const { customer, vps, stranger } = app.lab;
  return { account_id: accountOf(app, key), service_id: Number(key === customer.key ? vps.service : stranger.service) };
}
