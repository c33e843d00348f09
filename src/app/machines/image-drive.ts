// The drive of a virtual machine, whose node has the image already.
import { need } from '#drivers/hypervisor/driver.ts';
import type { Service } from '#store/devices/services.ts';
import type { CatalogueImage } from '../images/catalogue.ts';
import { noFile, type DeviceDrive } from '../images/drive.ts';
import type { Context } from '../yard.ts';
import { machineOf, withMachine } from './machines.ts';

export function machineDrive(context: Context, service: Service): DeviceDrive {
  // A node is not asked: inserting again what may be in, or taking out what may be out, does no harm.
  const isIn: DeviceDrive['isIn'] = async ({ state }) => state === 'Mounted' || state === 'Unmounting';
  return {
    use: async (purpose, work) =>
      withMachine(context, await machineOf(context, service), purpose, ({ node, name, signal }) => {
        const media = need(node, 'media');
        return work({
          holds: isIn,
          prepare: (image) => ({ linkHash: null, insert: () => media.insert(name, placeOnNodes(image), signal) }),
          eject: () => media.eject(name, signal),
        });
      }),
    isIn,
    ready: async (image) => void placeOnNodes(image),
  };
}

function placeOnNodes({ onNodes }: CatalogueImage): string {
  if (onNodes === undefined) throw noFile();
  return onNodes;
}
