// Finds records of all zones of an account by the beginning of their names or contents, ordered by zone and text.
import { searchedContent } from '../migrations/0075-record-search.ts';
import type { AccountId } from '../account-id.ts';
import { inByteOrder, startsWith } from '../engine/search.ts';
import type { Queries } from '../store.ts';
import type { ListedRecord } from './records.ts';

const searchedFields = { name: 'records.name', content: searchedContent } as const;
export type SearchedField = keyof typeof searchedFields;

export interface RecordSearch {
  readonly field: SearchedField;
  /** In lower case. */
  readonly prefix: string;
  /** The names of the only zones to search; undefined for all. */
  readonly zones: readonly string[] | undefined;
  readonly after: FoundRecord | undefined;
  readonly limit: number;
}

/** With the name of its zone, and the text that it is ordered by. */
export type FoundRecord = ListedRecord & { readonly zone: string; readonly text: string };

export async function recordsStarting(
  queries: Queries,
  account: AccountId,
  { field, prefix, zones, after, limit }: RecordSearch,
): Promise<FoundRecord[]> {
  const text = inByteOrder(queries, searchedFields[field]);
  let matches = recordsOf(queries, account, field)
    .where(startsWith(queries, searchedFields[field], prefix))
    .orderBy('zones.id')
    .orderBy(text)
    .orderBy('records.id');
  if (zones !== undefined) matches = matches.where('zones.name', 'in', zones);
  if (after === undefined) return matches.limit(limit).execute();
  const inSameZone = await matches
    .where('zones.id', '=', after.zone_id)
    .where(text, '>=', after.text)
    .where((where) => where.or([where(text, '>', after.text), where('records.id', '>', after.id)]))
    .limit(limit)
    .execute();
  const left = limit - inSameZone.length;
  return left === 0
    ? inSameZone
    : [...inSameZone, ...(await matches.where('zones.id', '>', after.zone_id).limit(left).execute())];
}

/** Returns a record that a search found, to continue after it. */
export async function recordFound(
  queries: Queries,
  account: AccountId,
  field: SearchedField,
  id: number,
): Promise<FoundRecord | undefined> {
  return recordsOf(queries, account, field).where('records.id', '=', id).executeTakeFirst();
}

function recordsOf(queries: Queries, account: AccountId, field: SearchedField) {
  return queries
    .selectFrom('zones')
    .innerJoin('records', 'records.zone_id', 'zones.id')
    .select(['records.id', 'zone_id', 'records.name', 'type', 'ttl', 'content', 'zones.name as zone'])
    .select(inByteOrder(queries, searchedFields[field]).as('text'))
    .where('zones.account_id', '=', account);
}
