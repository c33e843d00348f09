// The secrets of a site file: found by the schema, which marks them, so that reading, showing and exporting agree on what is
// one. A reference (`{ env: NAME }` and its like) is replaced by what it names while the file is read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { secretReferences, type DriverKind, type SecretReference } from '#contract/site-secrets.ts';
import { Site } from '#contract/site.ts';
import { bmcSettings } from '#drivers/bmc/registry.ts';
import { hypervisorSettings } from '#drivers/hypervisor/registry.ts';
import { routeSettings } from '#drivers/routes/registry.ts';
import { switchSettings } from '#drivers/switch/registry.ts';
import type { SecretBox } from '#kernel/secrets.ts';
import type { SitePath } from './placed-fault.ts';

/** What each kind of driver must be told, by the driver's name. */
export const settingsOfDrivers: Readonly<Record<DriverKind, Readonly<Record<string, TSchema>>>> = {
  bmc: bmcSettings,
  switch: switchSettings,
  hypervisor: hypervisorSettings,
  router: routeSettings,
};

/** What the schema says of a part of the file, as far as secrets go. */
export interface Marked {
  readonly properties?: Readonly<Record<string, Marked>>;
  readonly items?: Marked;
  readonly anyOf?: readonly Marked[];
  readonly 'x-secret'?: boolean;
  readonly 'x-driver'?: DriverKind;
}
/** `kind` is `setting` for what is a driver's and no secret of its own. */
type Visit = (value: unknown, path: SitePath, kind: 'secret' | 'setting') => unknown;

/** A copy in which every secret, and every reference among the settings of drivers, is what `visit` makes of it. */
export function mapSecrets<Part>(site: Part, visit: Visit): Part {
  return mapped(Site as Marked, site, [], visit, 'outside') as Part;
}

function mapped(
  schema: Marked | undefined,
  value: unknown,
  path: SitePath,
  visit: Visit,
  where: 'outside' | 'settings',
): unknown {
  if (schema?.['x-secret'] === true) return visit(value, path, 'secret');
  if (where === 'settings' && referenceIn(value) !== undefined) return visit(value, path, 'setting');
  if (Array.isArray(value))
    return value.map((item, index) => mapped(schema?.items, item, [...path, index], visit, where));
  if (typeof value !== 'object' || value === null) return value;
  const { driver } = value as { driver?: string };
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const member = memberOf(schema, name);
      const kind = member?.['x-driver'];
      return kind === undefined
        ? [name, mapped(member, inner, [...path, name], visit, where)]
        : [name, mapped(settingsOfDrivers[kind][driver ?? ''] as Marked, inner, [...path, name], visit, 'settings')];
    }),
  );
}

function memberOf(schema: Marked | undefined, name: string): Marked | undefined {
  const branches = schema === undefined ? [] : [schema, ...(schema.anyOf ?? [])];
  return branches.map(({ properties }) => properties?.[name]).find((member) => member !== undefined);
}

export function referenceIn(value: unknown): readonly [SecretReference, string] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [first, ...more] = Object.entries(value);
  if (first === undefined || more.length > 0) return undefined;
  const [kind, where] = first;
  return kind in secretReferences && typeof where === 'string' ? [kind as SecretReference, where] : undefined;
}

const sealContext = 'site file';

/** A secret as it may stand in a site file that others read. */
export function sealedReference(secrets: SecretBox, text: string): { sealed: string } {
  return { sealed: secrets.seal(text, sealContext) };
}

/** The site with every reference replaced. What cannot be found is told, each with its place, and left as it is. */
export function resolveSecrets<Part>(
  site: Part,
  secrets: SecretBox | undefined,
  tell: (path: SitePath, message: string) => void,
): Part {
  return mapSecrets(site, (value, path) => {
    const reference = referenceIn(value);
    if (reference === undefined) return value;
    try {
      return lookUp(reference, secrets);
    } catch (error) {
      tell(path, `${path.at(-1)}: ${(error as Error).message}`);
      return value;
    }
  });
}

function lookUp([kind, where]: readonly [SecretReference, string], secrets: SecretBox | undefined): string {
  switch (kind) {
    case 'env': {
      const text = process.env[where];
      if (text === undefined) throw new Error(`the environment has no ${where}`);
      return text;
    }
    case 'file':
      return textOf(where, where);
    case 'credential': {
      const folder = process.env['CREDENTIALS_DIRECTORY'];
      if (folder === undefined) throw new Error(`systemd gave no credentials, so not ${where}`);
      return textOf(join(folder, where), `the credential ${where}`);
    }
    case 'sealed':
      if (secrets === undefined) throw new Error('there is no key here to open what is sealed');
      try {
        return secrets.open(where, sealContext);
      } catch {
        throw new Error('was not sealed under the key of this installation');
      }
  }
}

function textOf(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}
