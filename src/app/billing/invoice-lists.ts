// Long lists of invoices, remembered while nothing about them has changed: to put a thousand into words takes longer than all
// else about the call. Every change of an account's invoices raises the revision by which billing holds the account.
import type { Static } from 'typebox';
import type { InvoiceListItem } from '#contract/shapes/account.ts';

type List = Static<typeof InvoiceListItem>[];

const listsRemembered = 20;
const worthRemembering = 100;
const remembered = new Map<string, { readonly state: string; readonly list: List }>();

/** `name` says which list it is, of which installation; `state` all that it was made from. */
export async function listRemembered(name: string, state: string, make: () => Promise<List>): Promise<List> {
  const known = remembered.get(name);
  if (known?.state === state) return known.list;
  remembered.delete(name);
  const list = await make();
  if (list.length < worthRemembering) return list;
  if (remembered.size >= listsRemembered) remembered.delete(remembered.keys().next().value!);
  // Frozen, so that its words are remembered with it.
  Object.freeze(list);
  remembered.set(name, { state, list });
  return list;
}
