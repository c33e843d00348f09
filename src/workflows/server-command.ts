// What the workflows on dedicated servers share: the lock, commands to the controller, and going on until it answers.
import type { AppendParts } from '#jobs/event-append.ts';
import { serverSeen } from '#jobs/power-seen.ts';
import type { PowerState } from '#drivers/bmc/driver.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import { Fault } from '#kernel/fault.ts';
import { deviceLockFind, deviceLockTake } from '#store/devices/device-locks.ts';
import type { Store } from '#store/store.ts';
import { done, failed, wait, type StepContext, type StepResult } from './workflow.ts';

export interface ServerDeps extends AppendParts {
  readonly store: Store;
  readonly bmcs: Bmcs;
}
export type ServerContext = StepContext<ServerDeps>;

export interface ServerTarget {
  readonly server: string;
  /** What others are told while it runs. */
  readonly purpose: string;
}

const lockLookMs = 100;
const lockMs = 10 * 60_000;
const commandMs = 9000;
/** What a step is given after a crash, when nobody waits any more. */
const shortestMs = 3000;
const againMs = 2000;
const undoAgainMs = 5000;

/** True where it is ours, for another while. */
export function lockKept({ deps, workflow: holder, now }: ServerContext, target: ServerTarget): Promise<boolean> {
  const { server: device, purpose } = target;
  return deviceLockTake(deps.store.queries, { device, holder, purpose, held_until: now + lockMs }, now);
}

/** Waits a while for its turn. */
export async function lockTaken(
  context: ServerContext,
  target: ServerTarget,
  turnMs: number,
): Promise<StepResult<undefined>> {
  if (await lockKept(context, target)) return done();
  const { deps, now, since } = context;
  if (now - since < turnMs) return wait(lockLookMs);
  const held = await deviceLockFind(deps.store.queries, target.server, now);
  return failed('device_busy', `The device is busy: ${held?.purpose ?? 'another command'} is running.`);
}

export function within({ signal }: ServerContext, milliseconds: number = commandMs): AbortSignal {
  const limitMs = Math.min(commandMs, Math.max(shortestMs, milliseconds));
  return AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
}

export async function powerSet(
  context: ServerContext,
  server: string,
  state: PowerState,
  milliseconds: number = commandMs,
): Promise<StepResult<undefined>> {
  const { deps, now } = context;
  const limit = within(context, milliseconds);
  await deps.bmcs.use(server, (bmc) => bmc.power.set(state, limit));
  return done(undefined, async (queries) => {
    await serverSeen(deps, queries, server, { state, source: 'command', at: now });
  });
}

/** A controller that refuses or is silent fails the step, in words that a customer understands. */
export async function answered<T>(work: () => Promise<StepResult<T>>): Promise<StepResult<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) return failed(error.code, error.message);
    throw error;
  }
}

/** The same in the middle of longer work, which one that is silent for a while shall not bring to nothing. */
export async function patiently<T>(
  { now, since }: ServerContext,
  silentMs: number,
  work: () => Promise<StepResult<T>>,
): Promise<StepResult<T>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.status >= 500 && now - since < silentMs ? wait(againMs) : failed(error.code, error.message);
  }
}

/** However long the controller takes to answer again: a server is not left as nobody wanted it. Meanwhile it stays locked;
 * where the lock lapsed and somebody else has it now, he is waited for. */
export async function undone(
  context: ServerContext,
  target: ServerTarget,
  work: () => Promise<StepResult<undefined>>,
): Promise<StepResult<undefined>> {
  if (!(await lockKept(context, target))) return wait(undoAgainMs);
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) return wait(undoAgainMs);
    throw error;
  }
}
