// Finds the secrets of a site file by their mark in the schema, so that reading, comparing and exporting agree on what
// is secret. References such as `{ env: NAME }` are resolved while the file is read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { secretReferences, type DriverKind, type SecretReference } from '#contract/site/secrets.ts';
import { Site } from '#contract/site/site.ts';
import { bmcSettings } from '#drivers/bmc/registry.ts';
import { hypervisorSettings } from '#drivers/hypervisor/registry.ts';
import { routeSettings } from '#drivers/routes/registry.ts';
import { pduSettings } from '#drivers/pdu/registry.ts';
import { switchSettings } from '#drivers/switch/registry.ts';
import type { SecretBox } from '#lib/secrets.ts';
import type { SitePath } from './site-problem.ts';

/** The settings schema of each driver, by kind and name. */
export const driverSettings: Readonly<Record<DriverKind, Readonly<Record<string, TSchema>>>> = {
  bmc: bmcSettings,
  switch: switchSettings,
  pdu: pduSettings,
  hypervisor: hypervisorSettings,
  router: routeSettings,
};

/** The parts of a schema that matter here. */
export interface MarkedSchema {
  readonly properties?: Readonly<Record<string, MarkedSchema>>;
  readonly items?: MarkedSchema;
  readonly anyOf?: readonly MarkedSchema[];
  readonly 'x-secret'?: boolean;
  readonly 'x-driver'?: DriverKind;
}
/** `kind` is `setting` for a reference in a driver's settings that is not marked as secret. */
type Visit = (value: unknown, path: SitePath, kind: 'secret' | 'setting') => unknown;

/** Returns the part with every secret, and every reference in drivers' settings, replaced by `visit`. */
export function mapSecrets<Part>(site: Part, visit: Visit): Part {
  return mapValue(Site as MarkedSchema, site, [], visit, 'outside') as Part;
}

function mapValue(
  schema: MarkedSchema | undefined,
  value: unknown,
  path: SitePath,
  visit: Visit,
  where: 'outside' | 'settings',
): unknown {
  if (schema?.['x-secret'] === true) return visit(value, path, 'secret');
  if (where === 'settings' && parseReference(value) !== undefined) return visit(value, path, 'setting');
  if (typeof value !== 'object' || value === null || (where === 'outside' && !canHaveSecrets(schema))) return value;
  const { driver } = value as { driver?: string };
  // Parts without secrets are shared with the original: a large site has few.
  let copy: Record<string, unknown> | undefined;
  for (const [name, inner] of Object.entries(value)) {
    const isItem = Array.isArray(value);
    const member = isItem ? schema?.items : memberSchema(schema, name);
    const kind = member?.['x-driver'];
    const place = [...path, isItem ? Number(name) : name];
    const mapped =
      kind === undefined
        ? mapValue(member, inner, place, visit, where)
        : mapValue(driverSettings[kind][driver ?? ''] as MarkedSchema, inner, place, visit, 'settings');
    if (mapped === inner) continue;
    copy ??= (isItem ? [...value] : { ...value }) as Record<string, unknown>;
    copy[name] = mapped;
  }
  return copy ?? value;
}

const secretSchemas = new WeakMap<MarkedSchema, boolean>();

/** Most of a large site needs no look: services, ports and netblocks have no secrets. */
function canHaveSecrets(schema: MarkedSchema | undefined): boolean {
  if (schema === undefined) return false;
  const known = secretSchemas.get(schema);
  if (known !== undefined) return known;
  const parts = [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})];
  const isMarked = schema['x-secret'] === true || schema['x-driver'] !== undefined;
  const result = isMarked || parts.some(canHaveSecrets);
  secretSchemas.set(schema, result);
  return result;
}

function memberSchema(schema: MarkedSchema | undefined, name: string): MarkedSchema | undefined {
  const branches = schema === undefined ? [] : [schema, ...(schema.anyOf ?? [])];
  return branches.map(({ properties }) => properties?.[name]).find((member) => member !== undefined);
}

export type Reference = readonly [SecretReference, string];

export function parseReference(value: unknown): Reference | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [first, ...more] = Object.entries(value);
  if (first === undefined || more.length > 0) return undefined;
  const [kind, where] = first;
  return kind in secretReferences && typeof where === 'string' ? [kind as SecretReference, where] : undefined;
}

const sealContext = 'site file';

/** Returns a sealed reference, which may appear in a site file that others read. */
export function sealReference(secrets: SecretBox, text: string): { sealed: string } {
  return { sealed: secrets.seal(text, sealContext) };
}

/**
 * Returns the site with all references resolved, and adds them to `found`. Reports those that cannot be, and leaves them
 * in place.
 */
export function resolveSecrets<Part>(
  site: Part,
  secrets: SecretBox | undefined,
  report: (path: SitePath, message: string) => void,
  found: Reference[] = [],
): Part {
  return mapSecrets(site, (value, path) => {
    const reference = parseReference(value);
    if (reference === undefined) return value;
    found.push(reference);
    try {
      return resolveReference(reference, secrets);
    } catch (error) {
      report(path, `${path.at(-1)}: ${(error as Error).message}`);
      return value;
    }
  });
}

export function resolveReference([kind, where]: Reference, secrets: SecretBox | undefined): string {
  switch (kind) {
    case 'env': {
      const text = process.env[where];
      if (text === undefined) throw new Error(`the environment variable ${where} is not set`);
      return text;
    }
    case 'file':
      return readSecretFile(where, where);
    case 'credential': {
      const folder = process.env['CREDENTIALS_DIRECTORY'];
      if (folder === undefined)
        throw new Error(`the credential ${where} is not available: systemd passed no credentials`);
      return readSecretFile(join(folder, where), `the credential ${where}`);
    }
    case 'sealed':
      if (secrets === undefined)
        throw new Error("the key for sealed values is missing; run this command where the server's key is");
      try {
        return secrets.open(where, sealContext);
      } catch {
        throw new Error("was sealed with another installation's key; seal it again here");
      }
  }
}

function readSecretFile(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}
