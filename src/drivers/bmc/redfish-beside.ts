// The virtual media of a controller that speaks Redfish beside IPMI, as most do that speak Redfish at all: IPMI itself has no
// media. It is opened with the first image, so that a Redfish service that is silent costs nobody his power button.
import type { Bmc, VirtualMedia } from './driver.ts';
import { need } from './driver.ts';
import type { RedfishSettings } from './redfish/settings.ts';

export function mediaBeside(bmc: Bmc, settings: RedfishSettings): Bmc {
  let opened: Promise<Bmc> | undefined;
  const media = async (): Promise<VirtualMedia> => {
    opened ??= import('./redfish/driver.ts').then(({ openRedfish }) => openRedfish(settings));
    return need(await opened, 'media');
  };
  return {
    ...bmc,
    media: {
      insert: async (url, signal) => (await media()).insert(url, signal),
      eject: async (signal) => (await media()).eject(signal),
      inserted: async (signal) => (await media()).inserted(signal),
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([bmc[Symbol.asyncDispose](), opened?.then((beside) => beside[Symbol.asyncDispose]())]);
    },
  };
}
