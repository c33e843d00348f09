// Lists the records of a zone. Panels and scripts request the same zone over and over, and every
// change increments the zone's revision, so the lists of small zones are cached by revision, on any engine and any
// number of instances. They are kept as text, and those of large zones become text page by page.
import { requireFound } from '#lib/api-error.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import { JsonText } from '#lib/json-text.ts';
import { recordPage, recordPages, type ListedRecord } from '#store/dns/records.ts';
import type { Store } from '#store/store.ts';
import type { Page, Zone } from '#store/dns/zones.ts';
import type { Context } from '../app.ts';
import { findZoneOrThrow } from './change.ts';
import { recordShape } from './content.ts';
import { visibleSets } from './limits.ts';
import { readUnlocked } from './unlocked-read.ts';

interface CachedList {
  readonly revision: number;
  readonly records: JsonText;
}

const maxCachedZones = 500;
const maxCachedRecords = 50;
const cacheOf = new WeakMap<Store, Map<number, CachedList>>();

export async function recordList(context: Context, domain: number, page: Page): Promise<JsonText> {
  const zone = await findZoneOrThrow(context, domain);
  const { dnsLimits } = context.caller;
  if (dnsLimits !== undefined) {
    const isVisible = visibleSets(dnsLimits, zone.name);
    const pagesOf = (current: Zone) => recordPages(context.queries, current, page.after ?? 0);
    const read = await readUnlocked(context, domain, (current) =>
      listText(filterPages(pagesOf(current), isVisible, page.limit)),
    );
    return requireFound(read).content;
  }
  if (page.limit !== undefined)
    return listText([await recordPage(context.queries, zone, { ...page, limit: page.limit })]);
  if (page.after !== undefined) return listText(recordPages(context.queries, zone, page.after));
  const cache = cacheOf.get(context.app.store) ?? new BoundedMap<number, CachedList>(maxCachedZones);
  const known = cache.get(zone.id);
  if (known?.revision === zone.revision) return known.records;
  const read = await readUnlocked(context, domain, (current) => listText(recordPages(context.queries, current, 0)));
  const { zone: readZone, content: records } = requireFound(read);
  if (records.count <= maxCachedRecords) {
    cache.set(zone.id, { revision: readZone.revision, records });
    cacheOf.set(context.app.store, cache);
  }
  return records;
}

async function* filterPages(
  pages: AsyncIterable<readonly ListedRecord[]>,
  isVisible: (record: ListedRecord) => boolean,
  limit = Infinity,
): AsyncGenerator<readonly ListedRecord[]> {
  let left = limit;
  for await (const page of pages) {
    const visible = page.filter(isVisible).slice(0, left);
    yield visible;
    left -= visible.length;
    if (left === 0) return;
  }
}

async function listText(
  pages: Iterable<readonly ListedRecord[]> | AsyncIterable<readonly ListedRecord[]>,
): Promise<JsonText> {
  const texts: string[] = [];
  let count = 0;
  for await (const page of pages) {
    if (page.length > 0) texts.push(page.map((record) => JSON.stringify(recordShape(record))).join());
    count += page.length;
  }
  return new JsonText(`[${texts.join()}]`, count);
}
