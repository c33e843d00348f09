// Reads the hardware inventory over Redfish, in the categories that customers know.
import { countText } from '#lib/count-text.ts';
import { pickDefined } from '#lib/defined.ts';
import type { Inventory } from '../driver.ts';
import { RedfishError, withApiErrors } from './error.ts';
import { getLink, getLinks, getNumber, getObject, getObjects, getText, type Json } from './json.ts';
import type { RedfishService } from './service.ts';

const mibPerGib = 1024;
const gigabyte = 1_000_000_000;
const bytesPerMiB = 1024 * 1024;

export interface PartReader {
  readMembers(path: string | undefined, signal: AbortSignal): Promise<Parts>;
  readDrives(system: Json, signal: AbortSignal): Promise<Parts>;
}

export function createPartReader(service: RedfishService): PartReader {
  /** Leaves out what cannot be read: one broken link must not hide everything else. */
  async function readLinks(links: readonly string[], signal: AbortSignal): Promise<Parts> {
    const parts = await Promise.all(links.map((link) => orUnreadable(service.client.get(link, signal))));
    return {
      present: parts
        .filter((part) => part !== undefined)
        .map(({ body }) => body)
        .filter(isPresent),
      unreadable: parts.filter((part) => part === undefined).length,
    };
  }
  async function readMembers(path: string | undefined, signal: AbortSignal): Promise<Parts> {
    if (path === undefined) return noParts;
    const links = await orUnreadable(service.memberLinks(path, signal));
    return links === undefined ? { present: [], unreadable: 1 } : readLinks(links, signal);
  }

  /** Disks are in `Storage`, in the older `SimpleStorage`, or in `SmartStorage` of HPE. */
  async function readDrives(system: Json, signal: AbortSignal): Promise<Parts> {
    const storage = await readMembers(getLink(system, 'Storage'), signal);
    const drives = await readLinks(
      storage.present.flatMap((part) => getLinks(part, 'Drives')),
      signal,
    );
    const found = { ...drives, unreadable: drives.unreadable + storage.unreadable };
    if (found.present.length > 0) return found;
    const simple = await readMembers(getLink(system, 'SimpleStorage'), signal);
    const devices = simple.present.flatMap((part) => getObjects(part, 'Devices')).filter(isPresent);
    if (devices.length > 0) return { present: devices, unreadable: simple.unreadable };
    const smart = await readSmartStorage(system, signal);
    return smart.present.length > 0 ? smart : found;
  }

  async function readSmartStorage(system: Json, signal: AbortSignal): Promise<Parts> {
    const link = getLink(system, 'Oem', 'Hpe', 'Links', 'SmartStorage');
    if (link === undefined) return noParts;
    const storage = await readLinks([link], signal);
    const controllersLink = storage.present[0] && getLink(storage.present[0], 'Links', 'ArrayControllers');
    const controllers = await readMembers(controllersLink, signal);
    const disks = await Promise.all(
      controllers.present.map((controller) => readMembers(getLink(controller, 'Links', 'PhysicalDrives'), signal)),
    );
    return {
      present: disks.flatMap(({ present }) => present),
      unreadable: disks.reduce((sum, { unreadable }) => sum + unreadable, storage.unreadable + controllers.unreadable),
    };
  }

  return { readMembers, readDrives };
}

export function createInventory(service: RedfishService): Inventory {
  const { readMembers, readDrives } = createPartReader(service);
  const readParts = (system: Json, name: string, signal: AbortSignal): Promise<Parts> =>
    readMembers(getLink(system, name), signal);

  return withApiErrors<Inventory>('inventory', {
    async read(signal) {
      const { body } = await service.system(signal);
      const [processors, memory, disks, ports] = await Promise.all([
        readParts(body, 'Processors', signal),
        readParts(body, 'Memory', signal),
        readDrives(body, signal),
        readParts(body, 'EthernetInterfaces', signal),
      ]);
      const product = joinTexts(getText(body, 'Manufacturer'), getText(body, 'Model'), serialText(body));
      return {
        CPU: partTexts({ ...processors, present: processors.present.filter(isCpu) }, processorText),
        RAM: partTexts(memory, memoryText),
        'Hard Drive': partTexts(disks, driveText),
        'Network Card': partTexts({ ...ports, present: ports.present.filter(isServerPort) }, portText),
        Product: product === '' ? [] : [product],
      };
    },
    async macs(signal) {
      const ports = await readParts((await service.system(signal)).body, 'EthernetInterfaces', signal);
      if (ports.unreadable > 0) throw new RedfishError('badResponse', 'a network port cannot be read');
      return ports.present
        .filter(isServerPort)
        .map(macOf)
        .filter((mac) => mac !== undefined);
    },
    async firmware(signal) {
      const manager = await service.manager(signal);
      return pickDefined({
        bmc: manager && getText(manager.body, 'FirmwareVersion'),
        bios: getText((await service.system(signal)).body, 'BiosVersion'),
      });
    },
  });
}

export interface Parts {
  readonly present: readonly Json[];
  /** How many could not be read. */
  readonly unreadable: number;
}

const noParts: Parts = { present: [], unreadable: 0 };

/** Returns undefined for what the service lists but does not show. */
export async function orUnreadable<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof RedfishError && (error.kind === 'rejected' || error.kind === 'badResponse')) return undefined;
    throw error;
  }
}

function partTexts({ present, unreadable }: Parts, textOf: (part: Json) => string): string[] {
  const missing = unreadable === 0 ? [] : [`${countText(unreadable, 'part')} that the BMC does not show`];
  return [...present.map(textOf), ...missing];
}

/** Services also list empty slots. */
function isPresent(part: Json): boolean {
  return getText(getObject(part, 'Status'), 'State') !== 'Absent';
}

/** Accelerators are listed as processors too. */
function isCpu(processor: Json): boolean {
  return (getText(processor, 'ProcessorType') ?? 'CPU') === 'CPU';
}

/** Services also list the server's end of its internal network to the BMC. */
function isServerPort(port: Json): boolean {
  return getLink(port, 'Links', 'HostInterface') === undefined;
}

function processorText(processor: Json): string {
  const cores = getNumber(processor, 'TotalCores');
  return joinTexts(getText(processor, 'Model') ?? getText(processor, 'Name'), cores && `${cores} cores`);
}
function memoryText(module: Json): string {
  const size = getNumber(module, 'CapacityMiB');
  return joinTexts(
    size && `${size / mibPerGib} GB`,
    getText(module, 'MemoryDeviceType'),
    getText(module, 'Manufacturer'),
  );
}
function driveText(drive: Json): string {
  const mebibytes = getNumber(drive, 'CapacityMiB');
  const size = getNumber(drive, 'CapacityBytes') ?? (mebibytes && mebibytes * bytesPerMiB);
  const kind = [getText(drive, 'Protocol') ?? getText(drive, 'InterfaceType'), getText(drive, 'MediaType')];
  return joinTexts(size && `${Math.round(size / gigabyte)} GB`, ...kind, getText(drive, 'Model'), serialText(drive));
}
function portText(port: Json): string {
  // Without its speed, which changes with the cable and the power.
  return joinTexts(getText(port, 'Name'), macOf(port));
}
function serialText(part: Json): string | undefined {
  const serial = getText(part, 'SerialNumber');
  return serial && `serial ${serial}`;
}
function macOf(port: Json): string | undefined {
  return (getText(port, 'PermanentMACAddress') ?? getText(port, 'MACAddress'))?.toLowerCase();
}

function joinTexts(...texts: readonly (string | number | undefined)[]): string {
  return texts.filter((text) => typeof text === 'string').join(' ');
}
