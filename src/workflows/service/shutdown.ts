// Follows a device that was asked to shut down. Nothing is forced: an operating system that ignores the request leaves the
// device on, and the action says so.
import {
  deviceLimit,
  placedMachineDevice,
  retryWhileUnreachable,
  serverDevice,
  type MachineDeps,
  type MachineTarget,
  type ServerDeps,
  type ServerTarget,
} from '../device-steps.ts';
import { done, failed, wait, workflow } from '../engine/workflow.ts';

export type ShutdownDeps = MachineDeps & ServerDeps;
export interface ShutdownInput {
  readonly target: ServerTarget | MachineTarget;
  /** How long the operating system may take. */
  readonly limitMs: number;
}

const pollMs = 2000;
/** For the last look at a device that does not respond. */
const marginMs = 60_000;

export const shutdown = workflow<ShutdownDeps, ShutdownInput>('shutdown', 1).step('shutdown', {
  do: (context, { target, limitMs }) =>
    retryWhileUnreachable(context, limitMs, async () => {
      const device = 'server' in target ? serverDevice(context, target) : placedMachineDevice(context, target);
      if ((await device.state()) === 'off')
        return done(undefined, async (queries) => void (await device.recordPower(queries, 'off')));
      if (context.now - context.since < limitMs) return wait(pollMs);
      return failed('state_conflict', 'Still on: the operating system did not shut down. The power was not cut.');
    }),
  undo: 'nothing',
  isInterruptible: true,
  limit: deviceLimit(({ limitMs }) => limitMs + marginMs, 'bmc_unreachable'),
});
