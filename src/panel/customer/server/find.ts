// Finding a server in the list by what one knows of it.
import type { Device } from '#sdk/v2.ts';

export const typeWords = { dedicated: 'Dedicated', vps: 'VPS', cloud: 'Cloud' } as const;
export type TypeChoice = 'all' | Device['type'];

/** Every word must be somewhere. */
export function matching(devices: readonly Device[], text: string, type: TypeChoice): Device[] {
  const words = text.toLowerCase().split(' ').filter(Boolean);
  return devices.filter((device) => {
    if (type !== 'all' && device.type !== type) return false;
    const { hostname, name, ip, service, status } = device;
    const own = 'server' in device ? device.server : device.vmid;
    const all = [hostname, name, ip, service, status, own].join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
