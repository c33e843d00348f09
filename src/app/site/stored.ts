// The site as the database has it, in the words of a site file: what it is compared with, and what is exported. Secrets stand in
// it in clear, so it goes no further than to who hides or seals them. What belongs to customers and to billing once it is
// there (contacts, invoices, keys that customers made, blocks on request) is not the file's and not in it.
import type { Site, SiteCustomer, SiteServer, SiteSwitch } from '#contract/site.ts';
import type { SiteNode } from '#contract/site-machines.ts';
import { rackHeight } from '#contract/site-racks.ts';
import { bmcSealContext } from '#equipment/bmcs.ts';
import { nodeSealContext } from '#equipment/nodes.ts';
import { switchSealContext } from '#equipment/switches.ts';
import { parseNetwork } from '#kernel/addresses.ts';
import { networkText } from '#kernel/address-ranges.ts';
import { siteRows, type SiteRows } from '#store/operator/site-rows.ts';
import type { Queries } from '#store/store.ts';
import { defaultLimits } from '../account/keys.ts';
import type { Yard } from '../yard.ts';
import { settingsOf } from './settings.ts';
import { plansOf, servicesOf } from './stored-services.ts';

export async function storedSite(yard: Pick<Yard, 'secrets'>, queries: Queries): Promise<Site | undefined> {
  const settings = await settingsOf(yard, queries);
  if (settings === undefined) return undefined;
  const rows = await siteRows(queries);
  const opened = (sealed: string, context: string) =>
    JSON.parse(yard.secrets.open(sealed, context)) as Record<string, unknown>;
  const limits = settings.keyLimits ?? defaultLimits;
  return {
    ...settings,
    ...listed('plans', plansOf(rows, settings.plans ?? [])),
    ...listed('operators', operatorsOf(rows, limits)),
    ...listed('racks', racksOf(rows)),
    ...listed('servers', serversOf(rows, opened)),
    ...listed('switches', switchesOf(rows, opened)),
    ...listed('nodes', nodesOf(rows, opened)),
    ...listed('netblocks', netblocksOf(rows)),
    ...listed('customers', customersOf(rows, limits)),
    ...listed('services', servicesOf(rows, settings.plans ?? [])),
  };
}

type Open = (sealed: string, context: string) => Record<string, unknown>;

function listed<Name extends keyof Site>(name: Name, entries: readonly unknown[]): Pick<Site, Name> {
  return (entries.length === 0 ? {} : { [name]: entries }) as Pick<Site, Name>;
}

/** Members that are unset stand in no file. */
export function without<Part extends object>(part: Part, unset: unknown): Part {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== unset)) as Part;
}

function operatorsOf({ keys }: SiteRows, usual: typeof defaultLimits) {
  return keys.flatMap(({ operator_role: role, name, printable_id: id, site_hash: hash, rate, burst }) => {
    const isUsual = rate === usual.rate && burst === usual.burst;
    return role === null ? [] : [{ name, role, id, hash, ...(isUsual ? {} : { limits: { rate, burst } }) }];
  });
}

function racksOf({ racks }: SiteRows) {
  return racks.map(({ name, height, place }) => ({
    name,
    ...(height === rackHeight ? {} : { height }),
    ...without({ place }, ''),
  }));
}

function placeOf({ mounts }: SiteRows, kind: string, name: string) {
  const mount = mounts.find((each) => each.kind === kind && each.name === name);
  if (mount === undefined) return {};
  const { rack, unit, height } = mount;
  return { rack, unit, ...without({ height }, 1) };
}

