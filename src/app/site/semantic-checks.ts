// Checks what the schema of a site file cannot express: references between entries, and values that must be unique.
import type { Site } from '#contract/site/site.ts';
import { addressText } from '#lib/addresses.ts';
import { checkBilling } from '../billing/site-checks.ts';
import { checkMessages } from '../billing/messages.ts';
import { checkMail } from '../mail/site-settings.ts';
import { checkSignOn } from '../sign-on/staff-settings.ts';
import { checkSignUp } from '../sign-up/settings.ts';
import { checkImages } from '../images/catalogue.ts';
import { checkConsoles } from '../servers/console-gateway.ts';
import { checkBackups } from '../machines/backup-settings.ts';
import { isReservedName } from '../servers/names.ts';
import { checkAttacks } from './attacks.ts';
import { checkNetworkIdentity } from './boot-checks.ts';
import { checkLegacyEnd } from './legacy-end.ts';
import { checkMachines } from './machines.ts';
import { checkNetwork } from './network-checks.ts';
import { checkModels } from './models.ts';
import { checkOutlets } from './outlets.ts';
import { checkIdentities, checkPorts, checkRacks } from './rack-checks.ts';
import { createDuplicateCheck, type SiteProblem } from './site-problem.ts';
import { driverSettings } from './secrets.ts';
import { checkDriver } from './schema-checks.ts';
import { checkSystems } from './systems.ts';

const checks: readonly ((site: Site) => Iterable<SiteProblem>)[] = [
  checkPeople,
  checkDevices,
  checkModels,
  checkOutlets,
  checkIdentities,
  checkPorts,
  checkRacks,
  checkMessages,
  checkMail,
  checkSignOn,
  checkSignUp,
  checkLegacyEnd,
  checkNetwork,
  checkAttacks,
  checkMachines,
  checkBackups,
  checkSystems,
  checkNetworkIdentity,
  checkImages,
  checkConsoles,
  checkBilling,
  checkServices,
];

export function* checkSemantics(site: Site): Iterable<SiteProblem> {
  for (const check of checks) yield* check(site);
}

function* checkPeople({ operators = [], customers = [] }: Site): Iterable<SiteProblem> {
  const isDuplicate = createDuplicateCheck();
  for (const [index, operator] of operators.entries()) {
    if (isDuplicate('key', operator.id))
      yield [['operators', index, 'id'], `key ${operator.id} is listed twice; key ids must be unique`];
  }
  for (const [index, customer] of customers.entries()) {
    const path = ['customers', index];
    if (isDuplicate('customer', customer.id))
      yield [[...path, 'id'], `customer ${customer.id} is defined twice; give each customer its own id`];
    if (isDuplicate('sign-in', customer.email.toLowerCase()))
      yield [[...path, 'email'], `${customer.email} is used for two sign-ins; use a different email`];
    for (const [position, key] of (customer.keys ?? []).entries()) {
      if (isDuplicate('key', key.id))
        yield [[...path, 'keys', position, 'id'], `key ${key.id} is listed twice; key ids must be unique`];
    }
    for (const [position, contact] of (customer.opening?.contacts ?? []).entries()) {
      const where = [...path, 'opening', 'contacts', position];
      if (contact.subaccount !== true) continue;
      if (isDuplicate('sign-in', contact.email.toLowerCase()))
        yield [[...where, 'email'], `${contact.email} is used for two sign-ins; use a different email`];
      if (contact.passwordHash === undefined) yield [where, 'a sub-account needs passwordHash'];
    }
    for (const [position, invoice] of (customer.opening?.invoices ?? []).entries()) {
      const where = [...path, 'opening', 'invoices', position];
      if (isDuplicate('invoice', invoice.number))
        yield [[...where, 'number'], `invoice ${invoice.number} is listed twice; invoice numbers must be unique`];
      if (invoice.due < invoice.date) yield [[...where, 'due'], 'due must not be before date'];
    }
  }
}

function* checkDevices({ servers = [], switches = [] }: Site): Iterable<SiteProblem> {
  const isDuplicate = createDuplicateCheck();
  for (const [index, server] of servers.entries()) {
    const path = ['servers', index];
    if (isDuplicate('server', server.name.toLowerCase()))
      yield [[...path, 'name'], `server ${server.name} is defined twice; give each server its own name`];
    if (isReservedName(server.name))
      yield [[...path, 'name'], `${server.name} is reserved; give the server another name`];
    yield* checkDriver([...path, 'bmc'], driverSettings.bmc, server.bmc);
  }
  for (const [index, networkSwitch] of switches.entries()) {
    const path = ['switches', index];
    if (isDuplicate('switch', networkSwitch.name))
      yield [[...path, 'name'], `switch ${networkSwitch.name} is defined twice; give each switch its own name`];
    yield* checkDriver(path, driverSettings.switch, networkSwitch);
  }
}

function* checkServices({ customers = [], services = [] }: Site): Iterable<SiteProblem> {
  const isDuplicate = createDuplicateCheck();
  const customerIds = new Set(customers.map(({ id }) => id));
  for (const [index, service] of services.entries()) {
    const path = ['services', index];
    if (isDuplicate('service', service.id))
      yield [[...path, 'id'], `service ${service.id} is defined twice; give each service its own id`];
    if (isDuplicate('server', service.server?.toLowerCase()))
      yield [[...path, 'server'], `server ${service.server} has two services; a server has one`];
    if (isDuplicate('vmid', service.vmid))
      yield [[...path, 'vmid'], `vmid ${service.vmid} is used twice; give each machine its own vmid`];
    if (isDuplicate('ip', addressText(service.ip)))
      yield [[...path, 'ip'], `address ${service.ip} is used twice; give each service its own ip`];
    if (!customerIds.has(service.customer))
      yield [[...path, 'customer'], `unknown customer ${service.customer}; add it under customers`];
    const isDedicated = service.type === 'dedicated';
    if (isDedicated && service.server === undefined) yield [path, 'a dedicated service needs server'];
    if (!isDedicated && service.server !== undefined)
      yield [path, 'only a dedicated service has server; remove it or change type'];
    if (isDedicated && service.vmid !== undefined)
      yield [path, 'a dedicated service has no vmid; remove it or change type'];
    if (!isDedicated && service.vmid === undefined) yield [path, `a ${service.type} service needs vmid`];
  }
}
