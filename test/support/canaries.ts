// Secrets that are planted to be searched for: texts that occur nowhere else, and the forms in which one of them could come out
// of a log, a dump or an answer.
import { mapSecrets, settingsOfDrivers, type Marked } from '#app/site/secrets.ts';
import { Site } from '#contract/site.ts';

/** With what has to be escaped somewhere, and short enough for a controller. */
export function canary(number: number): string {
  return `cnry${String(number).padStart(2, '0')}"/+x`;
}

/** As it is, in JSON, in a URL, in hex, and in base64 wherever it begins there. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const within = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    // The first and the last letters depend on what stands beside it.
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

/** Which of the secrets, by their names, are to be found in the text in any form. */
export function foundIn(text: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([name, secret]) => (formsOf(secret).some((form) => text.includes(form)) ? [name] : []));
}

/** Every place of a site file where a secret can stand, drivers' settings under the driver's name. */
export function secretPlaces(schema: Marked = Site as Marked, place = ''): Set<string> {
  if (schema['x-secret'] === true) return new Set([place]);
  const kind = schema['x-driver'];
  const drivers = kind === undefined ? [] : Object.entries(settingsOfDrivers[kind]);
  return new Set([
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
      ...secretPlaces(member, `${place}.${name}`),
    ]),
    ...(schema.items === undefined ? [] : secretPlaces(schema.items, `${place}[]`)),
    ...(schema.anyOf ?? []).flatMap((option) => [...secretPlaces(option, place)]),
    ...drivers.flatMap(([name, settings]) => [...secretPlaces(settings as Marked, `${place}(${name})`)]),
  ]);
}

/** The secrets of this site file, by their places. */
export function plantedIn(site: Site): Map<string, string> {
  const planted = new Map<string, string>();
  mapSecrets(site, (value, path, kind) => {
    let inside: unknown = site;
    let place = '';
    for (const step of path) {
      const driver = step === 'settings' ? (inside as { driver?: string }).driver : undefined;
      place += typeof step === 'number' ? '[]' : `.${step}${driver === undefined ? '' : `(${driver})`}`;
      inside = (inside as Record<string, unknown>)[step];
    }
    if (kind === 'secret') planted.set(place, String(value));
    return value;
  });
  return planted;
}
