// Reads the site back from the database as a site file, to compare and to export. Secrets are in plain text here:
// callers must hide or seal them. What customers and billing own (contacts, invoices, keys that customers created,
// requested netblocks) is not part of it.
import type { Site, SiteCustomer, SitePdu, SiteServer, SiteSwitch } from '#contract/site/site.ts';
import type { SiteNode } from '#contract/site/machines.ts';
import { rackHeight } from '#contract/site/racks.ts';
import { bmcSealContext } from '#equipment/bmcs.ts';
import { nodeSealContext } from '#equipment/hypervisors.ts';
import { pduSealContext, type Outlet } from '#equipment/pdus.ts';
import { switchSealContext } from '#equipment/switches.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { networkText } from '#lib/address-ranges.ts';
import { equipmentRows, siteRows, type EquipmentRows, type SiteRows } from '#store/operator/site-rows.ts';
import type { Queries } from '#store/store.ts';
import { defaultLimits } from '../account/keys.ts';
import type { App } from '../app.ts';
import { loadSiteSettings } from './settings.ts';
import { plansOf, servicesOf } from './export-services.ts';
import { driverSettings } from '#store/driver-settings.ts';
import { serverDisks, serverOutlets, serverParts } from '#store/devices/servers.ts';
import { hypervisorNameServers } from '#store/devices/hypervisors.ts';
import { keyAllow, keyDnsLimits, keyScopes } from '#store/account/keys.ts';

export async function loadStoredSite(app: Pick<App, 'secrets'>, queries: Queries): Promise<Site | undefined> {
  const settings = await loadSiteSettings(app, queries);
  if (settings === undefined) return undefined;
  const rows = withoutErased(await siteRows(queries));
  const limits = settings.keyLimits ?? defaultLimits;
  return {
    ...settings,
    ...listOrNothing('plans', plansOf(rows, settings.plans ?? [], settings.provider.currency.code)),
    ...listOrNothing('operators', operatorsOf(rows, limits)),
    ...listOrNothing('racks', racksOf(rows)),
    ...equipmentOf(app, rows),
    ...listOrNothing('netblocks', netblocksOf(rows)),
    ...listOrNothing('customers', customersOf(rows, limits)),
    ...listOrNothing('services', servicesOf(rows, settings.plans ?? [], settings.provider.currency.code)),
  };
}

/** Returns the settings and equipment of the stored site, without the thousands of services. */
export async function loadStoredEquipment(app: Pick<App, 'secrets'>, queries: Queries): Promise<Partial<Site>> {
  const rows = { ...(await equipmentRows(queries)), services: [] };
  return { ...(await loadSiteSettings(app, queries)), ...equipmentOf(app, rows) };
}

type Equipment = Pick<Site, 'servers' | 'switches' | 'pdus' | 'nodes'>;
type EquipmentAndServices = EquipmentRows & Pick<SiteRows, 'services'>;

function equipmentOf({ secrets }: Pick<App, 'secrets'>, rows: EquipmentAndServices): Equipment {
  const open = (sealed: string, context: string) => driverSettings.decode(secrets.open(sealed, context));
  return {
    ...listOrNothing('servers', serversOf(rows, open)),
    ...listOrNothing('switches', switchesOf(rows, open)),
    ...listOrNothing('pdus', pdusOf(rows, open)),
    ...listOrNothing('nodes', nodesOf(rows, open)),
  };
}

/** A file must not bring back erased accounts, which have no email address. */
function withoutErased(rows: SiteRows): SiteRows {
  const accounts = rows.accounts.filter(({ email }) => email !== '');
  const ids = new Set(accounts.map(({ id }) => id));
  return { ...rows, accounts, services: rows.services.filter(({ account_id }) => ids.has(account_id)) };
}

type Open = (sealed: string, context: string) => Record<string, unknown>;

function listOrNothing<Name extends keyof Site>(name: Name, entries: readonly unknown[]): Pick<Site, Name> {
  return (entries.length === 0 ? {} : { [name]: entries }) as Pick<Site, Name>;
}

/** Returns a copy without the members that have the `unset` value. */
export function without<Part extends object>(part: Part, unset: unknown): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== unset)) as Part;
}

function operatorsOf({ keys }: SiteRows, defaults: typeof defaultLimits) {
  return keys.flatMap(({ operator_role: role, name, printable_id: id, site_hash: hash, ...limits }) =>
    role === null ? [] : [{ name, role, id, hash, ...limitsOf(limits, defaults) }],
  );
}

function limitsOf({ rate, burst }: typeof defaultLimits, defaults: typeof defaultLimits) {
  return rate === defaults.rate && burst === defaults.burst ? {} : { limits: { rate, burst } };
}

function racksOf({ racks }: SiteRows) {
  return racks.map(({ name, height, place }) => ({
    name,
    ...(height === rackHeight ? {} : { height }),
    ...without({ place }, ''),
  }));
}

function placeOf({ mounts }: EquipmentRows, kind: string, name: string) {
  const mount = mounts.get(`${kind} ${name}`);
  if (mount === undefined) return {};
  const { rack, unit, height } = mount;
  return { rack, unit, ...without({ height }, 1) };
}

