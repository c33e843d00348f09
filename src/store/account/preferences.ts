// How each person wants times to be shown, and their saved filters.
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { DateFormat } from '#contract/shapes/person.ts';
import { jsonColumn } from '../json-column.ts';
import type { Queries } from '../store.ts';
import { isPerson, type Person } from './people.ts';

const savedFilters = jsonColumn(
  'preferences.filters',
  Type.Array(Type.Object({ name: Type.String(), query: Type.String() })),
);

export interface Preferences {
  readonly timezone: string;
  readonly dateFormat: DateFormat | '';
  readonly filters: readonly { readonly name: string; readonly query: string }[];
}
const noPreferences: Preferences = { timezone: '', dateFormat: '', filters: [] };

export async function preferencesFind(queries: Queries, person: Person): Promise<Preferences> {
  const row = await queries.selectFrom('preferences').selectAll().where(isPerson(person)).executeTakeFirst();
  if (row === undefined) return noPreferences;
  const { timezone, date_format, filters } = row;
  return { timezone, dateFormat: date_format as DateFormat | '', filters: savedFilters.decode(filters) };
}

export async function preferencesPut(
  queries: Queries,
  { account_id, contact_id }: Person,
  { timezone, dateFormat, filters }: Preferences,
): Promise<void> {
  const values = { timezone, date_format: dateFormat, filters: savedFilters.encode(filters) };
  await queries
    .insertInto('preferences')
    .values({ account_id, contact_id, ...values })
    .onConflict((conflict) => conflict.expression(sql`account_id, coalesce(contact_id, -1)`).doUpdateSet(values))
    .execute();
}
