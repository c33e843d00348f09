// Powers a machine off that its customer has deleted, whatever work is in progress on it. The deletion itself took effect when it was
// accepted: if this fails, reconcilers/machine-deletions.ts starts it again.
import { machineDeletionStopped } from '#store/devices/machine-deletions.ts';
import { workflow } from '../engine/workflow.ts';
import {
  askStep,
  cutStep,
  lookStep,
  releaseServiceLock,
  type ServiceDeps,
  type ServiceTarget,
} from '../service/service-device.ts';
import { gentleTakeOverStep } from '../service/service-terminate.ts';

export const machineDelete = workflow<ServiceDeps, ServiceTarget>('machine-delete', 1)
  .step('lock', gentleTakeOverStep)
  .step('look', lookStep)
  .step('ask', askStep)
  .step('cut', cutStep)
  .onEnd(async (queries, { workflow: holder, input, outcome }, { clock }) => {
    await releaseServiceLock(queries, holder, input);
    if (outcome === 'Completed') await machineDeletionStopped(queries, input.service, clock.now());
  });
