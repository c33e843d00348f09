// Volumes of virtual machines. A volume belongs to the account, is on one hypervisor, and is attached to at most one machine there.
// A call claims it in the transaction that starts the workflow, so that of two concurrent calls only one succeeds.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import {
  maxVolumes,
  maxVolumesGb,
  maxVolumesPerMachine,
  type StartedVolume,
  type Volume as VolumeShape,
} from '#contract/shapes/volume.ts';
import type { machineVolumeV2 } from '#contract/v2/machine-volume.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { machineFind } from '#store/devices/machines.ts';
import type { Service } from '#store/devices/services.ts';
import {
  volumeClaim,
  volumeFind,
  volumeInsert,
  volumeList,
  volumeName,
  volumesAttachedCount,
  volumeUsagePut,
  type Volume,
} from '#store/devices/volumes.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { machineTarget } from '#workflows/device-steps.ts';
import { machineVolume, type MachineVolumeInput } from '#workflows/machine/machine-volume.ts';
import type { Context } from '../app.ts';
import { isServiceVisible } from '../services/limits.ts';
import { requireMachine, serviceOf } from '../services/services.ts';
import { startMachineWork } from './machine-work.ts';
import { machineOf, type PlacedMachine } from './machines.ts';

type Shape = Static<typeof VolumeShape>;
type Started = Static<typeof StartedVolume>;
type Change = Pick<MachineVolumeInput, 'action' | 'sizeGb'>;

export async function listVolumes(context: Context, service: number | undefined): Promise<Shape[]> {
  const { queries, caller } = context;
  if (service !== undefined) await serviceOf(context, service);
  const volumes = (await volumeList(queries, caller.account)).filter(
    ({ service_id }) =>
      isServiceVisible(caller.services, service_id) && (service === undefined || service_id === service),
  );
  return Promise.all(volumes.map((volume) => volumeShape(queries, volume)));
}

export async function createVolume(
  context: Context,
  { service: id, name, size }: InputOf<typeof machineVolumeV2.volumeCreate>,
): Promise<Started> {
  const owner = await machineForVolumes(context, id);
  const volume = await insertVolume(context, owner, name, size);
  return startChange(context, volume, owner, { action: 'create', sizeGb: size });
}

/** Inserts a volume that is being created for a machine, if the limits of its account and the machine allow it. */
export async function insertVolume(
  { app, queries }: Context,
  { service, machine }: Owner,
  name: string,
  sizeGb: number,
): Promise<Volume> {
  // Two calls for different machines must not both take the last place of the account.
  await billingAccountLock(queries, service.account_id);
  await checkCount(queries, service);
  await checkQuota(queries, service, sizeGb);
  await requireRoomOnMachine(queries, service.id);
  const volume = await volumeInsert(queries, {
    account_id: service.account_id,
    service_id: service.id,
    node: machine.node,
    name,
    size_gb: sizeGb,
    state: 'Creating',
    is_attached: 0,
    created_at: app.clock.now(),
  });
  if (volume === undefined)
    throw new ApiError('already_exists', {
      message: 'The account already has a volume with this name. Choose another name.',
    });
  return volume;
}

export async function attachVolume(
  context: Context,
  { id, service: serviceId }: InputOf<typeof machineVolumeV2.volumeAttach>,
): Promise<Started> {
  const { queries } = context;
  const volume = await ownVolume(context, id);
  const owner = await machineForVolumes(context, serviceId);
  if (volume.is_attached === 1) throw conflict('The volume is attached to a machine. Detach it first.');
  if (owner.machine.node !== volume.node)
    throw conflict(
      "The volume and the machine are on different hypervisors. Choose a machine on the volume's hypervisor.",
    );
  await requireRoomOnMachine(queries, serviceId);
  await claimVolume(queries, volume, { service_id: serviceId });
  return startChange(context, volume, owner, { action: 'attach', sizeGb: volume.size_gb });
}

export async function detachVolume(context: Context, id: number): Promise<Started> {
  const volume = await ownVolume(context, id);
  const owner = await machineForVolumes(context, volume.service_id);
  if (volume.is_attached === 0) throw conflict('The volume is not attached.');
  await claimVolume(context.queries, volume, {});
  return startChange(context, volume, owner, { action: 'detach', sizeGb: volume.size_gb });
}

