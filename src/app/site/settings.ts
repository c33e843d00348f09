// What a site file says that has no table of its own: settings and catalogues. They are kept as the file had them, sealed since
// secrets are among them, so that a part that a later file leaves out stays, and all of it can be exported.
import type { Site } from '#contract/site.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { Yard } from '../yard.ts';
import { sealedSettings } from './equipment.ts';

/** What the file leaves out and is to be removed, as `nameOf` calls it; all else that it leaves out stays. */
export type Removed = ReadonlySet<string>;

/** The name of a thing among all that a site has: its list and what tells it apart there, or its section. */
export function nameOf(list: string, ...key: readonly unknown[]): string {
  return [list, ...key].join(' ');
}

const inTables = [
  'operators',
  'racks',
  'servers',
  'switches',
  'nodes',
  'netblocks',
  'customers',
  'services',
] as const satisfies readonly (keyof Site)[];
export type SiteSettings = Omit<Site, (typeof inTables)[number]>;

/** Catalogues, with what tells their entries apart. */
export const catalogues = {
  templates: 'value',
  systems: 'value',
  images: 'value',
  licences: 'name',
  plans: 'name',
  taxes: 'country',
  detectors: 'name',
} as const satisfies Partial<Record<keyof SiteSettings, string>>;

const metaName = 'site';

export async function settingsOf(
  { secrets }: Pick<Yard, 'secrets'>,
  queries: Queries,
): Promise<SiteSettings | undefined> {
  const sealed = await metaFind(queries, metaName);
  return sealed === undefined ? undefined : (JSON.parse(secrets.open(sealed, metaName)) as SiteSettings);
}

export async function settingsPut(yard: Yard, queries: Queries, site: Site): Promise<void> {
  const settings = Object.fromEntries(Object.entries(site).filter(([name]) => !inTables.some((each) => each === name)));
  await metaPut(queries, metaName, sealedSettings(yard, await metaFind(queries, metaName), settings, metaName));
}

/** The file, and what it leaves out of what is kept: whole sections, and entries of catalogues. */
export function withKept(site: Site, kept: SiteSettings | undefined, removed: Removed = new Set()): Site {
  const sections = Object.entries(kept ?? {}).filter(([name]) => !removed.has(name));
  const merged: Record<string, unknown> = { ...Object.fromEntries(sections), ...site };
  for (const [name, key] of Object.entries(catalogues)) {
    const entries = (from: object | undefined) => (from as Record<string, object[] | undefined>)?.[name] ?? [];
    const id = (entry: object) => (entry as Record<string, unknown>)[key];
    const given = new Set(entries(site).map(id));
    const all = [
      ...entries(site),
      ...entries(kept).filter((entry) => !given.has(id(entry)) && !removed.has(nameOf(name, id(entry)))),
    ];
    merged[name] = all;
    if (all.length === 0) delete merged[name];
  }
  return merged as Site;
}
