// One command at a time per device, in the whole cluster. Whoever comes second waits a while for its turn and is then told
// what is going on.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Store } from '#store/store.ts';
import * as store from '#store/devices/device-locks.ts';

export interface LockParts {
  readonly store: Store;
  readonly clock: Clock;
}

const turnMs = 5000;
const lookAgainMs = 100;
const leaseMs = 30_000;

/** `holder` is unique to the request; `purpose` is what others are told. */
export async function withDeviceLock<T>(
  parts: LockParts,
  lock: { readonly device: string; readonly holder: string; readonly purpose: string },
  work: () => Promise<T>,
): Promise<T> {
  const { clock } = parts;
  const { queries } = parts.store;
  const until = performance.now() + turnMs;
  while (!(await store.deviceLockTake(queries, { ...lock, held_until: clock.now() + leaseMs }, clock.now()))) {
    if (performance.now() >= until) throw await busy(parts, lock.device);
    await pause(lookAgainMs);
  }
  const renewal = setInterval(() => {
    // A renewal that fails is made up for by the next; two in a row and the lease still stands.
    void store.deviceLockExtend(queries, lock.device, lock.holder, clock.now() + leaseMs).catch(() => {});
  }, leaseMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // What was done is done, whatever the database says now: an unreleased lock lapses by itself.
    await store.deviceLockRelease(queries, lock.device, lock.holder).catch(() => {});
  }
}

async function busy(parts: LockParts, device: string): Promise<Fault> {
  const held = await store.deviceLockFind(parts.store.queries, device, parts.clock.now());
  const purpose = held?.purpose ?? 'another command';
  return new Fault('device_busy', { message: `The device is busy: ${purpose} is running.` });
}