export async function resizeVolume(
  context: Context,
  { id, size }: InputOf<typeof machineVolumeV2.volumeResize>,
): Promise<Started> {
  const { queries } = context;
  const volume = await ownVolume(context, id);
  if (size <= volume.size_gb) throw invalid({ size: `must be more than ${volume.size_gb}: a volume can only grow` });
  const owner = await machineForVolumes(context, volume.service_id);
  await billingAccountLock(queries, volume.account_id);
  await checkQuota(queries, volume, size - volume.size_gb);
  await claimVolume(queries, volume, { grows_to_gb: size });
  return startChange(context, volume, owner, { action: 'grow', sizeGb: size });
}

/** Takes effect with its commit: the reconciler volume-tidy then erases the content. */
export async function deleteVolume(
  context: Context,
  { id, name }: InputOf<typeof machineVolumeV2.volumeDelete>,
): Promise<void> {
  const { queries, app } = context;
  const volume = await ownVolume(context, id);
  if (name !== volume.name) throw invalid({ name: 'must be the name of the volume, as confirmation' });
  if (volume.is_attached === 1) throw conflict('The volume is attached to a machine. Detach it first.');
  await billingAccountLock(queries, volume.account_id);
  if (!(await volumeClaim(queries, volume, { state: 'Deleting' }))) throw busyVolume();
  await volumeUsagePut(queries, volume.account_id, volume.service_id, app.clock.now());
  await reconcilerSignal(queries, 'volume-tidy');
  context.emit('volume.deleted', { volumeid: String(id), name }, volume.service_id);
}

interface Owner {
  readonly service: Service;
  readonly machine: PlacedMachine;
}

async function claimVolume(
  queries: Queries,
  volume: Volume,
  change: Partial<Pick<Volume, 'service_id' | 'grows_to_gb'>>,
): Promise<void> {
  if (!(await volumeClaim(queries, volume, { ...change, state: 'Changing' }))) throw busyVolume();
}

async function startChange(
  context: Context,
  volume: Volume,
  { service, machine }: Owner,
  { action, sizeGb }: Change,
): Promise<Started> {
  const input: MachineVolumeInput = {
    ...machineTarget(machine, 'a change of a volume'),
    action,
    volume: volume.id,
    label: volume.name,
    sizeGb,
    isAttached: volume.is_attached === 1,
    formerService: volume.service_id,
  };
  const started = await startMachineWork(context, service, machineVolume, input);
  const current = requireFound(await volumeFind(context.queries, volume.account_id, volume.id));
  return { ...(await volumeShape(context.queries, current)), action: started };
}

export async function machineForVolumes(context: Context, id: number): Promise<Owner> {
  const service = requireMachine(await serviceOf(context, id));
  return { service, machine: await machineOf(context, service) };
}

async function ownVolume({ queries, caller }: Context, id: number): Promise<Volume> {
  const volume = requireFound(await volumeFind(queries, caller.account, id));
  if (!isServiceVisible(caller.services, volume.service_id)) throw new ApiError('not_found');
  if (volume.state === 'Deleting') throw new ApiError('not_found');
  return volume;
}

/** Counts volumes that are being deleted too, because they still take space, and growing ones with their new size. */
async function checkQuota(
  queries: Queries,
  { account_id }: Pick<Volume, 'account_id'>,
  addedGb: number,
): Promise<void> {
  const volumes = await volumeList(queries, account_id);
  const usedGb = volumes.reduce((sum, { size_gb, grows_to_gb }) => sum + (grows_to_gb ?? size_gb), 0);
  if (usedGb + addedGb > maxVolumesGb)
    throw conflict(`Volumes of an account can have at most ${maxVolumesGb} GB in total; yours have ${usedGb} GB.`);
}

async function checkCount(queries: Queries, { account_id }: Pick<Volume, 'account_id'>): Promise<void> {
  if ((await volumeList(queries, account_id)).length >= maxVolumes)
    throw conflict(`The account has ${maxVolumes} volumes. Delete one first.`);
}

async function requireRoomOnMachine(queries: Queries, service: number): Promise<void> {
  if ((await volumesAttachedCount(queries, service)) >= maxVolumesPerMachine)
    throw conflict(`The machine has ${maxVolumesPerMachine} volumes. Detach one first.`);
}

function busyVolume(): ApiError {
  return conflict('The volume is being changed. Try again when the change has finished.');
}

export async function volumeShape(queries: Queries, volume: Volume): Promise<Shape> {
  const kind = (await machineFind(queries, volume.service_id))?.kind;
  const id = volumeName(volume.id);
  return {
    id: String(volume.id),
    name: volume.name,
    size: String(volume.size_gb),
    state: volume.state,
    service: String(volume.service_id),
    attached: volume.is_attached === 1,
    path: kind === 'OpenVZ' ? `/mnt/${id}` : `/dev/disk/by-id/virtio-${id}`,
    created: timeText(volume.created_at),
  };
}
