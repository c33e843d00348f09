// v2: ISO images of devices.
import type { Handlers } from '#contract/endpoint.ts';
import type { deviceV2 } from '#contract/v2/device.ts';
import { serviceOf } from '#app/services/services.ts';
import { imageList, imageMount, imageSet, imageStatus, imageUnmount } from '#app/devices/images.ts';
import type { Context, Visitor } from '#app/app.ts';

type Handled =
  | 'deviceImageList'
  | 'deviceImageStatus'
  | 'deviceImageUpload'
  | 'deviceImageMount'
  | 'deviceImageUnmount';

export const deviceImageHandlers: Pick<Handlers<typeof deviceV2, Context, Visitor>, Handled> = {
  deviceImageList: (context, { service }) => imageList(context, service),
  deviceImageStatus: async (context, { service }) => imageStatus(context, await serviceOf(context, service)),
  deviceImageUpload: async (context, { service, image }) => {
    await imageSet(context, await serviceOf(context, service), image);
    return 'Image Uploaded' as const;
  },
  deviceImageMount: async (context, { service }) => {
    await imageMount(context, await serviceOf(context, service));
    return 'Image Mounted' as const;
  },
  deviceImageUnmount: async (context, { service }) => {
    await imageUnmount(context, await serviceOf(context, service));
    return 'Image Unmounted' as const;
  },
};
