// Bank statements and their entries. An entry is stored once, in however many statements it is.
import type { Insertable, Selectable } from 'kysely';
import { affectsRows, batches, insertNew, selectWhere, updateWhere } from '../engine/rows.ts';
import type { NewestPage } from '../billing/invoices.ts';
import type { Queries } from '../store.ts';
import type { SepaEntryTable, SepaStatementTable } from './sepa-tables.ts';

export type BankStatement = Selectable<SepaStatementTable>;
export type Entry = Selectable<SepaEntryTable>;
export type NewEntry = Insertable<SepaEntryTable>;

/** Each value of an entry is a parameter, and databases limit their number. */
const entriesPerInsert = 100;

/** Returns undefined if the statement was imported before. */
export async function statementInsert(
  queries: Queries,
  statement: Insertable<SepaStatementTable>,
): Promise<number | undefined> {
  return (await insertNew(queries, 'sepa_statements', statement, ['digest']).returning('id').executeTakeFirst())?.id;
}

/** Skips entries that are known from another statement. Returns how many were new. */
export async function entriesInsert(queries: Queries, entries: readonly NewEntry[]): Promise<number> {
  let count = 0;
  for (const batch of batches(entries, entriesPerInsert)) {
    const insert = insertNew(queries, 'sepa_entries', batch, ['key']);
    count += (await insert.returning('id').execute()).length;
  }
  return count;
}

/** Returns entries in this state with a higher id, oldest first. */
export async function entriesInState(
  queries: Queries,
  state: Entry['state'],
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Entry[]> {
  return selectWhere(queries, 'sepa_entries', { state })
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function entryFind(queries: Queries, id: number): Promise<Entry | undefined> {
  return selectWhere(queries, 'sepa_entries', { id }).selectAll().executeTakeFirst();
}

/** Changes the entry if its state is still the one that was read. */
export async function entryChange(
  queries: Queries,
  { id, state }: Pick<Entry, 'id' | 'state'>,
  change: Partial<Omit<Entry, 'id' | 'statement_id' | 'key'>>,
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'sepa_entries', { id, state }).set(change).returning('id'));
}

/** Returns a page of statements, newest first. */
export async function statementList(queries: Queries, { limit, before }: NewestPage): Promise<BankStatement[]> {
  let query = queries.selectFrom('sepa_statements').selectAll();
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

export interface EntryTotal {
  readonly statement_id: number;
  readonly state: Entry['state'];
  readonly count: number;
  readonly cents: number;
  readonly booked_cents: number;
}

/** Returns numbers and sums of the entries of these statements, by state. */
export async function entryTotals(queries: Queries, statements: readonly number[]): Promise<EntryTotal[]> {
  if (statements.length === 0) return [];
  const rows = await queries
    .selectFrom('sepa_entries')
    .select(['statement_id', 'state'])
    .select((select) => [
      select.fn.countAll().as('count'),
      select.fn.sum('amount_cents').as('cents'),
      select.fn.sum('booked_cents').as('booked'),
    ])
    .where('statement_id', 'in', statements)
    .groupBy(['statement_id', 'state'])
    .execute();
  return rows.map(({ count, cents, booked, ...row }) => ({
    ...row,
    count: Number(count),
    cents: Number(cents),
    booked_cents: Number(booked),
  }));
}
