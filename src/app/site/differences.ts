// Compares two sites entry by entry and field by field, for people to read. A changed secret is reported as changed,
// never shown.
import { isDeepStrictEqual } from 'node:util';
import type { Site } from '#contract/site/site.ts';
import { listEntries, entryKey, listKeys } from './prune.ts';
import { mapSecrets } from './secrets.ts';

export interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}
export interface SiteChange {
  readonly how: 'added' | 'changed' | 'removed';
  /** For people, such as `server dc01r01ds01`. */
  readonly what: string;
  readonly fields: readonly FieldChange[];
}

/** A secret that can be compared but never printed. */
class Hidden {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  equals(other: unknown): boolean {
    return other instanceof Hidden && other.#text === this.#text;
  }
  toJSON(): string {
    return '(secret)';
  }
}

const nouns: Readonly<Record<string, string>> = {
  operators: 'operator key',
  racks: 'rack',
  servers: 'server',
  pdus: 'power strip',
  switches: 'switch',
  nodes: 'node',
  netblocks: 'netblock',
  customers: 'customer',
  services: 'service',
  templates: 'template',
  systems: 'system',
  images: 'image',
  licences: 'licence',
  plans: 'plan',
  taxes: 'tax for',
  detectors: 'detector',
  models: 'model',
  ports: 'port',
  keys: 'key',
};

export function entryLabel(list: string, key: string): string {
  return key === '' ? `section ${list}` : `${nouns[list] ?? list} ${key}`;
}

/** A site as JSON, by list and entry; sections have one entry. While a large site is compared, objects would take much more memory. */
export type SiteTexts = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function siteTexts(site: Site): SiteTexts {
  return new Map(
    Object.keys(site).map((list) => [
      list,
      new Map([...entriesOf(site, list)].map(([key, entry]) => [key, JSON.stringify(entry)])),
    ]),
  );
}

export function differences(before: SiteTexts, after: Site): SiteChange[] {
  const lists = new Set([...before.keys(), ...Object.keys(after)]);
  return [...lists].flatMap((list) => {
    const [left, right] = [before.get(list) ?? new Map<string, string>(), entriesOf(after, list)];
    return [...new Set([...left.keys(), ...right.keys()])].flatMap((key): SiteChange[] => {
      const [text, entry] = [left.get(key), right.get(key)];
      const what = entryLabel(list, key);
      if (text === undefined) return [{ how: 'added', what, fields: [] }];
      if (entry === undefined) return [{ how: 'removed', what, fields: [] }];
      if (text === JSON.stringify(entry)) return [];
      const fields = [...fieldChanges('', hideSecrets(list, JSON.parse(text)), hideSecrets(list, entry))];
      return fields.length === 0 ? [] : [{ how: 'changed', what, fields }];
    });
  });
}

function entriesOf(site: Site, list: string): ReadonlyMap<string, unknown> {
  if (list in listKeys) return new Map(listEntries(site, list).map((entry) => [entryKey(list, entry), entry]));
  const section = (site as Readonly<Record<string, unknown>>)[list];
  return new Map(section === undefined ? [] : [['', section]]);
}

/** Returns an entry of a list, or a section, with its secrets hidden. */
function hideSecrets(list: string, entry: unknown): unknown {
  const hide = (part: object) =>
    mapSecrets<object>(part, (value, _, kind) => (kind === 'secret' ? new Hidden(JSON.stringify(value)) : value));
  const hidden: unknown = Object.values(hide({ [list]: list in listKeys ? [entry] : entry }))[0];
  return list in listKeys ? (hidden as readonly unknown[])[0] : hidden;
}

function* fieldChanges(path: string, before: unknown, after: unknown): Iterable<FieldChange> {
  if (before instanceof Hidden || after instanceof Hidden) {
    if (!(before instanceof Hidden && before.equals(after))) yield { path, before, after };
  } else if (isRecord(before) && isRecord(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* fieldChanges(path === '' ? name : `${path}.${name}`, before[name], after[name]);
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, value] of before.entries()) yield* fieldChanges(`${path}[${index}]`, value, after[index]);
  } else if (!isDeepStrictEqual(before, after)) yield { path, before, after };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Hidden);
}

const signs = { added: '+', changed: '~', removed: '-' } as const;

export function changeLines({ how, what, fields }: SiteChange): string[] {
  return [`${signs[how]} ${what}`, ...fields.map((field) => `    ${fieldText(field)}`)];
}

function fieldText({ path, before, after }: FieldChange): string {
  if (before instanceof Hidden && after instanceof Hidden) return `${path}: changed (secret)`;
  return `${path}: ${valueText(before)} → ${valueText(after)}`;
}

function valueText(value: unknown): string {
  if (value === undefined) return '(none)';
  return typeof value === 'string' && /^[^\s"']+$/.test(value) ? value : JSON.stringify(value);
}
