// Power strips of a site file, and the outlets that servers are plugged into. An outlet belongs to one server: switching it
// must not switch off another customer's.
import type { Site, SitePdu } from '#contract/site/site.ts';
import { pduSealContext } from '#equipment/pdus.ts';
import { pduPut, type PduRow } from '#store/devices/pdus.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { differs, sealSettingsIfChanged, siteOutlets } from './equipment.ts';
import { deviceAddress } from './rack-checks.ts';
import { driverSettings } from './secrets.ts';
import { checkDriver } from './schema-checks.ts';
import { createDuplicateCheck, type SiteProblem } from './site-problem.ts';

export async function applyPdu(
  app: App,
  queries: Queries,
  { name, driver, settings }: SitePdu,
  stored: PduRow | undefined,
): Promise<void> {
  const sealed = sealSettingsIfChanged(app, stored?.settings, settings, pduSealContext(name));
  const row = { name, driver, settings: sealed };
  if (differs(stored, { ...row, removed_at: null })) await pduPut(queries, row);
}

export function* checkOutlets({ pdus = [], servers = [], switches = [] }: Site): Iterable<SiteProblem> {
  const isDuplicate = createDuplicateCheck();
  const addresses = [...switches, ...servers.map(({ bmc }) => bmc)].map(({ settings }) => deviceAddress(settings));
  for (const address of addresses) isDuplicate('address', address);
  for (const [index, pdu] of pdus.entries()) {
    const path = ['pdus', index];
    if (isDuplicate('pdu', pdu.name))
      yield [[...path, 'name'], `power strip ${pdu.name} is defined twice; give each its own name`];
    const address = deviceAddress(pdu.settings);
    if (isDuplicate('address', address))
      yield [[...path, 'settings', 'address'], `${address} is used twice; each device needs its own`];
    yield* checkDriver(path, driverSettings.pdu, pdu);
  }
  const names = new Set(pdus.map(({ name }) => name));
  const owners = new Map<string, string>();
  for (const [index, server] of servers.entries()) {
    for (const [position, { pdu, outlet }] of siteOutlets(server.outlets).entries()) {
      const path = ['servers', index, 'outlets', position];
      const name = `outlet ${outlet} of ${pdu}`;
      if (!names.has(pdu)) yield [[...path, 'pdu'], `unknown power strip ${pdu}; add it under pdus`];
      if (owners.has(name)) yield [[...path, 'outlet'], `${name} already belongs to ${owners.get(name)}`];
      owners.set(name, server.name);
    }
  }
}
