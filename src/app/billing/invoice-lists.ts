// Caches long invoice lists while they are unchanged, because formatting a thousand invoices takes longer than the rest
// of the call. Every change of an account's invoices increments its billing revision.
import type { Static } from 'typebox';
import type { InvoiceListItem } from '#contract/shapes/account.ts';
import { BoundedMap } from '#lib/bounded-map.ts';

type List = Static<typeof InvoiceListItem>[];

const maxLists = 20;
const minCachedLength = 100;
const cache = new BoundedMap<string, { readonly state: string; readonly list: List }>(maxLists);

/** `name` identifies the list and the installation, `state` everything that it was built from. */
export async function cacheInvoiceList(name: string, state: string, make: () => Promise<List>): Promise<List> {
  const cached = cache.get(name);
  if (cached?.state === state) return cached.list;
  cache.delete(name);
  const list = await make();
  if (list.length < minCachedLength) return list;
  cache.set(name, { state, list });
  return list;
}
