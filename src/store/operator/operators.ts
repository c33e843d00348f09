// Operators, who sign in by name.
import type { Insertable, Selectable, Updateable } from 'kysely';
import { affectsRows, insertNew, selectWhere, updateWhere } from '../engine/rows.ts';
import { isKnownNetwork } from '../account/known-networks.ts';
import { hasPasskey } from '../account/passkeys.ts';
import type { Queries } from '../store.ts';
import type { OperatorTable } from './tables.ts';

export type Operator = Selectable<OperatorTable>;

export async function operatorList(queries: Queries) {
  const rows = await queries
    .selectFrom('operators')
    .selectAll()
    .select(hasPasskey('operators.id').as('passkey'))
    .orderBy('name')
    .execute();
  return rows.map((row) => ({ ...row, hasPasskey: row.passkey === 1 }));
}

export async function operatorFind(queries: Queries, id: number): Promise<Operator | undefined> {
  return queries.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the operator, whom nobody else changes until the transaction ends. */
export async function operatorLock(queries: Queries, id: number): Promise<Operator | undefined> {
  return updateWhere(queries, 'operators', { id })
    .set((set) => ({ name: set.ref('name') }))
    .returningAll()
    .executeTakeFirst();
}

/** Returns the operator, and whether they have a passkey and have signed in from this network before. */
export async function operatorFindByName(queries: Queries, name: string, network = '') {
  const row = await queries
    .selectFrom('operators')
    .selectAll()
    .select([isKnownNetwork('operators', network).as('known'), hasPasskey('operators.id').as('passkey')])
    .where('name', '=', name)
    .executeTakeFirst();
  return row && { ...row, isKnownNetwork: row.known === 1, hasPasskey: row.passkey === 1 };
}

/** Returns the operators with this address, in lower case, up to the given number. */
export async function operatorsWithEmail(queries: Queries, email: string, atMost: number): Promise<Operator[]> {
  return selectWhere(queries, 'operators', { email }).selectAll().orderBy('id').limit(atMost).execute();
}

/** Returns undefined if the name is taken. */
export async function operatorInsert(
  queries: Queries,
  operator: Insertable<OperatorTable>,
): Promise<number | undefined> {
  return (await insertNew(queries, 'operators', operator, ['name']).returning('id').executeTakeFirst())?.id;
}

export async function operatorUpdate(queries: Queries, id: number, change: Updateable<OperatorTable>): Promise<void> {
  await queries.updateTable('operators').set(change).where('id', '=', id).execute();
}

/**
 * Returns false if the operator has another password by now. Otherwise a change of it waits for this transaction, and then ends the
 * session that it opens.
 */
export async function operatorPasswordHold(
  queries: Queries,
  { id, password_hash }: Pick<Operator, 'id' | 'password_hash'>,
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'operators', { id, password_hash }).set({ password_hash }).returning('id'));
}

/** Returns true if no code of this time step or a later one has been used. */
export async function operatorSpendStep(queries: Queries, id: number, step: number): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'operators', { id }).set({ totp_step: step }).where('totp_step', '<', step).returning('id'),
  );
}

/** Counts the owners who can sign in, who stay what they are until the transaction ends. */
export async function ownersHold(queries: Queries): Promise<number> {
  const owners = updateWhere(queries, 'operators', { role: 'owner', status: 'Active' });
  return (await owners.set({ status: 'Active' }).returning('id').execute()).length;
}
