// The router that announces our routes: its driver and sealed settings.
import type { Selectable } from 'kysely';
import { affectsRows, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { RouterTable } from './tables.ts';

export type Router = Selectable<RouterTable>;

export async function routerFind(queries: Queries, name: string): Promise<Router | undefined> {
  return queries.selectFrom('routers').selectAll().where('name', '=', name).executeTakeFirst();
}

export async function routerPut(queries: Queries, router: Omit<Router, 'revision'>): Promise<void> {
  const { name: _, ...changing } = router;
  await queries
    .insertInto('routers')
    .values({ ...router, revision: 0 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((set) => ({ ...changing, revision: set('routers.revision', '+', 1) })),
    )
    .execute();
}

export async function routerRemove(queries: Queries, name: string): Promise<void> {
  await queries.deleteFrom('routers').where('name', '=', name).execute();
}

/**
 * Locks the router until the transaction ends, so that two requests cannot both take the last route under the limit.
 */
export async function routerLock(queries: Queries, name: string): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'routers', { name })
      .set((set) => ({ revision: set.ref('revision') }))
      .returning('name'),
  );
}
