// The secrets from which the apps of customers make their codes, one for each person who signs in.
import type { Selectable } from 'kysely';
import { ofPerson, type Person } from './people.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface TotpTable {
  account_id: AccountId;
  contact_id: number | null;
  /** Sealed. */
  secret: string;
  /** When a code of it was first shown; null until then. */
  since: number | null;
  /** The time step of the last code that was used: no code counts twice. */
  step: number;
}
export type Totp = Selectable<TotpTable>;

export async function totpFind(queries: Queries, person: Person): Promise<Totp | undefined> {
  return queries.selectFrom('totps').selectAll().where(ofPerson(person)).executeTakeFirst();
}

/** In the place of one that was never confirmed; false where one is. */
export async function totpPut(queries: Queries, person: Person, secret: string): Promise<boolean> {
  await queries.deleteFrom('totps').where(ofPerson(person)).where('since', 'is', null).execute();
  const row = await queries
    .insertInto('totps')
    .values({ account_id: person.account_id, contact_id: person.contact_id, secret, since: null, step: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function totpConfirm(queries: Queries, person: Person, since: number, step: number): Promise<void> {
  await queries.updateTable('totps').set({ since, step }).where(ofPerson(person)).execute();
}

/** True for the first who comes with a code of this time step, or a later one. */
export async function totpSpendStep(queries: Queries, person: Person, step: number): Promise<boolean> {
  const row = await queries
    .updateTable('totps')
    .set({ step })
    .where(ofPerson(person))
    .where('step', '<', step)
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function totpRemove(queries: Queries, person: Person): Promise<void> {
  await queries.deleteFrom('totps').where(ofPerson(person)).execute();
}
