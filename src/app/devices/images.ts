// A device's ISO image: chosen, mounted, unmounted. The BMC's report overrides what is recorded, so that after a crash
// or a BMC reset no image is shown as mounted that is not.
import type { Static } from 'typebox';
import type { ImageState } from '#contract/states/images.ts';
import type { ImageEntry, ImageStatus } from '#contract/shapes/device.ts';
import { isUnreachable } from '#equipment/device-command.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import * as store from '#store/devices/device-images.ts';
import type { Service } from '#store/devices/services.ts';
import { emitForService } from '../events/events.ts';
import { catalogueImages, type CatalogueImage } from '../images/catalogue.ts';
import { machineDrive, serverDrive, type DeviceDrive, type LockedDrive } from '../images/drives.ts';
import { isMachine, serviceOf } from '../services/services.ts';
import type { Context } from '../app.ts';

/** Lists all images, or those that fit a service. */
export async function imageList(context: Context, service: number | undefined): Promise<Static<typeof ImageEntry>[]> {
  const type = service === undefined ? undefined : (await serviceOf(context, service)).type;
  return (await catalogueImages(context.queries, type)).map(imageEntry);
}

export async function machineImageList({ queries }: Context): Promise<Static<typeof ImageEntry>[]> {
  const images = await catalogueImages(queries);
  return images.filter(({ devices }) => devices?.some((type) => type !== 'dedicated') ?? true).map(imageEntry);
}

function imageEntry({ name, value }: CatalogueImage): Static<typeof ImageEntry> {
  return { name, value };
}

export async function imageSet(context: Context, service: Service, value: string): Promise<void> {
  const image = await imageFor(context, service, value);
  await driveOf(context, service).prepareFile(image);
  await driveOf(context, service).use('an image change', async (drive) => {
    const current = await readActualState(context, service, drive);
    const { id: service_id, account_id } = service;
    const row = { service_id, account_id, image: image.value, changed_at: context.app.clock.now() };
    if (current?.state === 'Mounted' || !(await store.deviceImageSet(context.queries, row)))
      throw conflict('An image is mounted. Unmount it first.');
  });
}

/** Succeeds if the image is already mounted. */
export async function imageMount(context: Context, service: Service): Promise<void> {
  const chosen = await store.deviceImageFind(context.queries, service.account_id, service.id);
  // Before the device is locked, because the file may take a while.
  if (chosen?.state === 'Set')
    await driveOf(context, service).prepareFile(await imageFor(context, service, chosen.image));
  await driveOf(context, service).use('an image mount', async (drive) => {
    const row = await readActualState(context, service, drive);
    if (row === undefined) throw conflict('No image is set. Set one first.');
    if (row.state === 'Mounted') return;
    const { linkHash, insert } = drive.prepare(await imageFor(context, service, row.image));
    const mounting = await moveImage(context, row, 'Mounting', linkHash);
    try {
      await insert();
    } catch (error) {
      // After a timeout the image may be in or not; the next command asks the BMC.
      if (!isUnreachable(error)) await moveImage(context, mounting, 'Set', null);
      throw error;
    }
    await finishMove(context, service, mounting, 'Mounted');
  });
}

/** The image stays set. */
export async function imageUnmount(context: Context, service: Service): Promise<void> {
  await driveOf(context, service).use('an image unmount', async (drive) => {
    const row = await readActualState(context, service, drive);
    if (row?.state !== 'Mounted') throw conflict('No image is mounted.');
    const unmounting = await moveImage(context, row, 'Unmounting', row.link_hash);
    try {
      await drive.eject();
    } catch (error) {
      if (!isUnreachable(error)) await moveImage(context, unmounting, 'Mounted', row.link_hash);
      throw error;
    }
    await finishMove(context, service, unmounting, 'Set');
  });
}

/** Sets and mounts an image in place of the previous one. */
export async function imageExchange(context: Context, service: Service, value: string): Promise<void> {
  await imageFor(context, service, value);
  const row = await store.deviceImageFind(context.queries, service.account_id, service.id);
  if (row !== undefined && row.state !== 'Set') await imageUnmount(context, service);
  await imageSet(context, service, value);
  await imageMount(context, service);
}

export async function imageStatus(context: Context, service: Service): Promise<Static<typeof ImageStatus>> {
  const row = await store.deviceImageFind(context.queries, service.account_id, service.id);
  if (row === undefined) return { image: '', mounted: '0' };
  const isMounted = row.state !== 'Set' && (await driveOf(context, service).isInserted(row));
  return { image: row.image, mounted: isMounted ? '1' : '0' };
}

function driveOf(context: Context, service: Service): DeviceDrive {
  return (isMachine(service) ? machineDrive : serverDrive)(context, service);
}

async function imageFor({ queries }: Context, { type }: Service, value: string): Promise<CatalogueImage> {
  const images = await catalogueImages(queries, type);
  const image = images.find((candidate) => candidate.value === value);
  if (image !== undefined) return image;
  const values = images.map((candidate) => candidate.value).join(', ');
  throw new ApiError('not_in_catalogue', {
    message: `This image is not available for the device. Available: ${values}.`,
  });
}

/** Returns the image's row, corrected by what is in the drive. The device must be locked. */
async function readActualState(
  context: Context,
  service: Service,
  drive: LockedDrive,
): Promise<store.DeviceImage | undefined> {
  const row = await store.deviceImageFind(context.queries, service.account_id, service.id);
  if (row === undefined || row.state === 'Set') return row;
  if (await drive.isInserted(row))
    return row.state === 'Mounted' ? row : moveImage(context, row, 'Mounted', row.link_hash);
  return moveImage(context, row, 'Set', null);
}

async function moveImage(
  context: Context,
  row: store.DeviceImage,
  state: ImageState,
  link_hash: string | null,
): Promise<store.DeviceImage> {
  const change = { state, link_hash, changed_at: context.app.clock.now() };
  if (await store.deviceImageMove(context.queries, row, change)) return { ...row, ...change };
  // The lock has expired, as on an instance that was suspended: its new holder decides.
  throw new ApiError('device_busy');
}

async function finishMove(
  context: Context,
  service: Service,
  row: store.DeviceImage,
  state: 'Mounted' | 'Set',
): Promise<void> {
  await context.app.store.transaction(async (queries) => {
    const transactionContext = { ...context, queries };
    await moveImage(transactionContext, row, state, state === 'Mounted' ? row.link_hash : null);
    const type = state === 'Mounted' ? 'device.image.mounted' : 'device.image.unmounted';
    await emitForService(transactionContext, service, type, { image: row.image });
  });
}
