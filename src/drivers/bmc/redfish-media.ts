// Adds virtual media over Redfish to a BMC that is controlled over IPMI, which has none. The Redfish service is
// contacted with the first image only, so that an unresponsive one does not affect power control.
import { requireCapability, type Bmc, type VirtualMedia } from './driver.ts';
import type { RedfishSettings } from './redfish/settings.ts';

export function withRedfishMedia(bmc: Bmc, settings: RedfishSettings): Bmc {
  let redfish: Promise<Bmc> | undefined;
  const media = async (): Promise<VirtualMedia> => {
    redfish ??= import('./redfish/driver.ts').then(({ openRedfish }) => openRedfish(settings));
    return requireCapability(await redfish, 'media');
  };
  return {
    ...bmc,
    media: {
      insert: async (url, signal) => (await media()).insert(url, signal),
      eject: async (signal) => (await media()).eject(signal),
      currentImage: async (signal) => (await media()).currentImage(signal),
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([
        bmc[Symbol.asyncDispose](),
        redfish?.then((redfishBmc) => redfishBmc[Symbol.asyncDispose]()),
      ]);
    },
  };
}
