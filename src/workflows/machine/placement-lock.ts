// Machines are placed one at a time in the whole cluster, so that two are never promised the same capacity.
import { lockRetryMs } from '#equipment/device-command.ts';
import { deviceLockAcquire, deviceLockKeep, deviceLockRelease } from '#store/devices/device-locks.ts';
import { waitForChange } from '#store/feed.ts';
import type { Queries } from '#store/store.ts';
import { leaseSubject } from '#store/work/leases.ts';
import type { MachineContext } from '../device-steps.ts';
import { wait, type Wait } from '../engine/workflow.ts';

export const placementLock = 'placement of machines';
const leaseMs = 60_000;
/** A placement usually takes milliseconds, and the queue looks only every half second for jobs that are due. */
const turnMs = 200;

/** Returns undefined, or that the workflow has to try again later. */
export async function lockPlacement(
  { deps: { store, clock, leaseFeed }, workflow: holder }: MachineContext,
  purpose: string,
): Promise<Wait | undefined> {
  const subject = leaseSubject({ kind: 'device', name: placementLock });
  const isLocked = await waitForChange(leaseFeed, [subject], AbortSignal.timeout(turnMs), async () => {
    const now = clock.now();
    const lock = { device: placementLock, holder, purpose, held_until: now + leaseMs };
    return (await deviceLockAcquire(store.queries, lock, now)) || undefined;
  });
  return isLocked === true ? undefined : wait(lockRetryMs);
}

/**
 * Throws if the lock has expired and another workflow has placed a machine since, which the capacity that was read does not know of.
 * Otherwise nobody places one until the transaction ends.
 */
export async function requirePlacementLock(queries: Queries, { workflow }: MachineContext): Promise<void> {
  if (!(await deviceLockKeep(queries, placementLock, workflow)))
    throw new Error('another machine was placed before this placement had ended');
}

export function unlockPlacement(queries: Queries, { workflow }: MachineContext): Promise<void> {
  return deviceLockRelease(queries, placementLock, workflow);
}
