// Powers a virtual machine off, or off and on again. Durable, so that a process that dies in between does not leave the
// machine off.
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import {
  machineLockStep,
  machineAskStep,
  machineDevice,
  machineOffStep,
  setPower,
  toStepResult,
  undoWithRetry,
  type MachineDeps,
  type MachineTarget,
} from '../device-steps.ts';
import { done, failed, workflow } from '../engine/workflow.ts';

export interface MachinePowerInput extends MachineTarget {
  /** `restart` requires the machine to be on; `cycle` also starts one that is off. */
  readonly action: 'off' | 'cycle' | 'restart';
  /** How long the operating system may take to shut down. */
  readonly graceMs: number;
}

export const machinePower = workflow<MachineDeps, MachinePowerInput>('machine-power', 1)
  .step('lock', machineLockStep)
  .step('look', {
    do: (context, input) =>
      toStepResult(context, async () => {
        const was = await machineDevice(context, input).state();
        const isRejected = input.action === 'restart' && was === 'off';
        return isRejected ? failed('state_conflict', 'The machine is off.') : done({ was });
      }),
    undo: 'nothing',
  })
  .step('ask', machineAskStep)
  .step('off', machineOffStep)
  .step('on', {
    do: (context, input) =>
      toStepResult(context, async () =>
        input.action === 'off' ? done() : setPower(machineDevice(context, input), 'on'),
      ),
    undo: (context, input, { look }) => {
      const device = machineDevice(context, input);
      return undoWithRetry(context, device, async () => (look?.was === 'off' ? setPower(device, 'off') : done()));
    },
  })
  .onEnd(async (queries, { workflow: holder, input }) => {
    await deviceLockRelease(queries, input.name, holder);
  });
