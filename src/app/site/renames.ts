// Rejects renamed servers. An entry with another name is another server, so the disks of the old one would be erased as if its
// customer had left, while the customer uses them under the new name.
import type { Site } from '#contract/site/site.ts';
import { bmcSealContext } from '#equipment/bmcs.ts';
import { macText } from '#lib/addresses.ts';
import { driverSettings } from '#store/driver-settings.ts';
import type { Server, StoredServer } from '#store/devices/servers.ts';
import type { App } from '../app.ts';
import { deviceAddress } from './rack-checks.ts';
import { entryName, type RemovedNames } from './settings.ts';

/** Rejects new servers that are stored under a name which the file omits, unless that one is free and removed. */
export function rejectRenames(
  { secrets }: Pick<App, 'secrets'>,
  stored: ReadonlyMap<string, StoredServer>,
  { servers = [] }: Site,
  removed: RemovedNames,
): void {
  const current = [...stored.values()].filter(({ removed_at }) => removed_at === null);
  const added = new Map(servers.map((server) => [server.name.toLowerCase(), server]));
  const omitted = current.filter(({ name }) => !added.has(name));
  for (const { name } of current) added.delete(name);
  if (omitted.length === 0 || added.size === 0) return;
  const formerByTrait = new Map<string, Server>();
  for (const server of omitted) {
    const settings = driverSettings.decode(secrets.open(server.bmc_settings, bmcSealContext(server.name)));
    for (const [what, value] of traitsOf({ ...server, settings })) formerByTrait.set(`${what} ${value}`, server);
  }
  for (const [name, { bmc, macs = [], serial, uuid }] of added) {
    const traits = traitsOf({ settings: bmc.settings, macs: macs.map(macText), serial, uuid: uuid?.toLowerCase() });
    const trait = traits.find(([what, value]) => formerByTrait.has(`${what} ${value}`));
    if (trait === undefined) continue;
    const former = formerByTrait.get(trait.join(' '))!;
    const what = `server ${name} has the ${trait[0]} of server ${former.name}`;
    if (former.state !== 'available')
      throw new Error(`${what}, which is ${former.state}: a server can be renamed only while it is available`);
    if (!removed.has(entryName('servers', former.name)))
      throw new Error(`${what}, which is not in the file: if you renamed it, remove the old name with --prune`);
  }
}

/** Returns what identifies the machine, whatever its name. */
function traitsOf(server: {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly macs: readonly string[];
  readonly serial?: string | null | undefined;
  readonly uuid?: string | null | undefined;
}): (readonly [what: string, value: string])[] {
  const { settings, macs, serial, uuid } = server;
  const traits: [string, string | null | undefined][] = [
    ['BMC address', deviceAddress(settings)],
    ['serial number', serial],
    ['UUID', uuid],
    ...macs.map((mac): [string, string] => ['MAC address', mac]),
  ];
  return traits.filter((trait): trait is [string, string] => trait[1] != null);
}
