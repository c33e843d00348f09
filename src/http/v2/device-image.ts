// v2: ISO images of devices.
import type { deviceV2 } from '#contract/v2/device.ts';
import { serviceOf } from '#app/services/services.ts';
import { imageList, imageMount, imageSet, imageStatus, imageUnmount, uploadProgress } from '#app/devices/images.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const deviceImageHandlers = {
  deviceImageList: (context, { service }) => imageList(context, service),
  async deviceImageStatus(context, { service: id }) {
    const service = await serviceOf(context, id);
    return { ...(await imageStatus(context, service)), ...(await uploadProgress(context, service)) };
  },
  deviceImageUpload: respondWith('Image Uploaded', async (context, { service, image }) =>
    imageSet(context, await serviceOf(context, service), image),
  ),
  deviceImageMount: respondWith('Image Mounted', async (context, { service }) =>
    imageMount(context, await serviceOf(context, service)),
  ),
  deviceImageUnmount: respondWith('Image Unmounted', async (context, { service }) =>
    imageUnmount(context, await serviceOf(context, service)),
  ),
} satisfies Partial<HandlersOf<typeof deviceV2>>;
