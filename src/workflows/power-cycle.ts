// Off, a while of nothing, on again: durable, so that a process that dies in between does not leave a server off.
//
// lock: one command at a time on a device.   look: what to go back to.   off, rest, on: the cycle itself.
import type { PowerState } from '#drivers/bmc/driver.ts';
import { Fault } from '#kernel/fault.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import {
  answered,
  lockKept,
  lockTaken,
  powerSet,
  within,
  type ServerDeps,
  type ServerTarget,
} from './server-command.ts';
import { done, wait, workflow, type StepContext, type StepResult } from './workflow.ts';

export type PowerCycleDeps = ServerDeps;
export interface PowerCycleInput extends ServerTarget {
  readonly offMs: number;
  /** When somebody wants to know whether the controller answers at all. */
  readonly answerBy: number;
}

const turnMs = 5000;
const undoAgainMs = 5000;

export const powerCycle = workflow<PowerCycleDeps, PowerCycleInput>('power-cycle', 1)
  .step('lock', {
    do: (context, input) => lockTaken(context, input, turnMs),
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
    do: (context, { server, answerBy }) => answered(() => powerSet(context, server, 'off', answerBy - context.now)),
    undo: (context, input, saved) => restored(context, input, saved.look?.was, 'on'),
  })
  .step('rest', {
    do: async ({ now, since }, { offMs }) => (now - since < offMs ? wait(since + offMs - now) : done()),
    undo: 'nothing',
  })
  .step('on', {
    do: (context, { server }) => answered(() => powerSet(context, server, 'on')),
    undo: (context, input, saved) => restored(context, input, saved.look?.was, 'off'),
  })
  .step('unlock', {
    async do({ deps, workflow: holder }, { server }) {
      await deviceLockRelease(deps.store.queries, server, holder);
      return done();
    },
    undo: 'nothing',
  });

/** Back to what it was, however long the controller takes to answer again. Where the lock lapsed and somebody else has it now,
 * what he wants counts. */
async function restored(
  context: StepContext<PowerCycleDeps>,
  input: PowerCycleInput,
  was: PowerState | undefined,
  restoring: PowerState,
): Promise<StepResult<undefined>> {
  if (was !== restoring || !(await lockKept(context, input))) return done();
  try {
    return await powerSet(context, input.server, restoring);
  } catch (error) {
    if (error instanceof Fault) return wait(undoAgainMs);
    throw error;
  }
}
