// Runs commands on a device one at a time, in the whole cluster. The lock is a lease in the database, held by a request, a
// reconciler or a workflow; a second command waits a few seconds for it and is then rejected with the purpose of the first.
import type { Clock } from '#lib/clock.ts';
import { ApiError } from '#lib/api-error.ts';
import { holdLease } from '#lib/held-lease.ts';
import { deviceLockExtend, deviceLockFind, deviceLockRelease, deviceLockAcquire } from '#store/devices/device-locks.ts';
import { waitForChange, type Feed } from '#store/feed.ts';
import type { Queries, Store } from '#store/store.ts';
import { leaseSubject } from '#store/work/leases.ts';
import type { DeviceLockTable } from '#store/devices/tables.ts';
import { defaultWaits } from './waits.ts';

export interface CommandParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Wakes commands that wait for a lock. */
  readonly leaseFeed: Feed<string>;
}

/** `holder` is the request or workflow; `purpose` is a noun phrase that others read while they wait, such as "a reload". */
export type DeviceLock = Pick<DeviceLockTable, 'device' | 'holder' | 'purpose'>;

export const lockWaitMs = 5000;
/** Between the attempts of a workflow, whose jobs do not wait. */
export const lockRetryMs = 100;
const commandLeaseMs = 30_000;
/** Longer than the longest step: a workflow renews the lock only between steps. */
const workflowLeaseMs = 30 * 60_000;

export function commandTimeout(signal?: AbortSignal, milliseconds = defaultWaits.commandMs): AbortSignal {
  const timeout = AbortSignal.timeout(milliseconds);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

export interface CommandLimits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Runs a command under the device's lock. Waiting for the lock counts towards the time limit. If the lock cannot be renewed, the
 * signal aborts before the lock expires, because another instance may send commands after that.
 */
export async function runDeviceCommand<T>(
  { store, clock, leaseFeed }: CommandParts,
  lock: DeviceLock,
  command: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, signal }: CommandLimits = {},
): Promise<T> {
  const lost = new AbortController();
  const limit = AbortSignal.any([lost.signal, commandTimeout(signal, timeoutMs)]);
  const { device, holder } = lock;
  const leaseEnd = (): number => clock.now() + commandLeaseMs;
  let sentAtMs = 0;
  await retryWhileBusy(leaseFeed, device, () => {
    sentAtMs = performance.now();
    return acquire(store.queries, { ...lock, held_until: leaseEnd() }, clock.now());
  });
  const lease = holdLease(commandLeaseMs, sentAtMs, () => lost.abort(new Error('the lock of the device has expired')));
  const renew = async (): Promise<void> => {
    const renewedAtMs = performance.now();
    if (await deviceLockExtend(store.queries, device, holder, leaseEnd())) lease.renew(renewedAtMs);
  };
  // The lease outlasts two failed renewals.
  const renewal = setInterval(() => void renew().catch(() => {}), commandLeaseMs / 4);
  try {
    return await command(limit);
  } finally {
    clearInterval(renewal);
    lease.stop();
    // The command has run, whatever the database says now; a lock that is not released expires.
    await store.transaction((inRelease) => deviceLockRelease(inRelease, device, holder)).catch(() => {});
  }
}

/** Repeats `work` while it throws `device_busy`, for as long as a caller waits or until `shouldWait` says no. */
export async function retryWhileBusy<T>(
  leaseFeed: Feed<string>,
  device: string,
  work: () => Promise<T>,
  shouldWait: () => Promise<boolean> = async () => true,
): Promise<T> {
  const end = AbortSignal.timeout(lockWaitMs);
  const outcome = await waitForChange(leaseFeed, [leaseSubject({ kind: 'device', name: device })], end, async () => {
    try {
      return { value: await work() };
    } catch (error) {
      const isBusy = error instanceof ApiError && error.code === 'device_busy';
      if (!isBusy || end.aborted || !(await shouldWait())) throw error;
      return undefined;
    }
  });
  return outcome!.value;
}

/** Acquires the lock for a workflow, or extends it, or throws `device_busy`. */
export async function lockForWorkflow(queries: Queries, lock: DeviceLock, now: number): Promise<void> {
  await acquire(queries, { ...lock, held_until: now + workflowLeaseMs }, now);
}

async function acquire(queries: Queries, lock: DeviceLockTable, now: number): Promise<void> {
  if (await deviceLockAcquire(queries, lock, now)) return;
  const running = (await deviceLockFind(queries, lock.device, now))?.purpose ?? 'another command';
  const message = `The device is busy: ${running} is running. Try again when it has finished.`;
  throw new ApiError('device_busy', { message });
}

/** Tells a device that did not respond, whose state is therefore unknown, from one that rejected a command. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 504;
}
