// Resumes a suspended service: restores its device, then marks the service active. Its BMC users follow
// (reconcilers/bmc-access.ts).
import { appendEvent } from '#events/append.ts';
import { serviceSuspensionRemove } from '#store/devices/service-suspensions.ts';
import { serviceStatusSet } from '#store/devices/services.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import {
  lockStep,
  releaseServiceLock,
  restorePower,
  undoRestore,
  type Before,
  type ServiceDeps,
  type ServiceTarget,
} from './service-device.ts';
import { workflow } from '../engine/workflow.ts';

export interface ServiceResumeInput extends ServiceTarget {
  readonly before: Before;
}

export const serviceResume = workflow<ServiceDeps, ServiceResumeInput>('service-resume', 1)
  .step('lock', lockStep)
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
