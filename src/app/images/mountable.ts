// The images that devices can mount now: those whose file is ready, for a device that has a virtual drive.
import type { ServiceType } from '#contract/shapes/device.ts';
import { requireCapability } from '#drivers/bmc/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { ApiError } from '#lib/api-error.ts';
import { machineFind } from '#store/devices/machines.ts';
import type { Service } from '#store/devices/services.ts';
import { visibleServices } from '../services/visible-services.ts';
import { isMachine } from '../services/services.ts';
import type { Context } from '../app.ts';
import { catalogueImages, type CatalogueImage } from './catalogue.ts';

/** Asks the BMC of a dedicated server whether it has a drive. */
export async function imagesOfDevice(context: Context, service: Service): Promise<readonly CatalogueImage[]> {
  const hasDrive = (await mayHaveDrive(context, service)) && (isMachine(service) || (await hasDisc(context, service)));
  return hasDrive ? readyImages(context, service.type) : [];
}

/** Contacts no device: an account may have many. */
export async function imagesOfAccount(
  context: Context,
  isCounted: (service: Service) => boolean,
): Promise<readonly CatalogueImage[]> {
  const types = new Set<ServiceType>();
  for (const service of await visibleServices(context))
    if (!types.has(service.type) && isCounted(service) && (await mayHaveDrive(context, service)))
      types.add(service.type);
  const values = new Set<string>();
  for (const type of types) for (const { value } of await readyImages(context, type)) values.add(value);
  return (await catalogueImages(context.queries)).filter(({ value }) => values.has(value));
}

/** Returns the images whose file this type of device can use. */
export async function readyImages({ app, queries }: Context, type: ServiceType): Promise<readonly CatalogueImage[]> {
  const images = await catalogueImages(queries, type);
  if (type !== 'dedicated') return images.filter(({ onNodes }) => onNodes !== undefined);
  if (app.media.url === undefined) return [];
  const areReady = await Promise.all(images.map(({ source }) => source !== undefined && app.files.isReady(source)));
  return images.filter((_, index) => areReady[index]);
}

/** Returns false if the driver has no virtual media, or there is no device. */
async function mayHaveDrive({ app, queries }: Context, service: Service): Promise<boolean> {
  if (service.status === 'Terminated') return false;
  if (service.server !== null) return falseIfMissing(() => app.bmcs.has(service.server!, 'media'));
  const machine = await machineFind(queries, service.id);
  return machine?.state === 'ready' && machine.node !== null && app.hypervisors.has(machine.node, 'media');
}

async function hasDisc({ app }: Context, { server }: Service): Promise<boolean> {
  return falseIfMissing(async () => {
    await app.bmcs.use(server!, (bmc, { commandMs }) =>
      requireCapability(bmc, 'media').currentImage(commandTimeout(undefined, commandMs)),
    );
    return true;
  });
}

async function falseIfMissing(look: () => Promise<boolean>): Promise<boolean> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'capability_missing') return false;
    throw error;
  }
}
