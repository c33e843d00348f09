// Searches and sorts the server list.
import type { Device } from '#sdk/v2.ts';
import type { VirtualSort } from '../../parts/virtual-table.tsx';

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
  return devices.filter(
    (device) =>
      (type === 'all' || device.type === type) &&
      labels.every((label) => labelsOf(device).includes(label)) &&
      words.every((word) => searchedText(device).includes(word)),
  );
}

/** By device, because each letter that somebody types searches them all again. */
const searchedTexts = new WeakMap<Device, string>();

function searchedText(device: Device): string {
  const known = searchedTexts.get(device);
  if (known !== undefined) return known;
  const { hostname, name, ip, service, status, labels } = device;
  const deviceIds = 'server' in device ? [device.server, device.alias] : [device.vmid];
  const text = [hostname, name, ip, service, status, ...deviceIds, labels].join(' ').toLowerCase();
  searchedTexts.set(device, text);
  return text;
}

export type ServerColumn = 'server' | 'ip' | 'type' | 'status';

export type ServerOrder = VirtualSort<ServerColumn>;

const sortedText: Record<ServerColumn, (device: Device) => string> = {
  server: ({ hostname, name }) => hostname || name,
  ip: ({ ip }) => ip,
  type: ({ type }) => type,
  status: ({ status }) => status,
};

/** Sorts `web2` before `web10`. Compares prepared texts: collating 10,000 names would take a noticeable moment. */
export function sortServers(devices: readonly Device[], { by, direction }: ServerOrder): Device[] {
  const pad = (digits: string): string => digits.padStart(10, '0');
  const keyed = devices.map((device) => ({
    device,
    key: sortedText[by](device).toLowerCase().replaceAll(/\d+/g, pad),
  }));
  const sign = direction === 'ascending' ? 1 : -1;
  keyed.sort((left, right) => (left.key === right.key ? 0 : left.key < right.key ? -sign : sign));
  return keyed.map(({ device }) => device);
}

export function labelsOf({ labels }: Pick<Device, 'labels'>): string[] {
  return labels.split(',').filter(Boolean);
}

export function allLabels(devices: readonly Device[]): string[] {
  return [...new Set(devices.flatMap(labelsOf))].toSorted();
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
