// Reading a site file: every fault at once, each with line and column, before anything is touched.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { LineCounter, parseDocument, isNode, isMap, isPair, type Document, visit } from 'yaml';
import { Site } from '#contract/site.ts';
import { machineFaults } from './machines.ts';
import { attackFaults } from './attacks.ts';
import { billingFaults } from '../billing/site-faults.ts';
import { bootFaults } from './boot-faults.ts';
import { legacyFaults } from './legacy-end.ts';
import { messageFaults } from '../billing/messages.ts';
import { networkFaults } from './network-faults.ts';
import { portFaults, rackFaults } from './rack-faults.ts';
import { referenceIn, resolveSecrets, settingsOfDrivers, type SitePath } from './secrets.ts';
import { imageFaults } from '../devices/image-catalogue.ts';
import { systemFaults } from './systems.ts';
import { addressText } from '#kernel/addresses.ts';
import type { SecretBox } from '#kernel/secrets.ts';

export interface SiteFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export class SiteError extends Error {
  readonly faults: readonly SiteFault[];
  constructor(source: string, faults: readonly SiteFault[]) {
    const sorted = faults.toSorted((one, other) => one.line - other.line || one.column - other.column);
    super(sorted.map(({ line, column, message }) => `${source}:${line}:${column}: ${message}`).join('\n'));
    this.name = 'SiteError';
    this.faults = sorted;
  }
}

const faultsTold = 200;
type Path = SitePath;

/** `secrets` opens what is sealed in the file. */
export function readSite(text: string, source: string, secrets?: SecretBox): Site {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const at = (path: Path, message: string): SiteFault => ({ ...position(document, lines, path), message });
  if (document.errors.length > 0) {
    throw new SiteError(
      source,
      document.errors.map(({ linePos, message }) => ({
        line: linePos?.[0].line ?? 1,
        column: linePos?.[0].col ?? 1,
        message: message.split('\n')[0]!,
      })),
    );
  }
  const value = valueOf(document, lines, source);
  const shape = shapeFaults(Site, value);
  if (shape.length > 0)
    throw new SiteError(
      source,
      shape.map(({ path, message }) => at(path, message)),
    );
  const sense: [path: Path, message: string][] = [];
  const site = resolveSecrets(value as Site, secrets, (path, message) => sense.push([path, message]));
  sense.push(...senseFaults(site));
  if (sense.length > 0)
    throw new SiteError(
      source,
      sense.map(([path, message]) => at(path, message)),
    );
  return site;
}

/** Aliases are resolved only here: one that names nothing, or too many of them, is a fault like others. */
function valueOf(document: Document, lines: LineCounter, source: string): unknown {
  const aliases: SiteFault[] = [];
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return;
      const { line, col } = lines.linePos(alias.range?.[0] ?? 0);
      aliases.push({ line, column: col, message: `there is no anchor ${alias.source}` });
    },
  });
  if (aliases.length > 0) throw new SiteError(source, aliases);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw new SiteError(source, [{ line: 1, column: 1, message: 'the file has too many aliases' }]);
  }
}

function shapeFaults(schema: TSchema, value: unknown): { path: Path; message: string }[] {
  const { anyOf } = schema as { anyOf?: TSchema[] };
  // Of several shapes the one is meant that fits best.
  if (anyOf !== undefined)
    return anyOf
      .map((branch) => shapeFaults(branch, value))
      .reduce((best, faults) => (faults.length < best.length ? faults : best));
  const check = Compile(schema);
  const faults = new Map<string, { path: Path; message: string }>();
  if (check.Check(value)) return [];
  // The library stops at eight by default, which guards against callers; this file is the operator's own.
  Settings.Set({ maxErrors: faultsTold });
  const [, errors] = check.Errors(value);
  Settings.Reset();
  for (const { keyword, instancePath, params, message, schemaPath } of errors) {
    // Where the whole choice has a sentence, the faults of each possibility are not told.
    const choice = schemaPath.lastIndexOf('/anyOf/');
    if (choice >= 0 && reasonAt(schema, schemaPath.slice(0, choice)) !== undefined) continue;
    const path = pathOf(instancePath, value);
    const name = path.at(-1) ?? 'the file';
    if (keyword === 'required') {
      for (const missing of (params as { requiredProperties: string[] }).requiredProperties) {
        faults.set(`${instancePath}/${missing}`, { path, message: `${missing} is missing` });
      }
    } else if (keyword === 'additionalProperties') {
      for (const extra of (params as { additionalProperties: string[] }).additionalProperties) {
        faults.set(`${instancePath}/${extra}`, { path: [...path, extra], message: `${extra} is not known here` });
      }
    } else if (keyword !== 'boolean') {
      faults.set(instancePath, { path, message: `${name} ${reasonAt(schema, schemaPath) ?? message}` });
    }
  }
  return [...faults.values()];
}

/** The schema's own sentence, found by walking the path that the fault names. */
function reasonAt(schema: TSchema, schemaPath: string): string | undefined {
  let node: unknown = schema;
  for (const part of schemaPath.split('/').slice(1)) node = (node as Record<string, unknown> | undefined)?.[part];
  return (node as { 'x-reason'?: string } | undefined)?.['x-reason'];
}

function pathOf(pointer: string, value: unknown): (string | number)[] {
  let node = value;
  return pointer
    .split('/')
    .slice(1)
    .map((raw) => {
      const part = raw.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(node) ? Number(part) : part;
      node = (node as Record<string | number, unknown>)[step];
      return step;
    });
}

/** Where the thing at a path stands: its key where it has one, otherwise itself. */
function position(document: Document, lines: LineCounter, path: Path): { line: number; column: number } {
  const parent = path.length === 0 ? undefined : document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent)
    ? parent.items.find((item) => isPair(item) && String(item.key) === String(path.at(-1)))
    : undefined;
  const node = pair?.key ?? document.getIn(path, true);
  const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

/** What the shape cannot say: things that refer to each other, and things that must be there once only. */
function* senseFaults(site: Site): Iterable<[path: Path, message: string]> {
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
  yield* attackFaults(site, driverFaults);
  yield* machineFaults(site, driverFaults);
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

/** What is wrong with the choice of a driver and its settings. */
export type DriverFaults = typeof driverFaults;
function* driverFaults(
  known: Readonly<Record<string, TSchema>>,
  given: { readonly driver: string; readonly settings: Readonly<Record<string, unknown>> },
): Iterable<[path: Path, message: string]> {
  const schema = known[given.driver];
  if (schema === undefined) {
    yield [['driver'], `there is no driver ${given.driver}; there is ${Object.keys(known).join(', ')}`];
    return;
  }
  for (const { path, message } of shapeFaults(schema, given.settings)) {
    // A reference that leads nowhere is told once, where it is looked for.
    if (
      referenceIn(path.reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], given.settings)) ===
      undefined
    )
      yield [['settings', ...path], message];
  }
}
