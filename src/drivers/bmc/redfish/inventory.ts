// What a server is made of, as its Redfish service tells it, in the categories that customers know.
import type { Inventory } from '../driver.ts';
import type { Resource } from './client.ts';
import { told } from './error.ts';
import { linkIn, linksIn, numberIn, objectIn, textIn, type Json } from './json.ts';
import type { RedfishService } from './service.ts';

const mibPerGib = 1024;
const gigabyte = 1_000_000_000;

export function inventoryOf(service: RedfishService): Inventory {
  async function parts(system: Json, name: string, signal: AbortSignal): Promise<readonly Json[]> {
    return present(await service.members(linkIn(system, name), signal));
  }
  async function drives(system: Json, signal: AbortSignal): Promise<readonly Json[]> {
    const links = (await parts(system, 'Storage', signal)).flatMap((storage) => linksIn(storage, 'Drives'));
    return present(await Promise.all(links.map((link) => service.client.get(link, signal))));
  }

  return {
    read: (signal) =>
      told('inventory', async () => {
        const { body } = await service.system(signal);
        const [processors, memory, disks, ports] = await Promise.all([
          parts(body, 'Processors', signal),
          parts(body, 'Memory', signal),
          drives(body, signal),
          parts(body, 'EthernetInterfaces', signal),
        ]);
        return {
          CPU: processors.map(processorText),
          RAM: memory.map(memoryText),
          'Hard Drive': disks.map(driveText),
          'Network Card': ports.map(portText),
          Product: described(textIn(body, 'Manufacturer'), textIn(body, 'Model'), serialText(body)),
        };
      }),
    macs: (signal) =>
      told('inventory', async () => {
        const ports = await parts((await service.system(signal)).body, 'EthernetInterfaces', signal);
        return ports.map(macIn).filter((mac) => mac !== undefined);
      }),
  };
}

/** Empty places are listed too. */
function present(resources: readonly Resource[]): readonly Json[] {
  return resources.map(({ body }) => body).filter((body) => textIn(objectIn(body, 'Status'), 'State') !== 'Absent');
}

function processorText(processor: Json): string {
  const cores = numberIn(processor, 'TotalCores');
  return joined(textIn(processor, 'Model') ?? textIn(processor, 'Name'), cores && `${cores} cores`);
}
function memoryText(module: Json): string {
  const size = numberIn(module, 'CapacityMiB');
  return joined(size && `${size / mibPerGib} GB`, textIn(module, 'MemoryDeviceType'), textIn(module, 'Manufacturer'));
}
function driveText(drive: Json): string {
  const size = numberIn(drive, 'CapacityBytes');
  const kind = [textIn(drive, 'Protocol'), textIn(drive, 'MediaType')];
  return joined(size && `${Math.round(size / gigabyte)} GB`, ...kind, textIn(drive, 'Model'), serialText(drive));
}
function portText(port: Json): string {
  const speed = numberIn(port, 'SpeedMbps');
  return joined(textIn(port, 'Name'), speed && `${speed} Mbit/s`, macIn(port));
}
function serialText(part: Json): string | undefined {
  const serial = textIn(part, 'SerialNumber');
  return serial && `serial ${serial}`;
}
function macIn(port: Json): string | undefined {
  return (textIn(port, 'PermanentMACAddress') ?? textIn(port, 'MACAddress'))?.toLowerCase();
}

function described(...texts: readonly (string | undefined)[]): string[] {
  const text = joined(...texts);
  return text === '' ? [] : [text];
}
function joined(...texts: readonly (string | number | undefined)[]): string {
  return texts.filter((text) => typeof text === 'string').join(' ');
}
