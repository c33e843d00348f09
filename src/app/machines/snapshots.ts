// Snapshots of virtual machines: customers take, restore and delete them. Copying is work of the hypervisor that takes long, so
// a workflow does it; a deleted snapshot is removed by the reconciler machine-tidy.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import {
  defaultSnapshots,
  type MachineSnapshot as Shape,
  type StartedSnapshot,
} from '#contract/shapes/machine-snapshot.ts';
import type { machineSnapshotV2 } from '#contract/v2/machine-snapshot.ts';
import { conflict, requireFound } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import {
  machineSnapshotCount,
  machineSnapshotFind,
  machineSnapshotInsert,
  machineSnapshotMove,
  machineSnapshotRemove,
  machineSnapshotsRemoveFailed,
  machineSnapshotList as listRows,
  type MachineSnapshot,
} from '#store/devices/machine-snapshots.ts';
import { templateFind } from '#store/devices/templates.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { machineTarget } from '#workflows/device-steps.ts';
import { machineRestore } from '#workflows/machine/machine-restore.ts';
import { machineSnapshot } from '#workflows/machine/machine-snapshot.ts';
import { platformOf } from '#workflows/machine/template-platform.ts';
import type { Context } from '../app.ts';
import { emitForService } from '../events/events.ts';
import { requireMachine, serviceOf } from '../services/services.ts';
import { loadSiteSettings } from '../site/settings.ts';
import { machineOf } from './machines.ts';
import { startMachineWork } from './machine-work.ts';
import { shutdownGraceMs } from './power.ts';

type Target = InputOf<typeof machineSnapshotV2.machineSnapshotRestore>;

export async function machineSnapshotList(context: Context, id: number): Promise<Static<typeof Shape>[]> {
  const service = requireMachine(await serviceOf(context, id));
  return (await listRows(context.queries, service.id)).map(snapshotShape);
}

export async function machineSnapshotCreate(
  context: Context,
  { service: id, name }: InputOf<typeof machineSnapshotV2.machineSnapshotCreate>,
): Promise<Static<typeof StartedSnapshot>> {
  const { app, queries } = context;
  const service = requireMachine(await serviceOf(context, id));
  const machine = await machineOf(context, service);
  await machineSnapshotsRemoveFailed(queries, id);
  const limit = (await loadSiteSettings(app, queries))?.orders?.snapshots ?? defaultSnapshots;
  if ((await machineSnapshotCount(queries, id)) >= limit)
    throw conflict(`The machine has reached its limit of ${limit} snapshots. Delete one first.`);
  const row = await machineSnapshotInsert(queries, {
    account_id: service.account_id,
    service_id: id,
    name,
    template: machine.template,
    created_at: app.clock.now(),
  });
  const input = { ...machineTarget(machine, 'a snapshot'), snapshot: row.id, label: name };
  const action = await startMachineWork(context, service, machineSnapshot, input);
  await emitForService(context, service, 'machine.snapshot.started', { snapshotid: String(row.id), name });
  return { ...snapshotShape(row), action };
}

/** A failed snapshot is only a row; one that is ready is also on the hypervisor, where machine-tidy deletes it. */
export async function machineSnapshotDelete(context: Context, target: Target): Promise<void> {
  const { queries } = context;
  const service = requireMachine(await serviceOf(context, target.service));
  const snapshot = await requireSnapshot(context, target);
  if (snapshot.state === 'failed') await machineSnapshotRemove(queries, snapshot.id);
  else if (!(await machineSnapshotMove(queries, snapshot.id, { from: 'ready', to: 'deleting' })))
    throw notReady(snapshot);
  await reconcilerSignal(queries, 'machine-tidy');
  const data = { snapshotid: String(snapshot.id), name: snapshot.name };
  await emitForService(context, service, 'machine.snapshot.deleted', data);
}

export async function machineSnapshotRestore(
  context: Context,
  target: Target,
): Promise<Static<typeof StartedSnapshot>> {
  const service = requireMachine(await serviceOf(context, target.service));
  const machine = await machineOf(context, service);
  const snapshot = await requireSnapshot(context, target);
  if (snapshot.state !== 'ready') throw notReady(snapshot);
  const { id, name: label, template } = snapshot;
  await requireSamePlatform(context, template, machine.template);
  const place = machineTarget(machine, 'the restoration of a snapshot');
  const input = { ...place, snapshot: id, label, template, graceMs: shutdownGraceMs };
  const action = await startMachineWork(context, service, machineRestore, input);
  await emitForService(context, service, 'machine.snapshot.restoring', { snapshotid: String(id), name: label });
  return { ...snapshotShape(snapshot), action };
}

/** The firmware belongs to the machine, not to the disk: a system for UEFI would not boot in a machine with BIOS. */
async function requireSamePlatform({ queries }: Context, ...values: readonly [string, string]): Promise<void> {
  const templates = await Promise.all(values.map((value) => templateFind(queries, value)));
  const [first, second] = templates.map((template) => template && JSON.stringify(platformOf(template)));
  if (first !== undefined && second !== undefined && first !== second)
    throw conflict(
      "The machine's firmware has changed since. Reinstall it with the system of the snapshot, then restore it.",
    );
}

export async function requireSnapshot({ queries, caller }: Context, { service, id }: Target): Promise<MachineSnapshot> {
  const snapshot = await machineSnapshotFind(queries, caller.account, id);
  return requireFound(snapshot?.service_id === service ? snapshot : undefined, 'Snapshot not found.');
}

export function notReady({ state }: Pick<MachineSnapshot, 'state'>) {
  const reasons = {
    creating: 'It is still being created.',
    deleting: 'It is being deleted.',
    failed: 'It could not be created.',
    ready: 'It has changed in the meantime.',
  };
  return conflict(reasons[state]);
}

function snapshotShape(snapshot: MachineSnapshot): Static<typeof Shape> {
  const { id, service_id, name, state, reason, size_bytes, is_consistent, created_at } = snapshot;
  return {
    id: String(id),
    service: String(service_id),
    name,
    state,
    reason,
    size: size_bytes === null ? '' : String(size_bytes),
    consistent: is_consistent === null ? '' : is_consistent === 1 ? 'yes' : 'no',
    created: timeText(created_at),
  };
}
