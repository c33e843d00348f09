// The instances that divide devices to poll among them.
import { putRow } from '../engine/rows.ts';
import type { Queries } from '../store.ts';

export async function pollerRenew(queries: Queries, instance: string, liveUntil: number): Promise<void> {
  await putRow(queries, 'pollers', ['instance'], { instance, live_until: liveUntil });
}

export interface Poller {
  readonly instance: string;
  readonly live_until: number;
}
export async function pollersList(queries: Queries): Promise<readonly Poller[]> {
  return queries.selectFrom('pollers').selectAll().orderBy('instance').execute();
}

export async function pollerRemove(queries: Queries, instance: string): Promise<void> {
  await queries.deleteFrom('pollers').where('instance', '=', instance).execute();
}

/** Removes instances that ended without leaving. */
export async function pollersForget(queries: Queries, before: number): Promise<void> {
  await queries.deleteFrom('pollers').where('live_until', '<', before).execute();
}