function serversOf(rows: EquipmentRows, open: Open): SiteServer[] {
  const macs = Map.groupBy(rows.macs, ({ server }) => server);
  const ports = Map.groupBy(rows.ports, ({ server }) => server);
  return rows.servers.map(({ name, bmc_driver: driver, bmc_settings, bmc_model, console_host, ...row }) => {
    const parts = serverParts.decode(row.parts);
    const disks = serverDisks.decode(row.disks);
    const outlets = serverOutlets.decode(row.outlets);
    const wires = ports.get(name) ?? [];
    return {
      name,
      bmc: {
        driver,
        ...without({ model: bmc_model }, 'generic'),
        ...without({ consoleHost: console_host }, name),
        settings: open(bmc_settings, bmcSealContext(name)),
      },
      ...(row.serial === null ? {} : { serial: row.serial }),
      ...placeOf(rows, 'server', name),
      ...(wires.length === 0 ? {} : { ports: wires.map((port) => ({ switch: port.switch, ifIndex: port.if_index })) }),
      ...(outlets.length === 0 ? {} : { outlets: outlets.map(exportedOutlet) }),
      ...(Object.keys(parts).length === 0 ? {} : { parts }),
      ...(macs.has(name) ? { macs: macs.get(name)!.map(({ mac }) => mac) } : {}),
      ...(row.uuid === null ? {} : { uuid: row.uuid }),
      ...(row.firmware === null ? {} : { firmware: row.firmware }),
      ...(row.boot_address === null ? {} : { bootAddress: row.boot_address }),
      ...(disks.length === 0 ? {} : { disks }),
      ...(row.erase === 1 ? {} : { erase: false }),
    };
  });
}

function exportedOutlet({ pdu, outlet }: Outlet) {
  return { pdu, outlet: outlet.includes('.') ? outlet : Number(outlet) };
}

function switchesOf(rows: EquipmentAndServices, open: Open): SiteSwitch[] {
  const services = new Map(rows.services.map((service) => [service.id, service]));
  const portsOf = Map.groupBy(rows.ports, (port) => port.switch);
  return rows.switches.map(({ name, driver, settings }) => {
    const ports = (portsOf.get(name) ?? []).map(({ if_index: ifIndex, service_id, server, key_by, key }) => {
      // The cable to the server already implies the service.
      const isByWire = server !== null && services.get(service_id ?? -1)?.server === server;
      const port = { ifIndex, ...(key_by !== null && { [key_by]: key }) };
      return service_id === null || isByWire ? port : { ...port, service: service_id };
    });
    const place = placeOf(rows, 'switch', name);
    return {
      name,
      driver,
      settings: open(settings, switchSealContext(name)),
      ...place,
      ...(ports.length === 0 ? {} : { ports }),
    };
  });
}

function pdusOf({ pdus }: EquipmentRows, open: Open): SitePdu[] {
  return pdus.map(({ name, driver, settings }) => ({ name, driver, settings: open(settings, pduSealContext(name)) }));
}

function nodesOf(rows: EquipmentRows, open: Open): SiteNode[] {
  return rows.nodes.map(({ name, driver, settings, name_servers, location }) => {
    const nameServers = hypervisorNameServers.decode(name_servers);
    return {
      name,
      driver,
      settings: open(settings, nodeSealContext(name)),
      ...placeOf(rows, 'node', name),
      ...(location === '' ? {} : { location }),
      ...(nameServers.length === 0 ? {} : { nameServers }),
    };
  });
}

/** Omits the primary address of each service, which needs no netblock. */
function netblocksOf({ netblocks, services }: SiteRows) {
  const single = new Set(services.map(({ id, ip }) => `${networkText(parseNetwork(ip)!)} ${id}`));
  return netblocks
    .filter(
      ({ cidr, service_id, gateway, delivery }) =>
        gateway !== null || delivery !== null || !single.has(`${cidr} ${service_id}`),
    )
    .map(({ cidr, service_id: service, pool, gateway, delivery }) => ({
      cidr,
      ...without({ service, pool, gateway, delivery }, null),
    }));
}

function customersOf(rows: SiteRows, defaults: typeof defaultLimits): SiteCustomer[] {
  const keysOf = Map.groupBy(rows.keys, ({ account_id }) => account_id);
  const billDays = new Map(rows.billing.map(({ account_id, bill_day }) => [account_id, bill_day]));
  const unpaid = new Set(rows.suspensions.map(({ account_id }) => account_id));
  return rows.accounts.map((account) => {
    const { id, status } = account;
    const keys = (keysOf.get(id) ?? []).map((key) => {
      const allow = keyAllow.decode(key.allow);
      const dns = keyDnsLimits.decode(key.dns_limits);
      const { name, printable_id, site_hash: hash } = key;
      const scopes = keyScopes.decode(key.scopes) as NonNullable<SiteCustomer['keys']>[number]['scopes'];
      return {
        name,
        id: printable_id,
        hash,
        scopes,
        ...(allow.length === 0 ? {} : { allow }),
        ...(dns && { dns: [...dns] }),
        ...limitsOf(key, defaults),
      };
    });
    const { firstname, lastname, companyname: company, email, phonenumber: phone, address1, address2 } = account;
    const { city, state, postcode, country, password_hash: passwordHash } = account;
    // Billing ends its own suspensions; a file that recorded one would suspend the account again.
    const isDefaultStatus = status === 'Active' || (status === 'Suspended' && unpaid.has(id));
    return {
      id,
      firstname,
      lastname,
      ...without({ company }, ''),
      email,
      ...without({ phone }, ''),
      address1,
      ...without({ address2 }, ''),
      city,
      state,
      postcode,
      country,
      ...(passwordHash === null ? {} : { passwordHash }),
      ...(isDefaultStatus ? {} : { status }),
      ...(keys.length === 0 ? {} : { keys }),
      ...((billDays.get(id) ?? 0) === 0 ? {} : { billingDay: billDays.get(id)! }),
    };
  });
}
