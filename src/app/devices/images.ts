// A device's ISO image: chosen, mounted, unmounted. The BMC's report overrides what is recorded, so that after a crash
// or a BMC reset no image is shown as mounted that is not.
import type { Static } from 'typebox';
import type { ImageState } from '#contract/states/images.ts';
import type { DeviceImageStatus, ImageEntry, ImageStatus } from '#contract/shapes/device.ts';
import { isUnreachable } from '#equipment/device-command.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import * as store from '#store/devices/device-images.ts';
import type { Service } from '#store/devices/services.ts';
import { imageUploadFind } from '#store/devices/image-uploads.ts';
import { imageUpload } from '#workflows/server/image-upload.ts';
import { emitForService } from '../events/events.ts';
import { catalogueImages, type CatalogueImage } from '../images/catalogue.ts';
import { machineDrive, prepareServerFile, serverDrive, type DeviceDrive, type LockedDrive } from '../images/drives.ts';
import { imagesOfAccount, imagesOfDevice, readyImages } from '../images/mountable.ts';
import { waitForWorkflow } from '../operations/workflow-wait.ts';
import { serverOf } from '../servers/servers.ts';
import { isMachine, serviceOf, startServiceWork } from '../services/services.ts';
import type { Context } from '../app.ts';

/** Lists the images that a device can mount now, or at least one of the account's. */
export async function imageList(context: Context, service: number | undefined): Promise<Static<typeof ImageEntry>[]> {
  const images =
    service === undefined
      ? await imagesOfAccount(context, () => true)
      : await imagesOfDevice(context, await serviceOf(context, service));
  return images.map(imageEntry);
}

export async function machineImageList(context: Context): Promise<Static<typeof ImageEntry>[]> {
  return (await imagesOfAccount(context, isMachine)).map(imageEntry);
}

function imageEntry({ name, value }: CatalogueImage): Static<typeof ImageEntry> {
  return { name, value };
}

export async function imageSet(context: Context, service: Service, value: string): Promise<void> {
  const image = await imageFor(context, service, value);
  if (!isMachine(service)) return uploadImage(context, service, image);
  await driveOf(context, service).prepareFile(image);
  await driveOf(context, service).use('an image change', async (drive) => {
    const current = await readActualState(context, service, drive);
    if (current?.state === 'Mounted') throw conflict('An image is mounted. Unmount it first.');
    await chooseImage(context, service, image);
  });
}

/** Returns once the BMC has fetched the image. */
async function uploadImage(context: Context, service: Service, image: CatalogueImage): Promise<void> {
  const { app } = context;
  const server = serverOf(service);
  const { sizeBytes } = await prepareServerFile(context, server, image);
  const input = { server, service: service.id, image: image.value, sizeBytes, purpose: 'an image upload' };
  const id = await app.store.transaction((queries) =>
    startServiceWork({ ...context, queries }, service, imageUpload, input),
  );
  await waitForWorkflow(app, id, 'bmc_unreachable');
}

/** Returns the image that is being uploaded, and the percentage that the BMC has fetched. */
export async function uploadProgress(
  { queries }: Context,
  service: Service,
): Promise<Pick<Static<typeof DeviceImageStatus>, 'uploading' | 'progress'>> {
  const upload = await imageUploadFind(queries, service.account_id, service.id);
  if (upload === undefined) return { uploading: '', progress: '0' };
  const { image, answered, copy, sent_bytes, size_bytes } = upload;
  const fetched = copy === 'None' ? answered : sent_bytes / Math.max(size_bytes, 1);
  return { uploading: image, progress: String(Math.floor(fetched * 100)) };
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
    if (row.state !== 'Mounted') await insertImage(context, service, drive, row);
  });
}

/** The image stays set. */
export async function imageUnmount(context: Context, service: Service): Promise<void> {
  await driveOf(context, service).use('an image unmount', async (drive) => {
    const row = await readActualState(context, service, drive);
    if (row?.state !== 'Mounted') throw conflict('No image is mounted.');
    await ejectImage(context, service, drive, row);
  });
}

/** Sets and mounts an image in place of the previous one, in one command: another exchange comes before or after it. */
export async function imageExchange(context: Context, service: Service, value: string): Promise<void> {
  const image = await imageFor(context, service, value);
  await driveOf(context, service).prepareFile(image);
  await driveOf(context, service).use('an image mount', async (drive) => {
    const current = await readActualState(context, service, drive);
    if (current?.state === 'Mounted') await ejectImage(context, service, drive, current);
    await insertImage(context, service, drive, await chooseImage(context, service, image));
  });
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

async function imageFor(context: Context, { type }: Service, value: string): Promise<CatalogueImage> {
  const images = await catalogueImages(context.queries, type);
  const image = images.find((candidate) => candidate.value === value);
  if (image !== undefined) return image;
  const values = (await readyImages(context, type)).map((candidate) => candidate.value).join(', ');
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

/** Records the image of a device that has none in its drive. */
async function chooseImage(context: Context, service: Service, image: CatalogueImage): Promise<store.DeviceImage> {
  const { id: service_id, account_id } = service;
  const row = { service_id, account_id, image: image.value, changed_at: context.app.clock.now() };
  if (await store.deviceImageSet(context.queries, row)) return { ...row, state: 'Set', link_hash: null };
  throw lostLock();
}

async function insertImage(
  context: Context,
  service: Service,
  drive: LockedDrive,
  row: store.DeviceImage,
): Promise<void> {
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
}

async function ejectImage(
  context: Context,
  service: Service,
  drive: LockedDrive,
  row: store.DeviceImage,
): Promise<void> {
  const unmounting = await moveImage(context, row, 'Unmounting', row.link_hash);
  try {
    await drive.eject();
  } catch (error) {
    if (!isUnreachable(error)) await moveImage(context, unmounting, 'Mounted', row.link_hash);
    throw error;
  }
  await finishMove(context, service, unmounting, 'Set');
}

async function moveImage(
  context: Context,
  row: store.DeviceImage,
  state: ImageState,
  link_hash: string | null,
): Promise<store.DeviceImage> {
  const change = { state, link_hash, changed_at: context.app.clock.now() };
  if (await store.deviceImageMove(context.queries, row, change)) return { ...row, ...change };
  throw lostLock();
}

/** The lock has expired, as on an instance that was suspended: its new holder decides. */
function lostLock(): ApiError {
  return new ApiError('device_busy');
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
