// The equipment of a site file in the database, with its secrets sealed.
import { isDeepStrictEqual } from 'node:util';
import { rackHeight } from '#contract/site-racks.ts';
import type { Site, SiteServer, SiteSwitch } from '#contract/site.ts';
import { bmcSealContext } from '#equipment/bmcs.ts';
import { switchSealContext } from '#equipment/switches.ts';
import { macText } from '#kernel/addresses.ts';
import { rackMountPut, rackMountRemove, rackMounts, rackPut } from '#store/devices/racks.ts';
import { serverBootPut, serverFind, serverPut } from '#store/devices/servers.ts';
import type { Queries } from '#store/store.ts';
import { switchFind, switchPut } from '#store/network/switches.ts';
import type { Yard } from '../yard.ts';
import { mountsOf, shareUnits, type Mounted } from './rack-faults.ts';

export async function applyServer(
  yard: Yard,
  queries: Queries,
  { name: given, bmc, parts, macs = [], uuid, firmware, serial, disks = [] }: SiteServer,
): Promise<void> {
  const name = given.toLowerCase();
  const before = await serverFind(queries, name);
  const wanted = {
    name,
    bmc_driver: bmc.driver,
    bmc_settings: sealedSettings(yard, before?.bmc_settings, bmc.settings, bmcSealContext(name)),
    bmc_model: bmc.model ?? 'generic',
    console_host: bmc.consoleHost ?? name,
    parts: JSON.stringify(parts ?? {}),
  };
  if (differs(before, { ...wanted, removed_at: null })) await serverPut(queries, wanted);
  const identity = {
    macs: macs.map(macText),
    uuid: uuid?.toLowerCase() ?? null,
    firmware: firmware ?? null,
    serial: serial ?? null,
    disks,
  };
  await serverBootPut(queries, name, identity);
}

export async function applySwitch(yard: Yard, queries: Queries, { name, driver, settings }: SiteSwitch): Promise<void> {
  const before = await switchFind(queries, name);
  const wanted = { name, driver, settings: sealedSettings(yard, before?.settings, settings, switchSealContext(name)) };
  if (differs(before, { ...wanted, removed_at: null })) await switchPut(queries, wanted);
}

/** After all that can stand in one. */
export async function applyRacks(queries: Queries, site: Site): Promise<void> {
  for (const { name, height = rackHeight, place = '' } of site.racks ?? [])
    await rackPut(queries, { name, height, place });
  const mounts = [...mountsOf(site)].map(([, mount]) => mount);
  const inFile = namesInFile(site);
  for (const mount of await rackMounts(queries)) {
    const isPlaced = mounts.some(({ kind, name }) => kind === mount.kind && name === mount.name);
    if (inFile.has(`${mount.kind} ${mount.name}`) && !isPlaced) await rackMountRemove(queries, mount);
  }
  for (const mount of mounts) await rackMountPut(queries, mount);
  refuseShared(await rackMounts(queries));
}

function namesInFile({ servers = [], switches = [], nodes = [] }: Site): Set<string> {
  return new Set([
    ...servers.map(({ name }) => `server ${name.toLowerCase()}`),
    ...switches.map(({ name }) => `switch ${name}`),
    ...nodes.map(({ name }) => `node ${name}`),
  ]);
}

/** The file alone was looked at when it was read; here is also what it leaves out. */
function refuseShared(all: readonly Mounted[]): void {
  for (const [index, mount] of all.entries()) {
    const other = all.slice(index + 1).find((one) => shareUnits(one, mount));
    if (other === undefined) continue;
    const [one, two] = [`${mount.kind} ${mount.name}`, `${other.kind} ${other.name}`];
    throw new Error(`${one} and ${two} would share units of rack ${mount.rack}; one of them is not in the file`);
  }
}

/** Sealing gives another text each time, so what is stored is opened and compared: settings that did not change stay as they
 * are, and with them the open connection. */
export function sealedSettings(yard: Yard, stored: string | undefined, given: object, context: string): string {
  return stored !== undefined && isDeepStrictEqual(JSON.parse(yard.secrets.open(stored, context)), plain(given))
    ? stored
    : yard.secrets.seal(JSON.stringify(given), context);
}

function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}

export function differs<Row extends object>(before: Row | undefined, wanted: Partial<Row>): boolean {
  return (
    before === undefined || Object.entries(wanted).some(([column, value]) => before[column as keyof Row] !== value)
  );
}
