// Images of accounts: templates that customers make from their machines, for reinstalls and new machines. Other accounts cannot see
// or use them.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import { defaultImages, type MachineImage as Shape, type StartedImage } from '#contract/shapes/machine-snapshot.ts';
import type { machineImageV2 } from '#contract/v2/machine-image.ts';
import { conflict, requireFound } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { hypervisorList } from '#store/devices/hypervisors.ts';
import {
  imageValue,
  machineImageChange,
  machineImageCount,
  machineImageFind,
  machineImageInsert,
  machineImageList as listRows,
  machineImageRemove,
  machineImagesRemoveFailed,
  type MachineImage,
} from '#store/devices/machine-images.ts';
import { servicesWaitingForSystem } from '#store/devices/machines.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { machineTarget } from '#workflows/device-steps.ts';
import { machineImage } from '#workflows/machine/machine-image.ts';
import type { Context } from '../app.ts';
import { emitForService } from '../events/events.ts';
import { isServiceVisible } from '../services/limits.ts';
import { requireMachine, serviceOf } from '../services/services.ts';
import { loadSiteSettings } from '../site/settings.ts';
import { startMachineWork } from './machine-work.ts';
import { machineOf } from './machines.ts';
import { notReady, requireSnapshot } from './snapshots.ts';

export async function machineImageList(context: Context): Promise<Static<typeof Shape>[]> {
  const { queries, caller } = context;
  const images = (await listRows(queries, caller.account)).filter(({ service_id }) =>
    isServiceVisible(caller.services, service_id),
  );
  const locations = await nodeLocations(context);
  return images.map((image) => imageShape(image, locations));
}

export async function machineImageCreate(
  context: Context,
  { service: id, name, snapshot }: InputOf<typeof machineImageV2.machineImageCreate>,
): Promise<Static<typeof StartedImage>> {
  const { app, queries, caller } = context;
  const service = requireMachine(await serviceOf(context, id));
  const machine = await machineOf(context, service);
  const source = snapshot === undefined ? undefined : await requireSnapshot(context, { service: id, id: snapshot });
  if (source !== undefined && source.state !== 'ready') throw notReady(source);
  // Two calls for different machines must not both take the last place of the account.
  await billingAccountLock(queries, caller.account);
  await machineImagesRemoveFailed(queries, caller.account);
  const limit = (await loadSiteSettings(app, queries))?.orders?.images ?? defaultImages;
  if ((await machineImageCount(queries, caller.account)) >= limit)
    throw conflict(`The account has reached its limit of ${limit} images. Delete one first.`);
  const { account_id, id: service_id } = service;
  const row = await machineImageInsert(queries, {
    account_id,
    service_id,
    name,
    kind: machine.kind,
    node: machine.node,
    disk_gb: machine.disk_gb,
    template: source?.template ?? machine.template,
    created_at: app.clock.now(),
  });
  const target = machineTarget(machine, 'the creation of an image');
  const input = { ...target, image: row.id, label: name, snapshot: snapshot ?? null };
  const action = await startMachineWork(context, service, machineImage, input);
  await emitForService(context, service, 'machine.image.started', { imageid: String(row.id), name });
  return { ...imageShape(row, await nodeLocations(context)), action };
}

export async function machineImageDelete(context: Context, id: number): Promise<void> {
  const { queries, caller } = context;
  // An order that has just found the image would wait for it forever.
  await billingAccountLock(queries, caller.account);
  const own = await machineImageFind(queries, caller.account, id);
  const image = requireFound(own && isServiceVisible(caller.services, own.service_id) ? own : undefined);
  const [waiting] = await servicesWaitingForSystem(queries, imageValue(id));
  if (waiting !== undefined)
    throw conflict(`Service ${waiting} was ordered with this image and is not installed yet. Try again when it is.`);
  if (image.state === 'failed') await machineImageRemove(queries, id);
  else if (image.state === 'ready') await machineImageChange(queries, id, { state: 'deleting' });
  else throw notReady(image);
  await reconcilerSignal(queries, 'machine-tidy');
  context.emit('machine.image.deleted', { imageid: String(id), name: image.name }, image.service_id);
}

async function nodeLocations({ queries }: Context): Promise<ReadonlyMap<string, string>> {
  return new Map((await hypervisorList(queries)).map(({ name, location }) => [name, location]));
}

function imageShape(image: MachineImage, locations: ReadonlyMap<string, string>): Static<typeof Shape> {
  const { id, service_id, name, state, reason, size_bytes, kind, node, disk_gb, created_at } = image;
  return {
    id: String(id),
    system: imageValue(id),
    service: String(service_id),
    name,
    state,
    reason,
    size: size_bytes === null ? '' : String(size_bytes),
    type: kind,
    node,
    location: locations.get(node) ?? '',
    diskgb: String(disk_gb),
    created: timeText(created_at),
  };
}
