// The hardware of a lab server as Redfish resources: processors, memory, drives and network ports.
import type { RedfishMachine } from './machine.ts';
import type { Body } from './response.ts';
import { managerPath, systemPath } from './paths.ts';
import { collection, link, resourceBody, root, type Resources } from './resource.ts';
import { chassisPath, healthStatus, sensorLinks } from './sensors.ts';

const memoryMiB = 16_384;
const driveBytes = 480_103_981_056;
const bytesPerMiB = 1024 * 1024;
const diskNumbers = [0, 1];

export function inventoryResources(machine: RedfishMachine): Resources {
  const system = systemPath(machine);
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
      { ProcessorType: 'GPU', Model: 'Lab Accelerator', Status: { State: 'Enabled' } },
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
    ...diskResources(machine),
    ...collectionWithMembers(`${system}/EthernetInterfaces`, 'EthernetInterface', [
      ...machine.macs.map((mac) => ({
        MACAddress: mac.toUpperCase(),
        PermanentMACAddress: mac.toUpperCase(),
        SpeedMbps: 1000,
        Status: { State: 'Enabled' },
      })),
      // The server's end of its USB network to the BMC.
      {
        MACAddress: '02:00:00:00:00:01',
        Status: { State: 'Enabled' },
        Links: { HostInterface: link(`${managerPath}/HostInterfaces/1`) },
      },
    ]),
    [`${root}/Chassis`]: collection(`${root}/Chassis`, 'Chassis', [chassisPath]),
    [chassisPath]: {
      body: resource(chassisPath, 'Chassis', {
        ChassisType: 'RackMount',
        Model: 'HY-CH-1U',
        SerialNumber: `C${machine.serialNumber}`,
        ...sensorLinks(machine),
      }),
    },
  };
}

/** The collection in which a service lists its disks. */
function diskResources(machine: RedfishMachine): Resources {
  const system = systemPath(machine);
  const { inventory } = machine.personality;
  if (inventory === 'simple-storage') {
    return collectionWithMembers(`${system}/SimpleStorage`, 'SimpleStorage', [
      { Devices: diskNumbers.map((number) => ({ Name: `Disk ${number}`, ...diskBody(machine, number) })) },
    ]);
  }
  if (inventory === 'smart-storage') {
    const controllers = `${system}/SmartStorage/ArrayControllers`;
    const disks = `${controllers}/0/DiskDrives`;
    return {
      [`${system}/SmartStorage`]: {
        body: resource(`${system}/SmartStorage`, 'HpeSmartStorage', { Links: { ArrayControllers: link(controllers) } }),
      },
      ...collectionWithMembers(controllers, 'HpeSmartStorageArrayController', [
        { Links: { PhysicalDrives: link(disks) } },
      ]),
      ...collectionWithMembers(
        disks,
        'HpeSmartStorageDiskDrive',
        diskNumbers.map((number) => {
          const { Model, SerialNumber, MediaType, CapacityBytes, Status } = diskBody(machine, number);
          const CapacityMiB = CapacityBytes / bytesPerMiB;
          return { Model, SerialNumber, MediaType, InterfaceType: 'SATA', CapacityMiB, Status };
        }),
      ),
    };
  }
  const storage = `${system}/Storage/SATA`;
  const drives = diskNumbers.map((number) => `${storage}/Drives/${number}`);
  const missing = inventory === 'broken-link' ? [`${storage}/Drives/missing`] : [];
  return {
    [`${system}/Storage`]: collection(`${system}/Storage`, 'Storage', [storage]),
    [storage]: {
      body: resourceBody(storage, 'Storage.v1_15_0', 'SATA', { Drives: [...drives, ...missing].map(link) }),
    },
    ...Object.fromEntries(
      drives.map((path, number) => [path, { body: resource(path, 'Drive', diskBody(machine, number)) }]),
    ),
  };
}

function diskBody(machine: RedfishMachine, number: number) {
  return {
    Model: 'Lab SSD',
    CapacityBytes: driveBytes,
    Protocol: 'SATA',
    MediaType: 'SSD',
    SerialNumber: `${machine.serialNumber}-${number}`,
    PredictedMediaLifeLeftPercent: 97,
    Status: healthStatus(machine, number === 1 ? 'drive' : undefined),
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
