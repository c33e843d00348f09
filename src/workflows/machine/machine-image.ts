// Makes an image of the account from a snapshot of a virtual machine, or from its current disk: then it takes a snapshot
// first, and removes it in the end.
import { appendEvent } from '#events/append.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { imageValue, machineImageChange } from '#store/devices/machine-images.ts';
import { snapshotName } from '#store/devices/machine-snapshots.ts';
import {
  machineLockStep,
  toStepResult,
  undoWithRetry,
  type MachineContext,
  type MachineDeps,
  type MachineTarget,
} from '../device-steps.ts';
import { done, workflow } from '../engine/workflow.ts';
import { copyDisk, copyLimit, useSnapshots } from './machine-copy.ts';

export interface MachineImageInput extends MachineTarget {
  readonly image: number;
  /** As the customer named it. */
  readonly label: string;
  /** Null for the current disk. */
  readonly snapshot: number | null;
}

export const machineImage = workflow<MachineDeps, MachineImageInput>('machine-image', 1)
  .step('lock', machineLockStep)
  .step('snapshot', {
    do: async (context, input) => {
      if (input.snapshot !== null) return done();
      return copyDisk(context, input, async (snapshots, limit) => {
        await snapshots.create(input.name, sourceName(input), limit);
      });
    },
    undo: (context, input) => undoWithRetry(context, input, () => removeOwnSnapshot(context, input)),
    limit: copyLimit,
  })
  .step('template', {
    do: (context, input) =>
      copyDisk(context, input, async (snapshots, limit) => {
        const sizeBytes = await snapshots.createTemplate(input.name, sourceName(input), imageValue(input.image), limit);
        return { sizeBytes: sizeBytes ?? null };
      }),
    undo: (context, input) =>
      undoWithRetry(context, input, async () => {
        await useSnapshots(context, input, (snapshots, limit) =>
          snapshots.removeTemplate(imageValue(input.image), limit),
        );
        return done();
      }),
    limit: copyLimit,
  })
  .step('discard', {
    do: (context, input) => toStepResult(context, () => removeOwnSnapshot(context, input)),
    undo: 'nothing',
  })
  .onEnd(async (queries, { workflow: holder, input, account, reason, ...ending }, deps) => {
    const { service, name, image, label } = input;
    await deviceLockRelease(queries, name, holder);
    const data = { imageid: String(image), name: label };
    if (ending.outcome !== 'Completed') {
      await machineImageChange(queries, image, { state: 'failed', reason });
      const failure = { type: 'machine.image.failed', data: { ...data, reason } } as const;
      return appendEvent(deps, queries, { account, service, ...failure });
    }
    await machineImageChange(queries, image, { state: 'ready', size_bytes: ending.saved.template.sizeBytes });
    return appendEvent(deps, queries, { account, service, type: 'machine.image.completed', data });
  });

function sourceName({ image, snapshot }: MachineImageInput): string {
  return snapshot === null ? `for-${imageValue(image)}` : snapshotName(snapshot);
}

async function removeOwnSnapshot(context: MachineContext, input: MachineImageInput) {
  if (input.snapshot === null)
    await useSnapshots(context, input, (snapshots, limit) => snapshots.remove(input.name, sourceName(input), limit));
  return done();
}
