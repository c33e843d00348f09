// Resumes a suspended service: restores its device, then marks the service active. Its BMC users follow
// (reconcilers/bmc-access.ts).
import { isDeepStrictEqual } from 'node:util';
import { appendEvent } from '#events/append.ts';
import { serviceSuspensionRemove } from '#store/devices/service-suspensions.ts';
import { serviceStatusSet } from '#store/devices/services.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import {
  nothingBefore,
  releaseServiceLock,
  restorePower,
  undoRestore,
  type Before,
  type ServiceDeps,
  type ServiceTarget,
} from './service-device.ts';
import { gentleTakeOverStep } from './service-terminate.ts';
import { done, workflow } from '../engine/workflow.ts';

export interface ServiceResumeInput extends ServiceTarget {
  readonly before: Before;
}

export const serviceResume = workflow<ServiceDeps, ServiceResumeInput>('service-resume', 1)
  .step('lock', {
    ...gentleTakeOverStep,
    // If nothing was cut off, the device is left to what runs on it.
    do: async (context, input) =>
      isDeepStrictEqual(input.before, nothingBefore) ? done() : gentleTakeOverStep.do(context, input),
  })
  .step('restore', {
    do: (context, input) => restorePower(context, input, input.before),
    undo: (context, input) => undoRestore(context, input, input.before),
  })
  .onEnd(async (queries, { workflow: holder, account, input, outcome }, deps) => {
    const { service } = input;
    await releaseServiceLock(queries, holder, input);
    if (outcome !== 'Completed') return;
    await serviceSuspensionRemove(queries, service);
    await reconcilerSignal(queries, 'bmc-access');
    if (await serviceStatusSet(queries, account, service, { from: 'Suspended', to: 'Active' }))
      await appendEvent(deps, queries, { account, service, type: 'service.resumed', data: {} });
  });
