// Polls many devices concurrently, each with its own timeout, so that a slow one delays no other.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reconciler } from './reconciler.ts';

export const pollIntervalMs = 60_000;
const jitterMs = 2000;
const devicesPerRun = 200;
const concurrency = 40;
const dueCheckMs = 1000;
/** A run starts no poll after this, so that it ends well before its deadline. */
const startPollsForMs = 60_000;

export const pollTimeoutMs = 20_000;
const deadlineSeconds = 120;
const everySeconds = 5;

interface Polled {
  readonly name: string;
}

export function pollingReconciler<Device extends Polled>(
  name: string,
  listDue: (limit: number) => Promise<readonly Device[]>,
  poll: (device: Device, signal: AbortSignal) => Promise<void>,
): Reconciler {
  return {
    name,
    everySeconds,
    deadlineSeconds,
    run: async (signal) => ({ backlog: await pollDue(signal, listDue, (device) => poll(device, signal)) }),
  };
}

/** Polls while a device is due. Returns how many devices have to wait for the next run. */
async function pollDue<Device extends Polled>(
  signal: AbortSignal,
  listDue: (limit: number) => Promise<readonly Device[]>,
  poll: (device: Device) => Promise<void>,
): Promise<number> {
  const polling = new Map<string, Promise<void>>();
  const untilMs = performance.now() + startPollsForMs;
  let waiting = 0;
  do {
    const idle = (await listDue(devicesPerRun)).filter(({ name }) => !polling.has(name));
    const free = performance.now() < untilMs && !signal.aborted ? concurrency - polling.size : 0;
    waiting = Math.max(0, idle.length - free);
    for (const device of idle.slice(0, free)) {
      const { name } = device;
      polling.set(
        name,
        poll(device).finally(() => polling.delete(name)),
      );
    }
    if (polling.size > 0) await Promise.race([...polling.values(), sleep(dueCheckMs, undefined, { ref: false })]);
  } while (polling.size > 0);
  return waiting;
}

/** Based on the planned time, so that polls do not drift; jittered, so that devices are not polled in step. */
export function nextPollAt(now: number, planned: number, intervalMs = pollIntervalMs): number {
  return Math.round(Math.max(now + intervalMs / 2, planned + intervalMs) + Math.random() * jitterMs);
}
