// Stores the settings and catalogues of a site file, which have no separate tables. They are sealed because they
// include secrets, and stored as written so that sections missing from a later file stay and the site can be exported.
import { Type } from 'typebox';
import type { Site } from '#contract/site/site.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { sealSettingsIfChanged } from './equipment.ts';
import { jsonColumn } from '#store/json-column.ts';

/** Names (see `entryName`) of unlisted entries to remove; all other unlisted entries stay. */
export type RemovedNames = ReadonlySet<string>;

/** Returns the name of an entry that is unique within a site: its list and key, or its section. */
export function entryName(list: string, ...key: readonly unknown[]): string {
  return [list, ...key].join(' ');
}

const inTables = [
  'operators',
  'racks',
  'servers',
  'switches',
  'pdus',
  'nodes',
  'netblocks',
  'customers',
  'services',
] as const satisfies readonly (keyof Site)[];
export type SiteSettings = Omit<Site, (typeof inTables)[number]>;

/** Catalogues, each with the field that identifies its entries. */
export const catalogues = {
  templates: 'value',
  systems: 'value',
  images: 'value',
  licences: 'name',
  plans: 'name',
  taxes: 'country',
  detectors: 'name',
  models: 'name',
} as const satisfies Partial<Record<keyof SiteSettings, string>>;

const metaName = 'site';
const column = jsonColumn('meta entry "site"', Type.Unsafe<SiteSettings>(Type.Object({})));

export async function loadSiteSettings(
  { secrets }: Pick<App, 'secrets'>,
  queries: Queries,
): Promise<SiteSettings | undefined> {
  const sealed = await metaFind(queries, metaName);
  return sealed === undefined ? undefined : column.decode(secrets.open(sealed, metaName));
}

export async function storeSiteSettings(app: App, queries: Queries, site: Site): Promise<void> {
  const settings = Object.fromEntries(
    Object.entries(site).filter(([name]) => !inTables.some((table) => table === name)),
  );
  await metaPut(queries, metaName, sealSettingsIfChanged(app, await metaFind(queries, metaName), settings, metaName));
}

/** Returns the file completed with the stored sections and catalogue entries that it does not list. */
export function withStoredSettings(site: Site, stored: SiteSettings | undefined, removed: RemovedNames): Site {
  const sections = Object.entries(stored ?? {}).filter(([name]) => !removed.has(name));
  const merged: Record<string, unknown> = { ...Object.fromEntries(sections), ...site };
  for (const [name, key] of Object.entries(catalogues)) {
    const entries = (from: object | undefined) => (from as Record<string, object[] | undefined>)?.[name] ?? [];
    const id = (entry: object) => (entry as Record<string, unknown>)[key];
    const listed = new Set(entries(site).map(id));
    const allEntries = [
      ...entries(site),
      ...entries(stored).filter((entry) => !listed.has(id(entry)) && !removed.has(entryName(name, id(entry)))),
    ];
    merged[name] = allEntries;
    if (allEntries.length === 0) delete merged[name];
  }
  return merged as Site;
}
