// Whether a system fits a server, said before the server is touched: a list of sentences for the customer, empty where it does.
import { isIPv4 } from 'node:net';
import type { InstallDisk, InstallInput, System } from './input.ts';

export function checkInstall(
  system: System,
  server: Pick<InstallInput, 'mac' | 'firmware' | 'addresses' | 'gateways' | 'disks' | 'preserve'>,
): string[] {
  const { source } = system;
  if (source === undefined) return [`The provider has no files for ${system.name} yet.`];
  const faults: string[] = [];
  if (source.firmware !== undefined && server.firmware !== undefined && source.firmware !== server.firmware)
    faults.push(
      `${system.name} needs ${firmwareNames[source.firmware]}, and this server boots by ${firmwareNames[server.firmware]}.`,
    );
  if (server.mac === '') faults.push('The network card of this server is not known.');
  if (source.kind === 'rescue') return faults;
  faults.push(...addressFaults(server), ...diskFaults(system.name, source.leastDiskGb ?? 0, server));
  return faults;
}

const firmwareNames = { bios: 'BIOS', uefi: 'UEFI' } as const;

function* addressFaults({ addresses, gateways }: Pick<InstallInput, 'addresses' | 'gateways'>): Iterable<string> {
  const main = addresses[0]?.split('/')[0];
  if (main === undefined) yield 'This server has no address.';
  else if (!gateways.some((gateway) => isIPv4(gateway) === isIPv4(main)))
    yield 'The gateway of this server’s address is not known.';
}

function* diskFaults(
  name: string,
  leastGb: number,
  { disks, preserve }: Pick<InstallInput, 'disks' | 'preserve'>,
): Iterable<string> {
  const known = new Set(disks.map(({ serial }) => serial));
  for (const serial of preserve) if (!known.has(serial)) yield `This server has no disk ${serial} to preserve.`;
  if (disks.length === 0) yield 'The disks of this server are not known.';
  else if (targetDisk({ disks, preserve }) === undefined)
    yield 'No disk is left to install to: all are to be preserved.';
  else if (targetDisk({ disks, preserve }, leastGb) === undefined)
    yield `${name} needs a disk of ${leastGb} GB, and none of those that may be used is that large.`;
}

/** The disk that the system goes to: the smallest that fits, the first in the site file of several. */
export function targetDisk(
  { disks, preserve }: Pick<InstallInput, 'disks' | 'preserve'>,
  leastGb = 0,
): InstallDisk | undefined {
  return disks
    .filter(({ serial, sizeGb }) => !preserve.includes(serial) && sizeGb >= leastGb)
    .toSorted((left, right) => left.sizeGb - right.sizeGb)[0];
}

/** For who has checked: without a disk nothing is rendered, so that nothing can be written to a wrong one. */
export function targetSerial(server: Pick<InstallInput, 'disks' | 'preserve'>, leastGb = 0): string {
  const disk = targetDisk(server, leastGb);
  if (disk === undefined) throw new Error('no disk to install to');
  return disk.serial;
}
