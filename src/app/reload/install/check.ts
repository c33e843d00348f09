// Checks whether a system fits a server, before the server is touched. Returns sentences for the customer, none if it
// fits.
import { isIPv4 } from 'node:net';
import type { System } from '#contract/site/systems.ts';
import type { InstallDisk, InstallInput } from './input.ts';

export function checkInstall(
  system: System,
  server: Pick<InstallInput, 'mac' | 'firmware' | 'addresses' | 'gateways' | 'disks' | 'preserve'>,
): string[] {
  const { source } = system;
  if (source === undefined) return [`The provider has no files for ${system.name} yet.`];
  const problems: string[] = [];
  if (source.firmware !== undefined && server.firmware !== undefined && source.firmware !== server.firmware)
    problems.push(
      `${system.name} requires ${firmwareNames[source.firmware]}, but this server boots with ${firmwareNames[server.firmware]}.`,
    );
  if (server.mac === '') problems.push('The network card of this server is unknown.');
  if (source.kind === 'rescue') return problems;
  problems.push(...addressProblems(server), ...diskProblems(system.name, source.leastDiskGb ?? 0, server));
  return problems;
}

const firmwareNames = { bios: 'BIOS', uefi: 'UEFI' } as const;

function* addressProblems({ addresses, gateways }: Pick<InstallInput, 'addresses' | 'gateways'>): Iterable<string> {
  const main = addresses[0]?.split('/')[0];
  if (main === undefined) yield 'This server has no address.';
  else if (!gateways.some((gateway) => isIPv4(gateway) === isIPv4(main)))
    yield "The gateway of this server's address is unknown.";
}

function* diskProblems(
  name: string,
  leastGb: number,
  { disks, preserve }: Pick<InstallInput, 'disks' | 'preserve'>,
): Iterable<string> {
  const serials = new Set(disks.map(({ serial }) => serial));
  for (const serial of preserve) if (!serials.has(serial)) yield `This server has no disk ${serial} to preserve.`;
  if (disks.length === 0) yield 'The disks of this server are unknown.';
  else if (targetDisk({ disks, preserve }) === undefined) yield 'No disk is left to install to: all are preserved.';
  else if (targetDisk({ disks, preserve }, leastGb) === undefined)
    yield `${name} requires a disk of ${leastGb} GB; no usable disk is that large.`;
}

/** Returns the disk to install to: the smallest that fits, and among equals the first in the site file. */
export function targetDisk(
  { disks, preserve }: Pick<InstallInput, 'disks' | 'preserve'>,
  leastGb = 0,
): InstallDisk | undefined {
  return disks
    .filter(({ serial, sizeGb }) => !preserve.includes(serial) && sizeGb >= leastGb)
    .toSorted((left, right) => left.sizeGb - right.sizeGb)[0];
}

/** Throws without a disk, so that nothing can be written to a wrong one. Call `checkInstall` first. */
export function targetSerial(server: Pick<InstallInput, 'disks' | 'preserve'>, leastGb = 0): string {
  const disk = targetDisk(server, leastGb);
  if (disk === undefined) throw new Error('no disk to install to');
  return disk.serial;
}
