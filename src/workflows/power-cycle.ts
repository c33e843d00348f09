// Off, a while of nothing, on again: durable, so that a process that dies in between does not leave a server off.
//
// lock: one command at a time on a device.   look: what to go back to.   off, rest, on: the cycle itself.
import { eventAppend, type AppendParts } from '#jobs/event-append.ts';
import type { PowerState } from '#drivers/bmc/driver.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import { recordPower } from '#equipment/power-record.ts';
import { Fault } from '#kernel/fault.ts';
import { deviceLockFind, deviceLockRelease, deviceLockTake } from '#store/device-locks.ts';
import type { Store } from '#store/store.ts';
import { done, failed, wait, workflow, type StepContext, type StepResult } from './workflow.ts';

export interface PowerCycleDeps extends AppendParts {
  readonly store: Store;
  readonly bmcs: Bmcs;
}
export interface PowerCycleInput {
  readonly server: string;
  readonly offMs: number;
  /** What others are told while it runs. */
  readonly purpose: string;
  /** When somebody wants to know whether the controller answers at all. */
  readonly answerBy: number;
}

const turnMs = 5000;
const lockLookMs = 100;
const lockMs = 10 * 60_000;
const commandMs = 9000;
/** What a step is given after a crash, when nobody waits any more. */
const shortestMs = 3000;
const undoAgainMs = 5000;

type Context = StepContext<PowerCycleDeps>;

export const powerCycle = workflow<PowerCycleDeps, PowerCycleInput>('power-cycle', 1)
  .step('lock', {
    async do({ deps, workflow: holder, now, since }, { server, purpose }) {
      const { queries } = deps.store;
      if (await deviceLockTake(queries, { device: server, holder, purpose, held_until: now + lockMs }, now))
        return done();
      if (now - since < turnMs) return wait(lockLookMs);
      const held = await deviceLockFind(queries, server, now);
      return failed('device_busy', `The device is busy: ${held?.purpose ?? 'another command'} is running.`);
    },
    async undo({ deps, workflow: holder }, { server }) {
      await deviceLockRelease(deps.store.queries, server, holder);
      return done();
    },
  })
  .step('look', {
    do: (context, { server, answerBy }) =>
      answered(async () => {
        const limit = within(context, answerBy - context.now);
        return done({ was: await context.deps.bmcs.use(server, (bmc) => bmc.power.state(limit)) });
      }),
    undo: 'nothing',
  })
  .step('off', {
    do: (context, { server, answerBy }) => answered(() => set(context, server, 'off', answerBy - context.now)),
    undo: (context, input, saved) => restored(context, input, saved.look?.was, 'on'),
  })
  .step('rest', {
    do: async ({ now, since }, { offMs }) => (now - since < offMs ? wait(since + offMs - now) : done()),
    undo: 'nothing',
  })
  .step('on', {
    do: (context, { server }) => answered(() => set(context, server, 'on', commandMs)),
    undo: (context, input, saved) => restored(context, input, saved.look?.was, 'off'),
  })
  .step('unlock', {
    async do({ deps, workflow: holder }, { server }) {
      await deviceLockRelease(deps.store.queries, server, holder);
      return done();
    },
    undo: 'nothing',
  });

function within({ signal }: Context, milliseconds: number): AbortSignal {
  const limitMs = Math.min(commandMs, Math.max(shortestMs, milliseconds));
  return AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
}

async function set(
  context: Context,
  server: string,
  state: PowerState,
  milliseconds: number,
): Promise<StepResult<undefined>> {
  const { deps, now } = context;
  const limit = within(context, milliseconds);
  await deps.bmcs.use(server, (bmc) => bmc.power.set(state, limit));
  return done(undefined, async (queries) => {
    const change = await recordPower(queries, server, { state, source: 'command', at: now });
    if (change === undefined) return;
    const { account_id: account, id: service } = change.service;
    await eventAppend(deps, queries, {
      account,
      service,
      type: 'device.power.changed',
      data: { state, source: 'command' },
    });
  });
}

/** Back to what it was, however long the controller takes to answer again: a server is not left as nobody wanted it. Meanwhile
 * it stays locked; where the lock lapsed and somebody else has it now, what he wants counts. */
async function restored(
  context: Context,
  { server, purpose }: PowerCycleInput,
  was: PowerState | undefined,
  restoring: PowerState,
): Promise<StepResult<undefined>> {
  if (was !== restoring) return done();
  const { deps, workflow: holder, now } = context;
  const lock = { device: server, holder, purpose, held_until: now + lockMs };
  if (!(await deviceLockTake(deps.store.queries, lock, now))) return done();
  try {
    return await set(context, server, restoring, commandMs);
  } catch (error) {
    if (error instanceof Fault) return wait(undoAgainMs);
    throw error;
  }
}

/** A controller that refuses or is silent fails the step, in words that a customer understands. */
async function answered<T>(work: () => Promise<StepResult<T>>): Promise<StepResult<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) return failed(error.code, error.message);
    throw error;
  }
}
