// Device locks: one command at a time per device in the whole cluster, with its purpose. A lock is a lease that expires
// if its process dies.
import { affectsRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { DeviceLockTable } from './tables.ts';

/** Returns true if the holder has the lock now, including if it had it before. */
export async function deviceLockAcquire(queries: Queries, lock: DeviceLockTable, now: number): Promise<boolean> {
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
  const held = selectWhere(queries, 'device_locks', { device }).where('held_until', '>=', now);
  return held.selectAll().executeTakeFirst();
}

/** Returns false if the holder does not have the lock any more, or already has it for longer: a late renewal must not shorten it. */
export async function deviceLockExtend(
  queries: Queries,
  device: string,
  holder: string,
  heldUntil: number,
): Promise<boolean> {
  const held = updateWhere(queries, 'device_locks', { device, holder }).where('held_until', '<', heldUntil);
  return affectsRows(held.set({ held_until: heldUntil }).returning('device'));
}

/** Returns false if the holder does not have the lock any more. Otherwise nobody acquires it until the transaction ends. */
export async function deviceLockKeep(queries: Queries, device: string, holder: string): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'device_locks', { device, holder }).set({ holder }).returning('device'));
}

export async function deviceLockRelease(queries: Queries, device: string, holder: string): Promise<void> {
  await queries.deleteFrom('device_locks').where('device', '=', device).where('holder', '=', holder).execute();
}
