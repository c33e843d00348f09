// The equipment of a site file in the database, with its secrets sealed.
import type { SiteServer, SiteSwitch } from '#contract/site.ts';
import { bmcSealContext } from '#equipment/bmcs.ts';
import { switchSealContext } from '#equipment/switches.ts';
import { serverBootPut, serverFind, serverPut } from '#store/servers.ts';
import type { Queries } from '#store/store.ts';
import { portPut, portsOfSwitch, switchFind, switchPut } from '#store/switches.ts';
import { macText } from '#kernel/addresses.ts';
import { resolveSecrets } from './secrets.ts';
import type { Yard } from '../yard.ts';

export async function applyServer(
  yard: Yard,
  queries: Queries,
  { name: given, bmc, parts, macs = [], uuid, disks = [] }: SiteServer,
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
  if (differs(before, wanted)) await serverPut(queries, wanted);
  await serverBootPut(queries, name, { macs: macs.map(macText), uuid: uuid?.toLowerCase() ?? null, disks });
}

export async function applySwitch(
  yard: Yard,
  queries: Queries,
  { name, driver, settings, ports }: SiteSwitch,
): Promise<void> {
  const before = await switchFind(queries, name);
  const wanted = { name, driver, settings: sealedSettings(yard, before?.settings, settings, switchSealContext(name)) };
  if (differs(before, wanted)) await switchPut(queries, wanted);
  const owners = new Map((ports ?? []).map(({ ifIndex, service }) => [ifIndex, service ?? null]));
  for (const [if_index, service_id] of owners) await portPut(queries, { switch: name, if_index, service_id });
  // A port that is no longer named belongs to nobody; its traffic stays.
  for (const { if_index } of await portsOfSwitch(queries, name)) {
    if (!owners.has(if_index)) await portPut(queries, { switch: name, if_index, service_id: null });
  }
}

/** Sealing gives another text each time, so what is stored is opened and compared: settings that did not change stay as they
 * are, and with them the open connection. */
export function sealedSettings(
  yard: Yard,
  stored: string | undefined,
  given: Readonly<Record<string, unknown>>,
  context: string,
): string {
  const settings = JSON.stringify(resolveSecrets(given));
  return stored !== undefined && yard.secrets.open(stored, context) === settings
    ? stored
    : yard.secrets.seal(settings, context);
}

export function differs<Row extends object>(before: Row | undefined, wanted: Partial<Row>): boolean {
  return (
    before === undefined || Object.entries(wanted).some(([column, value]) => before[column as keyof Row] !== value)
  );
}
