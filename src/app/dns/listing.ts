// Lists the records of a zone. Panels and scripts request the same zone over and over, and every
// change increments the zone's revision, so the lists of small zones are cached by revision, on any engine and any
// number of instances. Those of large zones become text page by page.
import type { Static } from 'typebox';
import type { ZoneRecord } from '#contract/shapes/dns.ts';
import { requireFound } from '#lib/api-error.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import { JsonText } from '#lib/json-text.ts';
import { recordPage, recordPages, recordsPerPage } from '#store/dns/records.ts';
import type { Store } from '#store/store.ts';
import type { Page, Zone } from '#store/dns/zones.ts';
import type { Context } from '../app.ts';
import { findZoneOrThrow } from './change.ts';
import { recordShape } from './content.ts';
import { readUnlocked } from './unlocked-read.ts';

type Shape = Static<typeof ZoneRecord>;

interface CachedList {
  readonly revision: number;
  readonly records: Shape[];
}

const maxCachedZones = 500;
const maxCachedRecords = 50;
const cacheOf = new WeakMap<Store, Map<number, CachedList>>();

export async function recordList(context: Context, domain: number, page: Page): Promise<Shape[] | JsonText> {
  const zone = await findZoneOrThrow(context, domain);
  if (page.limit !== undefined)
    return (await recordPage(context.queries, zone, { ...page, limit: page.limit })).map(recordShape);
  if (page.after !== undefined) return listRecords(context, zone, page.after);
  const cache = cacheOf.get(context.app.store) ?? new BoundedMap<number, CachedList>(maxCachedZones);
  const known = cache.get(zone.id);
  if (known?.revision === zone.revision) return known.records;
  const read = await readUnlocked(context, domain, (current) => listRecords(context, current));
  const { zone: readZone, content: records } = requireFound(read);
  if (!(records instanceof JsonText) && records.length <= maxCachedRecords) {
    cache.set(zone.id, { revision: readZone.revision, records });
    cacheOf.set(context.app.store, cache);
  }
  return records;
}

async function listRecords({ queries }: Context, zone: Zone, after = 0): Promise<Shape[] | JsonText> {
  const texts: string[] = [];
  let count = 0;
  for await (const page of recordPages(queries, zone, after)) {
    if (count === 0 && page.length < recordsPerPage) return page.map(recordShape);
    if (page.length > 0) texts.push(page.map((record) => JSON.stringify(recordShape(record))).join());
    count += page.length;
  }
  return new JsonText(`[${texts.join()}]`, count);
}
