// TOTP secrets of customers, one per person.
import type { Selectable } from 'kysely';
import { affectsRows, insertNew } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { isPerson, type Person } from './people.ts';
import type { TotpTable } from './tables.ts';

export type Totp = Selectable<TotpTable>;

export async function totpFind(queries: Queries, person: Person): Promise<Totp | undefined> {
  return queries.selectFrom('totps').selectAll().where(isPerson(person)).executeTakeFirst();
}

/** Replaces an unconfirmed secret; returns false if there is a confirmed one. */
export async function totpPut(queries: Queries, person: Person, secret: string): Promise<boolean> {
  await queries.deleteFrom('totps').where(isPerson(person)).where('since', 'is', null).execute();
  const { account_id, contact_id } = person;
  const totp = { account_id, contact_id, secret, since: null, step: 0 };
  return affectsRows(insertNew(queries, 'totps', totp).returning('account_id'));
}

export async function totpConfirm(queries: Queries, person: Person, since: number, step: number): Promise<void> {
  await queries.updateTable('totps').set({ since, step }).where(isPerson(person)).execute();
}

/** Returns true if no code of this time step or a later one has been used. */
export async function totpSpendStep(queries: Queries, person: Person, step: number): Promise<boolean> {
  return affectsRows(
    queries.updateTable('totps').set({ step }).where(isPerson(person)).where('step', '<', step).returning('account_id'),
  );
}

export async function totpRemove(queries: Queries, person: Person): Promise<void> {
  await queries.deleteFrom('totps').where(isPerson(person)).execute();
}
