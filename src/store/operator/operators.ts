// Operators, who sign in by name.
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Queries } from '../store.ts';
import type { OperatorTable } from './tables.ts';

export type Operator = Selectable<OperatorTable>;

export async function operatorList(queries: Queries): Promise<Operator[]> {
  return queries.selectFrom('operators').selectAll().orderBy('name').execute();
}

export async function operatorFind(queries: Queries, id: number): Promise<Operator | undefined> {
  return queries.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function operatorFindByName(queries: Queries, name: string): Promise<Operator | undefined> {
  return queries.selectFrom('operators').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Returns undefined if the name is taken. */
export async function operatorInsert(
  queries: Queries,
  operator: Insertable<OperatorTable>,
): Promise<number | undefined> {
  const row = await queries
    .insertInto('operators')
    .values(operator)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function operatorUpdate(queries: Queries, id: number, change: Updateable<OperatorTable>): Promise<void> {
  await queries.updateTable('operators').set(change).where('id', '=', id).execute();
}

/** Returns true if no code of this time step or a later one has been used. */
export async function operatorSpendStep(queries: Queries, id: number, step: number): Promise<boolean> {
  const row = await queries
    .updateTable('operators')
    .set({ totp_step: step })
    .where('id', '=', id)
    .where('totp_step', '<', step)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts the owners who can sign in. */
export async function ownersCount(queries: Queries): Promise<number> {
  const row = await queries
    .selectFrom('operators')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('role', '=', 'owner')
    .where('status', '=', 'Active')
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
