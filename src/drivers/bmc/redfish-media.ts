// Adds what IPMI lacks to a BMC that is controlled over it: virtual media and the web page, and remote screens to a console
// reset. The Redfish service is contacted only for these, so that an unresponsive one does not affect power control.
import { pickDefined } from '#lib/defined.ts';
import { requireCapability, type Bmc, type BmcCapability, type ServerHints } from './driver.ts';
import { createWebPage } from './redfish/web.ts';
import type { RedfishSettings } from './redfish/settings.ts';

export function withRedfish(bmc: Bmc, settings: RedfishSettings, { waits }: ServerHints): Bmc {
  let redfish: Promise<Bmc> | undefined;
  const part = async <C extends BmcCapability>(capability: C): Promise<NonNullable<Bmc[C]>> => {
    redfish ??= import('./redfish/driver.ts').then(({ openRedfish }) => openRedfish(settings, pickDefined({ waits })));
    return requireCapability(await redfish, capability);
  };
  return {
    ...bmc,
    media: {
      insert: async (url, signal) => (await part('media')).insert(url, signal),
      eject: async (signal) => (await part('media')).eject(signal),
      currentImage: async (signal) => (await part('media')).currentImage(signal),
    },
    consoles: {
      async reset(signal) {
        await bmc.consoles?.reset(signal);
        await (await part('consoles')).reset(signal);
      },
    },
    web: createWebPage(settings, waits),
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([
        bmc[Symbol.asyncDispose](),
        redfish?.then((redfishBmc) => redfishBmc[Symbol.asyncDispose]()),
      ]);
    },
  };
}
