// The ISO image of a device: chosen, put into its drive, taken out. What the controller says wins over what was written down,
// so that after a crash, or a controller that forgot, nothing is called mounted that is not.
import type { Static } from 'typebox';
import type { ImageState } from '#contract/image-states.ts';
import type { ImageEntry, ImageStatus } from '#contract/shapes/device.ts';
import { Fault } from '#kernel/fault.ts';
import * as store from '#store/devices/device-images.ts';
import type { DeviceImage } from '#store/devices/device-images.ts';
import type { Service } from '#store/devices/services.ts';
import { tellOf } from '../events/events.ts';
import { catalogueImages, type CatalogueImage } from '../images/catalogue.ts';
import type { DeviceDrive, ImageDrive } from '../images/drive.ts';
import { machineDrive } from '../machines/image-drive.ts';
import { serverDrive } from '../servers/image-drive.ts';
import { isMachine, serviceOf } from '../services/services.ts';
import type { Context } from '../yard.ts';

/** All, or those that fit a service of the caller's. */
export async function imageList(context: Context, service: number | undefined): Promise<Static<typeof ImageEntry>[]> {
  const type = service === undefined ? undefined : (await serviceOf(context, service)).type;
  return (await catalogueImages(context.queries, type)).map(({ name, value }) => ({ name, value }));
}

export async function machineImageList({ queries }: Context): Promise<Static<typeof ImageEntry>[]> {
  const [vps, cloud] = [await catalogueImages(queries, 'vps'), await catalogueImages(queries, 'cloud')];
  const values = new Set([...vps, ...cloud].map(({ value }) => value));
  const all = await catalogueImages(queries);
  return all.filter(({ value }) => values.has(value)).map(({ name, value }) => ({ name, value }));
}

export async function imageSet(context: Context, service: Service, value: string): Promise<void> {
  const image = await imageFor(context, service, value);
  await driveOf(context, service).ready(image);
  await driveOf(context, service).use('setting an image', async (drive) => {
    const before = await settled(context, service, drive);
    const row = {
      service_id: service.id,
      account_id: service.account_id,
      image: image.value,
      changed_at: context.yard.clock.now(),
    };
    if (before?.state === 'Mounted' || !(await store.deviceImageSet(context.queries, row)))
      throw new Fault('state_conflict', { message: 'An image is mounted: unmount it first.' });
  });
}

/** Mounting what is mounted succeeds. */
export async function imageMount(context: Context, service: Service): Promise<void> {
  const chosen = await store.deviceImageFind(context.queries, service.account_id, service.id);
  // Before the device is asked: its file may take a while.
  if (chosen?.state === 'Set') await driveOf(context, service).ready(await imageFor(context, service, chosen.image));
  await driveOf(context, service).use('mounting an image', async (drive) => {
    const row = await settled(context, service, drive);
    if (row === undefined) throw new Fault('state_conflict', { message: 'No image is set: upload one first.' });
    if (row.state === 'Mounted') return;
    const { linkHash, insert } = drive.prepare(await imageFor(context, service, row.image));
    const mounting = await moved(context, row, 'Mounting', linkHash);
    try {
      await insert();
    } catch (error) {
      // Where nobody knows whether it is in, that is left for the controller to say.
      if (!isSilence(error)) await moved(context, mounting, 'Set', null);
      throw error;
    }
    await told(context, service, mounting, 'Mounted');
  });
}

/** The image stays chosen. */
export async function imageUnmount(context: Context, service: Service): Promise<void> {
  await driveOf(context, service).use('unmounting an image', async (drive) => {
    const row = await settled(context, service, drive);
    if (row?.state !== 'Mounted') throw new Fault('state_conflict', { message: 'No image is mounted.' });
    const unmounting = await moved(context, row, 'Unmounting', row.link_hash);
    try {
      await drive.eject();
    } catch (error) {
      if (!isSilence(error)) await moved(context, unmounting, 'Mounted', row.link_hash);
      throw error;
    }
    await told(context, service, unmounting, 'Set');
  });
}

/** Chosen and mounted at once, in the place of what was there. */
export async function imageExchange(context: Context, service: Service, value: string): Promise<void> {
  await imageFor(context, service, value);
  const before = await store.deviceImageFind(context.queries, service.account_id, service.id);
  if (before !== undefined && before.state !== 'Set') await imageUnmount(context, service);
  await imageSet(context, service, value);
  await imageMount(context, service);
}

export async function imageStatus(context: Context, service: Service): Promise<Static<typeof ImageStatus>> {
  const row = await store.deviceImageFind(context.queries, service.account_id, service.id);
  if (row === undefined) return { image: '', mounted: '0' };
  const isMounted = row.state !== 'Set' && (await driveOf(context, service).isIn(row));
  return { image: row.image, mounted: isMounted ? '1' : '0' };
}

function driveOf(context: Context, service: Service): DeviceDrive {
  return (isMachine(service) ? machineDrive : serverDrive)(context, service);
}

async function imageFor({ queries }: Context, { type }: Service, value: string): Promise<CatalogueImage> {
  const all = await catalogueImages(queries, type);
  const image = all.find((each) => each.value === value);
  if (image !== undefined) return image;
  const names = all.map((each) => each.value).join(', ');
  throw new Fault('not_in_catalogue', { message: `There is no such image for this device; it can be given ${names}.` });
}

/** The image as it is: in the drive or not, whatever an interrupted call left behind. Only under the device's lock. */
async function settled(context: Context, service: Service, drive: ImageDrive): Promise<DeviceImage | undefined> {
  const row = await store.deviceImageFind(context.queries, service.account_id, service.id);
  if (row === undefined || row.state === 'Set') return row;
  if (await drive.holds(row)) return row.state === 'Mounted' ? row : moved(context, row, 'Mounted', row.link_hash);
  return moved(context, row, 'Set', null);
}

async function moved(
  context: Context,
  row: DeviceImage,
  state: ImageState,
  link_hash: string | null,
): Promise<DeviceImage> {
  const change = { state, link_hash, changed_at: context.yard.clock.now() };
  if (await store.deviceImageMove(context.queries, row, change)) return { ...row, ...change };
  // The lock was lost meanwhile, as on a node that stood still for half a minute: whoever has it now decides.
  throw new Fault('device_busy');
}

async function told(context: Context, service: Service, row: DeviceImage, state: 'Mounted' | 'Set'): Promise<void> {
  await context.yard.store.transaction(async (queries) => {
    const inside = { ...context, queries };
    await moved(inside, row, state, state === 'Mounted' ? row.link_hash : null);
    const type = state === 'Mounted' ? 'device.image.mounted' : 'device.image.unmounted';
    await tellOf(inside, service, type, { image: row.image });
  });
}

function isSilence(error: unknown): boolean {
  return error instanceof Fault && error.status === 504;
}
