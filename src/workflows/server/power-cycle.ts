// Powers a server off and on again. Durable, so that a process that dies in between does not leave the server off.
import type { PowerState } from '#drivers/bmc/driver.ts';
import { isUnreachable, lockWaitMs } from '#equipment/device-command.ts';
import { appendEvent } from '#events/append.ts';
import { recordServerPower } from '#events/power-observations.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { reloadLoad, reloadMove } from '#store/devices/reloads.ts';
import type { Queries } from '#store/store.ts';
import {
  acquireDeviceLock,
  bmcTimeout,
  deviceLimit,
  extendDeviceLock,
  lockLimit,
  retryUnderLock,
  serverDevice,
  setPower,
  toStepResult,
  undoWithRetry,
  type ServerContext,
  type ServerDeps,
  type ServerTarget,
  type StepDevice,
} from '../device-steps.ts';
import { done, wait, workflow, type StepResult } from '../engine/workflow.ts';

/** Without mains before, a BMC takes longer to start than after a restart. */
const coldStartFactor = 2.5;
/** The step itself waits as long as the model of the BMC needs. */
const longestStartMs = 3 * 3_600_000;
/** After this time without mains, the BMC has lost its power too, and starts anew. */
const drainMs = 10_000;

export interface PowerCycleInput extends ServerTarget {
  readonly offMs: number;
  /** When the API caller must know whether the BMC responds. */
  readonly answerBy: number;
  /** The id of the rescue system that it ends, in `reloads`. */
  readonly rescue?: string;
}

export const powerCycle = workflow<ServerDeps, PowerCycleInput>('power-cycle', 1)
  .step('lock', {
    do: (context, { server, purpose }) => acquireDeviceLock(context, { name: server, purpose }),
    undo: 'nothing',
    limit: lockLimit(lockWaitMs),
  })
  .step('look', {
    do: (context, input) => toStepResult(context, async () => done(await readPower(context, input))),
    undo: 'nothing',
  })
  .step('off', {
    do: (context, input) =>
      toStepResult(context, () => setPower(poweredDevice(context, input, callerTime(context, input)), 'off')),
    undo: (context, input, { look }) => restorePower(context, input, look, 'on'),
  })
  .step('rest', {
    do: async ({ now, since }, { offMs }, { look }) => {
      const restMs = look.isSilent === true ? Math.max(offMs, drainMs) : offMs;
      return now - since < restMs ? wait(since + restMs - now) : done();
    },
    undo: 'nothing',
    limit: deviceLimit(({ offMs }) => Math.max(offMs, drainMs), 'bmc_unreachable'),
  })
  .step('on', {
    // After its outlets were off, the BMC starts first.
    do: async (context, input, { look }) => {
      const { restartMs } = await context.deps.bmcs.waits(input.server);
      const device = poweredDevice(context, input);
      return retryUnderLock(context, device, look.isSilent === true ? coldStartFactor * restartMs : 0, () =>
        setPower(device, 'on'),
      );
    },
    undo: (context, input, { look }) => restorePower(context, input, look, 'off'),
    limit: deviceLimit(longestStartMs, 'bmc_unreachable'),
  })
  .onEnd(async (queries, { workflow: holder, input, outcome }, deps) => {
    await deviceLockRelease(queries, input.server, holder);
    if (outcome === 'Completed' && input.rescue !== undefined) await endRescue(queries, input.rescue, deps);
  });

interface Look {
  readonly was: PowerState;
  /** The BMC does not respond, and the outlets of the server are used: what they supplied is all that can be restored. */
  readonly isSilent?: boolean;
}

async function readPower(context: ServerContext, input: PowerCycleInput): Promise<Look> {
  const { bmcs } = context.deps;
  const signal = bmcTimeout(context, await bmcs.waits(input.server), callerTime(context, input));
  try {
    return { was: await bmcs.powerState(input.server, signal) };
  } catch (error) {
    if (isUnreachable(error) && (await bmcs.canUseOutlets(input.server, signal))) return { was: 'on', isSilent: true };
    throw error;
  }
}

/** The time that the API caller has left. */
function callerTime({ now }: ServerContext, { answerBy }: PowerCycleInput): number {
  return answerBy - now;
}

/** Uses the outlets of the server if its BMC does not respond. */
function poweredDevice(context: ServerContext, input: PowerCycleInput, remainingMs?: number): StepDevice {
  const { deps, now } = context;
  const { server } = input;
  let source: 'command' | 'outlets' = 'command';
  return {
    ...serverDevice(context, input, remainingMs),
    set: async (state) => {
      const limit = bmcTimeout(context, await deps.bmcs.waits(server), remainingMs);
      source = (await deps.bmcs.setPower(server, state, limit)) === 'outlets' ? 'outlets' : 'command';
    },
    recordPower: (queries, state) => recordServerPower(deps, queries, server, { state, source, at: now }),
  };
}

async function endRescue(queries: Queries, id: string, deps: ServerDeps): Promise<void> {
  if (!(await reloadMove(queries, id, 'Completed', { ended_at: deps.clock.now() }))) return;
  const { account_id: account, service_id: service } = (await reloadLoad(queries, id))!;
  await appendEvent(deps, queries, { account, service, type: 'device.rescue.ended', data: {} });
}

/** Restores the earlier state. If the lock has expired and another command holds it, that command decides. */
async function restorePower(
  context: ServerContext,
  input: PowerCycleInput,
  before: Look | undefined,
  state: PowerState,
): Promise<StepResult<undefined>> {
  const device = serverDevice(context, input);
  if (before?.was !== state || !(await extendDeviceLock(context, device))) return done();
  return undoWithRetry(context, undefined, async () => {
    if (before.isSilent !== true) return setPower(device, state);
    const { bmcs } = context.deps;
    await bmcs.restoreOutlets(input.server, bmcTimeout(context, await bmcs.waits(input.server)));
    return done();
  });
}
