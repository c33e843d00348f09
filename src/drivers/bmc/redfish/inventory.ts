// Reads the hardware inventory over Redfish, in the categories that customers know.
import { pickDefined } from '#lib/defined.ts';
import type { Inventory } from '../driver.ts';
import type { Resource } from './client.ts';
import { withApiErrors } from './error.ts';
import { getLink, getLinks, getNumber, getObject, getText, type Json } from './json.ts';
import type { RedfishService } from './service.ts';

const mibPerGib = 1024;
const gigabyte = 1_000_000_000;

export function createInventory(service: RedfishService): Inventory {
  async function readParts(system: Json, name: string, signal: AbortSignal): Promise<readonly Json[]> {
    return presentResources(await service.members(getLink(system, name), signal));
  }
  async function readDrives(system: Json, signal: AbortSignal): Promise<readonly Json[]> {
    const links = (await readParts(system, 'Storage', signal)).flatMap((storage) => getLinks(storage, 'Drives'));
    return presentResources(await Promise.all(links.map((link) => service.client.get(link, signal))));
  }

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
        CPU: processors.map(processorText),
        RAM: memory.map(memoryText),
        'Hard Drive': disks.map(driveText),
        'Network Card': ports.map(portText),
        Product: product === '' ? [] : [product],
      };
    },
    async macs(signal) {
      const ports = await readParts((await service.system(signal)).body, 'EthernetInterfaces', signal);
      return ports.map(macOf).filter((mac) => mac !== undefined);
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

/** Services also list empty slots. */
function presentResources(resources: readonly Resource[]): readonly Json[] {
  return resources.map(({ body }) => body).filter((body) => getText(getObject(body, 'Status'), 'State') !== 'Absent');
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
  const size = getNumber(drive, 'CapacityBytes');
  const kind = [getText(drive, 'Protocol'), getText(drive, 'MediaType')];
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