function serversOf(rows: SiteRows, opened: Open): SiteServer[] {
  const macs = Map.groupBy(rows.macs, ({ server }) => server);
  const ports = Map.groupBy(rows.ports, ({ server }) => server);
  return rows.servers.map(({ name, bmc_driver: driver, bmc_settings, bmc_model, console_host, ...row }) => {
    const parts = JSON.parse(row.parts) as SiteServer['parts'] & {};
    const disks = JSON.parse(row.disks) as SiteServer['disks'] & {};
    const wires = ports.get(name) ?? [];
    return {
      name,
      bmc: {
        driver,
        ...without({ model: bmc_model }, 'generic'),
        ...without({ consoleHost: console_host }, name),
        settings: opened(bmc_settings, bmcSealContext(name)),
      },
      ...(row.serial === null ? {} : { serial: row.serial }),
      ...placeOf(rows, 'server', name),
      ...(wires.length === 0 ? {} : { ports: wires.map((port) => ({ switch: port.switch, ifIndex: port.if_index })) }),
      ...(Object.keys(parts).length === 0 ? {} : { parts }),
      ...(macs.has(name) ? { macs: macs.get(name)!.map(({ mac }) => mac) } : {}),
      ...(row.uuid === null ? {} : { uuid: row.uuid }),
      ...(row.firmware === null ? {} : { firmware: row.firmware }),
      ...(disks.length === 0 ? {} : { disks }),
    };
  });
}

function switchesOf(rows: SiteRows, opened: Open): SiteSwitch[] {
  const services = new Map(rows.services.map((service) => [service.id, service]));
  const portsOf = Map.groupBy(rows.ports, (port) => port.switch);
  return rows.switches.map(({ name, driver, settings }) => {
    const ports = (portsOf.get(name) ?? []).map(({ if_index: ifIndex, service_id, server }) => {
      // What a wire says need not be said again.
      const isByWire = server !== null && services.get(service_id ?? -1)?.server === server;
      return service_id === null || isByWire ? { ifIndex } : { ifIndex, service: service_id };
    });
    const place = placeOf(rows, 'switch', name);
    return {
      name,
      driver,
      settings: opened(settings, switchSealContext(name)),
      ...place,
      ...(ports.length === 0 ? {} : { ports }),
    };
  });
}

function nodesOf(rows: SiteRows, opened: Open): SiteNode[] {
  return rows.nodes.map(({ name, driver, settings, name_servers }) => {
    const nameServers = JSON.parse(name_servers) as string[];
    return {
      name,
      driver,
      settings: opened(settings, nodeSealContext(name)),
      ...placeOf(rows, 'node', name),
      ...(nameServers.length === 0 ? {} : { nameServers }),
    };
  });
}

/** But for the one address of a service, which it has by being one. */
function netblocksOf({ netblocks, services }: SiteRows) {
  const single = new Set(services.map(({ id, ip }) => `${networkText(parseNetwork(ip)!)} ${id}`));
  return netblocks
    .filter(({ cidr, service_id, gateway }) => gateway !== null || !single.has(`${cidr} ${service_id}`))
    .map(({ cidr, service_id: service, pool, gateway }) => ({ cidr, ...without({ service, pool, gateway }, null) }));
}

function customersOf(rows: SiteRows, usual: typeof defaultLimits): SiteCustomer[] {
  const keysOf = Map.groupBy(rows.keys, ({ account_id }) => account_id);
  const billDays = new Map(rows.billing.map(({ account_id, bill_day }) => [account_id, bill_day]));
  const unpaid = new Set(rows.suspensions.map(({ account_id }) => account_id));
  return rows.accounts.map((account) => {
    const { id, status } = account;
    const keys = (keysOf.get(id) ?? []).map((key) => {
      const allow = JSON.parse(key.allow) as string[];
      const { name, printable_id, site_hash: hash, rate, burst } = key;
      const scopes = JSON.parse(key.scopes) as NonNullable<SiteCustomer['keys']>[number]['scopes'];
      const isUsual = rate === usual.rate && burst === usual.burst;
      return {
        name,
        id: printable_id,
        hash,
        scopes,
        ...(allow.length === 0 ? {} : { allow }),
        ...(isUsual ? {} : { limits: { rate, burst } }),
      };
    });
    const { firstname, lastname, companyname: company, email, phonenumber: phone, address1, address2 } = account;
    const { city, state, postcode, country, password_hash: passwordHash } = account;
    // What billing suspended, billing lets go on: a file that said so would suspend it again.
    const isUsual = status === 'Active' || (status === 'Suspended' && unpaid.has(id));
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
      ...(isUsual ? {} : { status }),
      ...(keys.length === 0 ? {} : { keys }),
      ...((billDays.get(id) ?? 0) === 0 ? {} : { billingDay: billDays.get(id)! }),
    };
  });
}
