// The hardware of a lab server as Redfish resources: processors, memory, drives and network ports.
import type { RedfishMachine } from './machine.ts';
import type { Body } from './response.ts';
import { systemPath } from './paths.ts';
import { collection, link, resourceBody, root, type Resources } from './resource.ts';

const memoryMiB = 16_384;
const driveBytes = 960_197_124_096;

export function inventoryResources(machine: RedfishMachine): Resources {
  const system = systemPath(machine);
  const storage = `${system}/Storage/SATA`;
  const drives = ['A', 'B'].map((id) => `${storage}/Drives/${id}`);
  return {
    ...collectionWithMembers(`${system}/Processors`, 'Processor', [
      {
        ProcessorType: 'CPU',
        Manufacturer: 'Intel',
        Model: 'Intel Xeon E5-2620 v4',
        TotalCores: 8,
        Status: { State: 'Enabled' },
      },
      { ProcessorType: 'CPU', Status: { State: 'Absent' } },
    ]),
    ...collectionWithMembers(
      `${system}/Memory`,
      'Memory',
      ['D1', 'D2'].map((place) => ({
        CapacityMiB: memoryMiB,
        MemoryDeviceType: 'DDR4',
        Manufacturer: 'Lab Memory',
        DeviceLocator: place,
        Status: { State: 'Enabled' },
      })),
    ),
    [`${system}/Storage`]: collection(`${system}/Storage`, 'Storage', [storage]),
    [storage]: { body: resourceBody(storage, 'Storage.v1_15_0', 'SATA', { Drives: drives.map(link) }) },
    ...Object.fromEntries(
      drives.map((path, index) => [
        path,
        {
          body: resource(path, 'Drive', {
            Model: 'Lab SSD',
            CapacityBytes: driveBytes,
            Protocol: 'SATA',
            MediaType: 'SSD',
            SerialNumber: `${machine.serialNumber}-${index}`,
            Status: { State: 'Enabled' },
          }),
        },
      ]),
    ),
    ...collectionWithMembers(
      `${system}/EthernetInterfaces`,
      'EthernetInterface',
      machine.macs.map((mac) => ({
        MACAddress: mac.toUpperCase(),
        PermanentMACAddress: mac.toUpperCase(),
        SpeedMbps: 1000,
        Status: { State: 'Enabled' },
      })),
    ),
    [`${root}/Chassis`]: collection(`${root}/Chassis`, 'Chassis', [`${root}/Chassis/1U`]),
    [`${root}/Chassis/1U`]: {
      body: resource(`${root}/Chassis/1U`, 'Chassis', {
        ChassisType: 'RackMount',
        Model: 'HY-CH-1U',
        SerialNumber: `C${machine.serialNumber}`,
      }),
    },
  };
}

function collectionWithMembers(path: string, type: string, members: readonly Body[]): Resources {
  const paths = members.map((_, index) => `${path}/${index}`);
  return {
    [path]: collection(path, type, paths),
    ...Object.fromEntries(
      paths.map((memberPath, index) => [memberPath, { body: resource(memberPath, type, members[index]!) }]),
    ),
  };
}

function resource(path: string, type: string, properties: Body): Body {
  return resourceBody(path, `${type}.v1_10_0`, `${type} ${path.split('/').at(-1)!}`, properties);
}
