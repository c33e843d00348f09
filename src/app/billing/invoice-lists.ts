// Caches long invoice lists while they are unchanged, because formatting a thousand invoices takes longer than the rest
// of the call. Every change of an account's invoices increments its billing revision.
import { BoundedMap } from '#lib/bounded-map.ts';
import type { JsonText } from '#lib/json-text.ts';

const maxLists = 20;
const minCachedLength = 100;
const cache = new BoundedMap<string, { readonly state: string; readonly list: JsonText }>(maxLists);

/** `name` identifies the list and the installation, `state` everything that it was built from. */
export async function cacheInvoiceList(name: string, state: string, make: () => Promise<JsonText>): Promise<JsonText> {
  const cached = cache.get(name);
  if (cached?.state === state) return cached.list;
  cache.delete(name);
  const list = await make();
  if (list.count < minCachedLength) return list;
  cache.set(name, { state, list });
  return list;
}
