// What the shape of a site file cannot say: things that refer to each other, and things that must be there once only.
import type { Site } from '#contract/site.ts';
import { addressText } from '#kernel/addresses.ts';
import { billingFaults } from '../billing/site-faults.ts';
import { messageFaults } from '../billing/messages.ts';
import { imageFaults } from '../images/catalogue.ts';
import { attackFaults } from './attacks.ts';
import { bootFaults } from './boot-faults.ts';
import { legacyFaults } from './legacy-end.ts';
import { machineFaults } from './machines.ts';
import { networkFaults } from './network-faults.ts';
import { portFaults, rackFaults } from './rack-faults.ts';
import type { PlacedFault } from './placed-fault.ts';
import { settingsOfDrivers } from './secrets.ts';
import { driverFaults } from './shape-faults.ts';
import { systemFaults } from './systems.ts';

export function* senseFaults(site: Site): Iterable<PlacedFault> {
  const customers = site.customers ?? [];
  const services = site.services ?? [];
  const once = new Map<string, Set<unknown>>();
  const twice = (kind: string, value: unknown): boolean => {
    const seen = once.get(kind) ?? new Set();
    once.set(kind, seen);
    if (value === undefined || !seen.has(value)) {
      seen.add(value);
      return false;
    }
    return value !== undefined;
  };
  for (const [index, operator] of (site.operators ?? []).entries()) {
    if (twice('key', operator.id)) yield [['operators', index, 'id'], `key ${operator.id} is there twice`];
  }
  for (const [index, customer] of customers.entries()) {
    const path = ['customers', index];
    if (twice('customer', customer.id)) yield [[...path, 'id'], `customer ${customer.id} is there twice`];
    if (twice('sign-in', customer.email.toLowerCase())) yield [[...path, 'email'], `${customer.email} signs in twice`];
    for (const [place, key] of (customer.keys ?? []).entries()) {
      if (twice('key', key.id)) yield [[...path, 'keys', place, 'id'], `key ${key.id} is there twice`];
    }
    for (const [place, contact] of (customer.opening?.contacts ?? []).entries()) {
      const where = [...path, 'opening', 'contacts', place];
      if (contact.subaccount !== true) continue;
      if (twice('sign-in', contact.email.toLowerCase())) yield [[...where, 'email'], `${contact.email} signs in twice`];
      if (contact.passwordHash === undefined) yield [where, 'a sub-account needs a passwordHash'];
    }
    for (const [place, invoice] of (customer.opening?.invoices ?? []).entries()) {
      const where = [...path, 'opening', 'invoices', place];
      if (twice('invoice', invoice.number)) yield [[...where, 'number'], `invoice ${invoice.number} is there twice`];
      if (invoice.due < invoice.date) yield [[...where, 'due'], 'due lies before date'];
    }
  }
  for (const [index, server] of (site.servers ?? []).entries()) {
    const path = ['servers', index];
    if (twice('site server', server.name.toLowerCase()))
      yield [[...path, 'name'], `server ${server.name} is there twice`];
    for (const [inner, message] of driverFaults(settingsOfDrivers.bmc, server.bmc))
      yield [[...path, 'bmc', ...inner], message];
  }
  for (const [index, each] of (site.switches ?? []).entries()) {
    const path = ['switches', index];
    if (twice('switch', each.name)) yield [[...path, 'name'], `switch ${each.name} is there twice`];
    for (const [inner, message] of driverFaults(settingsOfDrivers.switch, each)) yield [[...path, ...inner], message];
  }
  yield* portFaults(site);
  yield* rackFaults(site);
  yield* messageFaults(site);
  yield* legacyFaults(site);
  yield* networkFaults(site);
  yield* attackFaults(site);
  yield* machineFaults(site);
  yield* systemFaults(site);
  yield* bootFaults(site);
  yield* imageFaults(site);
  yield* billingFaults(site);
  const customerIds = new Set(customers.map(({ id }) => id));
  for (const [index, service] of services.entries()) {
    const path = ['services', index];
    if (twice('service', service.id)) yield [[...path, 'id'], `service ${service.id} is there twice`];
    if (twice('server', service.server?.toLowerCase()))
      yield [[...path, 'server'], `server ${service.server} is there twice`];
    if (twice('vmid', service.vmid)) yield [[...path, 'vmid'], `vmid ${service.vmid} is there twice`];
    if (twice('ip', addressText(service.ip))) yield [[...path, 'ip'], `address ${service.ip} is there twice`];
    if (!customerIds.has(service.customer)) yield [[...path, 'customer'], `there is no customer ${service.customer}`];
    const dedicated = service.type === 'dedicated';
    if (dedicated !== (service.server !== undefined))
      yield [path, dedicated ? 'a dedicated service needs a server' : 'only a dedicated service has a server'];
    if (dedicated === (service.vmid !== undefined))
      yield [path, dedicated ? 'a dedicated service has no vmid' : `a ${service.type} service needs a vmid`];
  }
}
