// How charges, refunds and payment methods proceed: from the state that was read to another, and by a reconciler that
// handles each row when it is due.
import type { Selectable, Updateable } from 'kysely';
import { affectsRows, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { Tables } from '../tables.ts';

type Table = 'payment_charges' | 'payment_refunds' | 'payment_methods';
type Row<T extends Table> = Selectable<Tables[T]>;
/** `defaultMethodSet` keeps an account from having two default methods. */
type Change<T extends Table> = Omit<Updateable<Tables[T]>, 'is_default'>;

export function createProgress<T extends Table>(name: T) {
  // The tables share the columns that are used here.
  const table = name as 'payment_charges';
  return {
    /** Changes the row if its state is still the one that was read. */
    change(
      queries: Queries,
      { id, state }: { id: number; state: Tables[T]['state'] },
      change: Change<T>,
    ): Promise<boolean> {
      const row = updateWhere(queries, table, { id, state: state as Tables[typeof table]['state'] });
      return affectsRows(row.set(change).returning('id'));
    },

    /** Returns rows that need work, the longest due first. */
    due(queries: Queries, now: number, limit: number): Promise<Row<T>[]> {
      const due = queries.selectFrom(table).selectAll().where('next_look_at', '<=', now);
      return due.orderBy('next_look_at').limit(limit).execute() as Promise<Row<T>[]>;
    },

    /** Returns true if this caller may work on the row until `until`. */
    claim(
      queries: Queries,
      { id, next_look_at }: { id: number; next_look_at: number | null },
      until: number,
    ): Promise<boolean> {
      const claim = updateWhere(queries, table, { id, next_look_at }).set({ next_look_at: until });
      return affectsRows(claim.returning('id'));
    },
  };
}
