// Searches the server list.
import type { Device } from '#sdk/v2.ts';

export type TypeFilter = 'all' | Device['type'];

export interface ServerFilter {
  readonly text: string;
  readonly type: TypeFilter;
  /** Servers must have all of them. */
  readonly labels: readonly string[];
}

/** Returns the devices of the given type, with these labels, that contain every word of the text in one of their fields. */
export function searchServers(devices: readonly Device[], { text, type, labels }: ServerFilter): Device[] {
  const words = text.toLowerCase().split(' ').filter(Boolean);
  return devices.filter((device) => {
    if (type !== 'all' && device.type !== type) return false;
    if (!labels.every((label) => device.labels.includes(label))) return false;
    const { hostname, name, ip, service, status } = device;
    const deviceIds = 'server' in device ? [device.server, device.alias] : [device.vmid];
    const all = [hostname, name, ip, service, status, ...deviceIds, ...device.labels].join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

export function allLabels(devices: readonly Device[]): string[] {
  return [...new Set(devices.flatMap(({ labels }) => labels))].toSorted();
}

const types: readonly TypeFilter[] = ['all', 'cloud', 'dedicated', 'vps'];

/** Reads a filter from the query of an address; what is unknown is ignored. */
export function parseFilter(query: string): ServerFilter {
  const params = new URLSearchParams(query);
  const type = types.find((name) => name === params.get('type')) ?? 'all';
  return { text: params.get('text') ?? '', type, labels: params.getAll('label') };
}

/** Returns the query of an address; empty for a filter that shows everything. */
export function filterQuery({ text, type, labels }: ServerFilter): string {
  const params = new URLSearchParams();
  if (text !== '') params.set('text', text);
  if (type !== 'all') params.set('type', type);
  for (const label of labels) params.append('label', label);
  return params.toString();
}
