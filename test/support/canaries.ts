// Canary secrets: unique texts to plant, and every form in which one could leak into a log, a dump or a response.
import { mapSecrets, driverSettings, type MarkedSchema } from '#app/site/secrets.ts';
import { Site } from '#contract/site/site.ts';

/** Contains characters that need escaping, and is short enough for a BMC password. */
export function canary(number: number): string {
  return `cnry${String(number).padStart(2, '0')}"/+x`;
}

/** Plain, JSON, URL-encoded, hexadecimal, and base64 at each alignment. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const within = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    // The first and last characters depend on the neighbouring bytes.
    return text.slice(before === 0 ? 0 : before + 1, -1);
  });
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...within,
    ...within.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** Returns the names of the secrets that occur in the text in any form. */
export function findSecrets(text: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([name, secret]) => (formsOf(secret).some((form) => text.includes(form)) ? [name] : []));
}

/** Every path of a site file that can hold a secret; driver settings are listed under the driver's name. */
export function secretPaths(schema: MarkedSchema = Site as MarkedSchema, path = ''): Set<string> {
  if (schema['x-secret'] === true) return new Set([path]);
  const kind = schema['x-driver'];
  const drivers = kind === undefined ? [] : Object.entries(driverSettings[kind]);
  return new Set([
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [...secretPaths(member, `${path}.${name}`)]),
    ...(schema.items === undefined ? [] : secretPaths(schema.items, `${path}[]`)),
    ...(schema.anyOf ?? []).flatMap((option) => [...secretPaths(option, path)]),
    ...drivers.flatMap(([name, settings]) => [...secretPaths(settings as MarkedSchema, `${path}(${name})`)]),
  ]);
}

/** The secrets of this site file, by path. */
export function secretsOf(site: Site): Map<string, string> {
  const secrets = new Map<string, string>();
  mapSecrets(site, (value, path, kind) => {
    let inside: unknown = site;
    let secretPath = '';
    for (const step of path) {
      const driver = step === 'settings' ? (inside as { driver?: string }).driver : undefined;
      secretPath += typeof step === 'number' ? '[]' : `.${step}${driver === undefined ? '' : `(${driver})`}`;
      inside = (inside as Record<string, unknown>)[step];
    }
    if (kind === 'secret') secrets.set(secretPath, String(value));
    return value;
  });
  return secrets;
}
