// Searches the server list.
import type { Device } from '#sdk/v2.ts';

export type TypeFilter = 'all' | Device['type'];

/** Returns the devices of the given type that contain every word of the text in one of their fields. */
export function searchServers(devices: readonly Device[], text: string, type: TypeFilter): Device[] {
  const words = text.toLowerCase().split(' ').filter(Boolean);
  return devices.filter((device) => {
    if (type !== 'all' && device.type !== type) return false;
    const { hostname, name, ip, service, status } = device;
    const deviceId = 'server' in device ? device.server : device.vmid;
    const all = [hostname, name, ip, service, status, deviceId].join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
