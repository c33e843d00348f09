// Searches the server list.
import type { Device } from '#sdk/v2.ts';

export type TypeFilter = 'all' | Device['type'];

/** Returns the devices of the given type that contain every word of the text in one of their fields. */
export function searchServers(devices: readonly Device[], text: string, type: TypeFilter): Device[] {
  const words = text.toLowerCase().split(' ').filter(Boolean);
  return devices.filter((device) => {
    if (type !== 'all' && device.type !== type) return false;
    const { hostname, name, ip, service, status } = device;
    const deviceIds = 'server' in device ? [device.server, device.alias] : [device.vmid];
    const all = [hostname, name, ip, service, status, ...deviceIds].join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
