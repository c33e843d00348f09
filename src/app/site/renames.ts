// Rejects renamed servers. An entry with another name is another server, so the disks of the old one would be erased as if its
// customer had left, while the customer uses them under the new name.
import type { Site } from '#contract/site/site.ts';
import { bmcSealContext } from '#equipment/bmcs.ts';
import { driverSettings } from '#store/driver-settings.ts';
import type { Server } from '#store/devices/servers.ts';
import type { App } from '../app.ts';
import { deviceAddress } from './rack-checks.ts';
import { entryName, type RemovedNames } from './settings.ts';

/** Rejects new servers that are stored under a name which the file omits, unless that one is free and removed. */
export function rejectRenames(
  { secrets }: Pick<App, 'secrets'>,
  stored: ReadonlyMap<string, Server>,
  { servers = [] }: Site,
  removed: RemovedNames,
): void {
  const current = [...stored.values()].filter(({ removed_at }) => removed_at === null);
  const added = new Map(servers.map((server) => [server.name.toLowerCase(), server]));
  const omitted = current.filter(({ name }) => !added.has(name));
  for (const { name } of current) added.delete(name);
  if (omitted.length === 0 || added.size === 0) return;
  const addressOf = ({ name, bmc_settings }: Server): string | undefined =>
    deviceAddress(driverSettings.decode(secrets.open(bmc_settings, bmcSealContext(name))));
  const byAddress = new Map(omitted.map((server) => [addressOf(server), server]));
  const bySerial = new Map(omitted.map((server) => [server.serial, server]));
  for (const [name, { bmc, serial }] of added) {
    const address = deviceAddress(bmc.settings);
    const sameController = address === undefined ? undefined : byAddress.get(address);
    const former = sameController ?? (serial === undefined ? undefined : bySerial.get(serial));
    if (former === undefined) continue;
    const what = `server ${name} has the ${sameController ? 'BMC address' : 'serial number'} of server ${former.name}`;
    if (former.state !== 'available')
      throw new Error(`${what}, which is ${former.state}: a server can be renamed only while it is available`);
    if (!removed.has(entryName('servers', former.name)))
      throw new Error(`${what}, which is not in the file: if you renamed it, remove the old name with --prune`);
  }
}
