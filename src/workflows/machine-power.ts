// Switching a virtual machine off, or off and on again: its operating system is asked first and forced after a while.
// Durable, so that a process that dies in between does not leave a machine off that should be on.
//
// lock: one command at a time.   look: what to go back to.   ask, off: gracefully, then hard.   on: unless it is to stay off.
import type { ErrorCode } from '#contract/errors.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import {
  answered,
  lockTaken,
  machineBefore,
  powerSet,
  shutdownAsked,
  switchedOff,
  switchedOnAgain,
  undone,
  type MachineDeps,
  type MachineTarget,
} from './machine-command.ts';
import { done, failed, workflow } from './workflow.ts';

export interface MachinePowerInput extends MachineTarget {
  /** `restart` is for what is on; `cycle` ends with the power on, also from off. */
  readonly action: 'off' | 'cycle' | 'restart';
  /** How long its operating system may take to shut down. */
  readonly graceMs: number;
}

const offAlready: readonly [ErrorCode, string] = ['state_conflict', 'The machine is off.'];

export const machinePower = workflow<MachineDeps, MachinePowerInput>('machine-power', 1)
  .step('lock', { do: (context, input) => lockTaken(context, input), undo: 'nothing' })
  .step('look', {
    do: (context, input) =>
      answered(async () => {
        const looked = await machineBefore(context, input);
        if (looked.kind !== 'done' || input.action !== 'restart' || looked.output.was === 'on') return looked;
        return failed(...offAlready);
      }),
    undo: 'nothing',
  })
  .step('ask', {
    do: (context, input, { look }) => answered(() => shutdownAsked(context, input, look.was)),
    undo: (context, input, { look }) => switchedOnAgain(context, input, look?.was, input.graceMs),
  })
  .step('off', {
    do: (context, input) => answered(() => switchedOff(context, input, input.graceMs)),
    undo: 'nothing',
  })
  .step('on', {
    do: (context, input) => answered(async () => (input.action === 'off' ? done() : powerSet(context, input, 'on'))),
    undo: (context, input, { look }) =>
      undone(context, input, async () => (look?.was === 'off' ? powerSet(context, input, 'off') : done())),
  })
  .whenEnded(async (queries, { workflow: holder, input }) => {
    await deviceLockRelease(queries, (input as MachinePowerInput).name, holder);
  });
