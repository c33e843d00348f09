// Polls many devices concurrently, each with its own timeout, so that a slow one delays no other.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reconciler } from './reconciler.ts';
import { wholeShare } from './share.ts';

export const pollIntervalMs = 60_000;
const jitterMs = 2000;
const devicesPerRun = 200;
const concurrency = 40;
/** Not after each device: an idle server would list them many times a second. */
const dueCheckMs = 1000;
/** A run starts no poll after this, so that it ends well before its deadline. */
const startPollsForMs = 60_000;

const deadlineSeconds = 120;
const everySeconds = 5;

interface Polled {
  readonly name: string;
}

export function pollingReconciler<Device extends Polled>(
  name: string,
  listDue: (limit: number) => Promise<readonly Device[]>,
  poll: (device: Device, signal: AbortSignal) => Promise<void>,
  runsOn: 'all instances' | 'one instance' = 'all instances',
): Reconciler {
  return {
    name,
    everySeconds,
    deadlineSeconds,
    ...(runsOn === 'all instances' && { isShared: true }),
    async run(signal, share = wholeShare) {
      const listShare = async (limit: number) => {
        const due = await listDue(limit * Math.max(1, share.instances.length));
        return due.filter((device) => share.has(device.name)).slice(0, limit);
      };
      return { backlog: await pollDue(signal, listShare, (device) => poll(device, signal)) };
    },
  };
}

/** Polls while a device is due. Returns how many devices have to wait for the next run. */
async function pollDue<Device extends Polled>(
  signal: AbortSignal,
  listDue: (limit: number) => Promise<readonly Device[]>,
  poll: (device: Device) => Promise<void>,
): Promise<number> {
  const polling = new Set<string>();
  const failures: unknown[] = [];
  /** Called when a poll ends. */
  let proceed = (): void => {};
  const untilMs = performance.now() + startPollsForMs;
  const mayStart = (): boolean => performance.now() < untilMs && !signal.aborted;
  let waiting: Device[] = [];
  let listedMs = -Infinity;
  let mayBeMore = true;
  do {
    if ((waiting.length === 0 && mayBeMore) || performance.now() > listedMs + dueCheckMs) {
      listedMs = performance.now();
      // A poll that ends while the list is read may be listed as still due.
      const before = new Set(polling);
      const listed = await listDue(devicesPerRun);
      mayBeMore = listed.length === devicesPerRun;
      waiting = listed.filter(({ name }) => !before.has(name));
    }
    for (const device of waiting.splice(0, mayStart() ? concurrency - polling.size : 0)) {
      const { name } = device;
      polling.add(name);
      void poll(device)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          polling.delete(name);
          proceed();
        });
    }
    if (polling.size > 0) {
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      proceed = resolve;
      await Promise.race([ended, sleep(dueCheckMs, undefined, { ref: false })]);
    }
    if (failures.length > 0) throw failures[0];
  } while (polling.size > 0 || (waiting.length > 0 && mayStart()));
  return waiting.length;
}

/** Based on the planned time, so that polls do not drift; jittered, so that devices are not polled in step. */
export function nextPollAt(now: number, planned: number, intervalMs = pollIntervalMs): number {
  return Math.round(Math.max(now + intervalMs / 2, planned + intervalMs) + Math.random() * jitterMs);
}
