// The instances that divide devices to poll among them.
import { putRow } from '../engine/rows.ts';
import type { Queries } from '../store.ts';

export async function pollerRenew(queries: Queries, instance: string, liveUntil: number): Promise<void> {
  await putRow(queries, 'pollers', ['instance'], { instance, live_until: liveUntil });
}

export interface Pollers {
  readonly instances: readonly { readonly instance: string; readonly live_until: number }[];
  /** The instance that ran each reconciler last, by its name. */
  readonly leaders: ReadonlyMap<string, string | null>;
}
export async function pollersList(queries: Queries, reconcilers: readonly string[]): Promise<Pollers> {
  const instances = await queries.selectFrom('pollers').selectAll().orderBy('instance').execute();
  const rows = await queries
    .selectFrom('reconcilers')
    .select(['name', 'holder'])
    .where('name', 'in', reconcilers)
    .execute();
  return { instances, leaders: new Map(rows.map(({ name, holder }) => [name, holder])) };
}

export async function pollerRemove(queries: Queries, instance: string): Promise<void> {
  await queries.deleteFrom('pollers').where('instance', '=', instance).execute();
}

/** Removes instances that ended without leaving. */
export async function pollersForget(queries: Queries, before: number): Promise<void> {
  await queries.deleteFrom('pollers').where('live_until', '<', before).execute();
}
