// One command at a time per device, in the whole cluster, with its purpose on record. A lock is a lease: a process that
// dies lets go of it by not renewing it.
import type { Queries } from '../store.ts';

export interface DeviceLockTable {
  device: string;
  /** The request or workflow that holds it. */
  holder: string;
  purpose: string;
  held_until: number;
}

/** True where it is now held by this holder; one that holds it already keeps it. */
export async function deviceLockTake(queries: Queries, lock: DeviceLockTable, now: number): Promise<boolean> {
  const row = await queries
    .insertInto('device_locks')
    .values(lock)
    .onConflict((conflict) =>
      conflict
        .column('device')
        .doUpdateSet({ holder: lock.holder, purpose: lock.purpose, held_until: lock.held_until })
        .where((where) =>
          where.or([where('device_locks.held_until', '<', now), where('device_locks.holder', '=', lock.holder)]),
        ),
    )
    .returning('device')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deviceLockFind(
  queries: Queries,
  device: string,
  now: number,
): Promise<DeviceLockTable | undefined> {
  return queries
    .selectFrom('device_locks')
    .selectAll()
    .where('device', '=', device)
    .where('held_until', '>=', now)
    .executeTakeFirst();
}

export async function deviceLockExtend(
  queries: Queries,
  device: string,
  holder: string,
  heldUntil: number,
): Promise<void> {
  await queries
    .updateTable('device_locks')
    .set({ held_until: heldUntil })
    .where('device', '=', device)
    .where('holder', '=', holder)
    .execute();
}

export async function deviceLockRelease(queries: Queries, device: string, holder: string): Promise<void> {
  await queries.deleteFrom('device_locks').where('device', '=', device).where('holder', '=', holder).execute();
}
