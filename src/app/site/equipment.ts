// Stores the equipment of a site file, with its secrets sealed.
import { isDeepStrictEqual } from 'node:util';
import { rackHeight } from '#contract/site/racks.ts';
import type { Site, SiteServer, SiteSwitch } from '#contract/site/site.ts';
import { hasWebPage } from '#drivers/bmc/registry.ts';
import { bmcSealContext, settingsDigest } from '#equipment/bmcs.ts';
import type { Outlet } from '#equipment/pdus.ts';
import { switchSealContext } from '#equipment/switches.ts';
import { addressText, macText } from '#lib/addresses.ts';
import { rackList, rackMountsPut, rackMountRemove, rackMounts, rackPut } from '#store/devices/racks.ts';
import { serverDisks, serverOutlets, serverParts } from '#store/devices/servers.ts';
import type { Server, SiteServerRow, StoredServer } from '#store/devices/servers.ts';
import type { Queries } from '#store/store.ts';
import { switchPut, type SwitchRow } from '#store/network/switches.ts';
import type { App } from '../app.ts';
import { listMounts, overlappingMounts, type Mount } from './rack-checks.ts';
import { driverSettings } from '#store/driver-settings.ts';

/** Returns the row of a server, or undefined if the stored one is the same. */
export function changedServer(
  app: App,
  server: SiteServer,
  stored: StoredServer | undefined,
): SiteServerRow | undefined {
  const { bmc, parts, uuid, bootAddress, outlets } = server;
  const name = server.name.toLowerCase();
  const row = {
    name,
    bmc_driver: bmc.driver,
    ...bmcSettings(app, stored, name, bmc.settings),
    bmc_model: bmc.model ?? 'generic',
    console_host: bmc.consoleHost ?? name,
    has_web_page: hasWebPage(bmc.driver, bmc.settings) ? 1 : 0,
    parts: serverParts.encode(parts ?? {}),
    erase: server.erase === false ? 0 : 1,
    outlets: serverOutlets.encode(siteOutlets(outlets)),
    uuid: uuid?.toLowerCase() ?? null,
    firmware: server.firmware ?? null,
    boot_address: bootAddress === undefined ? null : addressText(bootAddress)!,
    serial: server.serial ?? null,
    disks: serverDisks.encode(server.disks ?? []),
  };
  const macs = (server.macs ?? []).map(macText).sort();
  const isSame = !differs(stored, { ...row, removed_at: null }) && isDeepStrictEqual(stored?.macs, macs);
  return isSame ? undefined : { ...row, macs };
}

export function siteOutlets(outlets: SiteServer['outlets'] = []): Outlet[] {
  return outlets.map(({ pdu, outlet }) => ({ pdu, outlet: String(outlet) }));
}

/** Settings whose password was rotated stay until the file gives others. */
function bmcSettings(app: App, stored: Server | undefined, name: string, settings: object) {
  const { bmc_settings = undefined, bmc_file_digest = null } = stored ?? {};
  if (bmc_settings !== undefined && bmc_file_digest === settingsDigest(app.secrets, settings))
    return { bmc_settings, bmc_file_digest };
  const sealed = sealSettingsIfChanged(app, bmc_settings, settings, bmcSealContext(name));
  return { bmc_settings: sealed, bmc_file_digest: null };
}

export async function applySwitch(
  app: App,
  queries: Queries,
  { name, driver, settings }: SiteSwitch,
  stored: SwitchRow | undefined,
): Promise<void> {
  const row = {
    name,
    driver,
    settings: sealSettingsIfChanged(app, stored?.settings, settings, switchSealContext(name)),
  };
  if (differs(stored, { ...row, removed_at: null })) await switchPut(queries, row);
}

/** Requires that all equipment has been applied. */
export async function applyRacks(queries: Queries, site: Site): Promise<void> {
  const racks = new Map((await rackList(queries)).map((rack) => [rack.name, rack]));
  for (const { name, height = rackHeight, place = '' } of site.racks ?? []) {
    const rack = { name, height, place };
    if (differs(racks.get(name), rack)) await rackPut(queries, rack);
  }
  const mounts = [...listMounts(site)].map(([, mount]) => mount);
  const inFile = namesInFile(site);
  const placed = new Set(mounts.map(mountName));
  const stored = new Map((await rackMounts(queries)).map((mount) => [mountName(mount), mount]));
  for (const [name, mount] of stored) if (inFile.has(name) && !placed.has(name)) await rackMountRemove(queries, mount);
  await rackMountsPut(
    queries,
    mounts.filter((mount) => differs(stored.get(mountName(mount)), mount)),
  );
  rejectSharedUnits(await rackMounts(queries));
}

function mountName({ kind, name }: Pick<Mount, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

function namesInFile({ servers = [], switches = [], nodes = [] }: Site): Set<string> {
  return new Set([
    ...servers.map(({ name }) => `server ${name.toLowerCase()}`),
    ...switches.map(({ name }) => `switch ${name}`),
    ...nodes.map(({ name }) => `node ${name}`),
  ]);
}

/**
 * Rejects mounts that overlap. The checks of the file cover its own entries; this one includes equipment that the file
 * does not list.
 */
function rejectSharedUnits(mounts: readonly Mount[]): void {
  for (const { mount, other } of overlappingMounts(mounts)) {
    const devices = `${mount.kind} ${mount.name} and ${other.kind} ${other.name}`;
    throw new Error(
      `${devices} would share units of rack ${mount.rack}, and one of them is not in the file: move it or add it to the file`,
    );
  }
}

/**
 * Returns the stored text if the settings are unchanged. Sealing produces a different text each time, and a new text
 * would make the open connection reconnect.
 */
export function sealSettingsIfChanged(app: App, stored: string | undefined, settings: object, context: string): string {
  return stored !== undefined &&
    isDeepStrictEqual(driverSettings.decode(app.secrets.open(stored, context)), plain(settings))
    ? stored
    : app.secrets.seal(JSON.stringify(settings), context);
}

function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}

export function differs<Row extends object>(stored: Row | undefined, row: Partial<Row>): boolean {
  return stored === undefined || Object.entries(row).some(([column, value]) => stored[column as keyof Row] !== value);
}
