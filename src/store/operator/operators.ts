// The provider's staff who sign in by name.
import type { GeneratedAlways, Insertable, Selectable, Updateable } from 'kysely';
import type { OperatorRole } from '#contract/roles.ts';
import type { Queries } from '../store.ts';

export interface OperatorTable {
  id: GeneratedAlways<number>;
  name: string;
  role: OperatorRole;
  status: 'Active' | 'Ended';
  password_hash: string | null;
  /** Sealed; null where none is enrolled. */
  totp_secret: string | null;
  /** When a code of it was first shown; null until then. */
  totp_since: number | null;
  /** The time step of the last code that was used: no code counts twice. */
  totp_step: number;
  created_at: number;
}
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

/** Undefined where the name is taken. */
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

/** True for the first who comes with a code of this time step, or a later one. */
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

/** How many owners there are who can sign in. */
export async function ownersCount(queries: Queries): Promise<number> {
  const row = await queries
    .selectFrom('operators')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('role', '=', 'owner')
    .where('status', '=', 'Active')
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
