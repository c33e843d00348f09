// Lists the records of a zone, as text. The lists of small zones are cached, and those of large ones become text page by
// page.
import { requireFound } from '#lib/api-error.ts';
import { JsonText } from '#lib/json-text.ts';
import { recordPage, recordPages, type ListedRecord } from '#store/dns/records.ts';
import type { Page, Zone } from '#store/dns/zones.ts';
import type { Context } from '../app.ts';
import { findZoneOrThrow } from './change.ts';
import { recordShape } from './content.ts';
import { visibleSets } from './limits.ts';
import { readUnlocked } from './unlocked-read.ts';
import { ZoneCache } from './zone-cache.ts';

const lists = new ZoneCache<JsonText>();

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
  const { store } = context.app;
  const known = lists.find(store, zone);
  if (known !== undefined) return known;
  const read = await readUnlocked(context, domain, (current) => listText(recordPages(context.queries, current, 0)));
  const { zone: readZone, content: records } = requireFound(read);
  lists.keep(store, readZone, records);
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
    if (page.length > 0)
      texts.push((count > 0 ? ',' : '[') + page.map((record) => JSON.stringify(recordShape(record))).join());
    count += page.length;
  }
  return new JsonText(count > 0 ? [...texts, ']'] : '[]', count);
}
