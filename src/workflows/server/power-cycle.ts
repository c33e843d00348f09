// Powers a server off and on again. Durable, so that a process that dies in between does not leave the server off.
import type { PowerState } from '#drivers/bmc/driver.ts';
import { lockWaitMs } from '#equipment/device-command.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import {
  acquireDeviceLock,
  deviceLimit,
  extendDeviceLock,
  lockLimit,
  serverDevice,
  setPower,
  toStepResult,
  undoWithRetry,
  type ServerContext,
  type ServerDeps,
  type ServerTarget,
} from '../device-steps.ts';
import { done, wait, workflow, type StepResult } from '../engine/workflow.ts';

export type PowerCycleDeps = ServerDeps;
export interface PowerCycleInput extends ServerTarget {
  readonly offMs: number;
  /** When the API caller must know whether the BMC responds. */
  readonly answerBy: number;
}

export const powerCycle = workflow<PowerCycleDeps, PowerCycleInput>('power-cycle', 1)
  .step('lock', {
    do: (context, { server, purpose }) => acquireDeviceLock(context, { name: server, purpose }),
    undo: releaseLock,
    limit: lockLimit(lockWaitMs),
  })
  .step('look', {
    do: (context, input) =>
      toStepResult(context, async () => done({ was: await callerDevice(context, input).state() })),
    undo: 'nothing',
  })
  .step('off', {
    do: (context, input) => toStepResult(context, () => setPower(callerDevice(context, input), 'off')),
    undo: (context, input, { look }) => restorePower(context, input, look?.was, 'on'),
  })
  .step('rest', {
    do: async ({ now, since }, { offMs }) => (now - since < offMs ? wait(since + offMs - now) : done()),
    undo: 'nothing',
    limit: deviceLimit(({ offMs }) => offMs, 'bmc_unreachable'),
  })
  .step('on', {
    do: (context, input) => toStepResult(context, () => setPower(serverDevice(context, input), 'on')),
    undo: (context, input, { look }) => restorePower(context, input, look?.was, 'off'),
  })
  .step('unlock', { do: releaseLock, undo: 'nothing' });

/** Limits commands to the time that the API caller has left. */
function callerDevice(context: ServerContext, input: PowerCycleInput) {
  return serverDevice(context, input, input.answerBy - context.now);
}

async function releaseLock({ deps, workflow: holder }: ServerContext, { server }: PowerCycleInput) {
  await deviceLockRelease(deps.store.queries, server, holder);
  return done();
}

/** Restores the earlier state. If the lock has expired and another command holds it, that command decides. */
async function restorePower(
  context: ServerContext,
  input: PowerCycleInput,
  was: PowerState | undefined,
  state: PowerState,
): Promise<StepResult<undefined>> {
  const device = serverDevice(context, input);
  if (was !== state || !(await extendDeviceLock(context, device))) return done();
  return undoWithRetry(context, undefined, () => setPower(device, state));
}
