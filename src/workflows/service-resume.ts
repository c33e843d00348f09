// Resuming a service that was suspended: what was switched off then comes back, and then the service is the customer's again.
//
// lock: one command at a time.   restore: what was on before.
import { eventAppend } from '#jobs/event-append.ts';
import { serviceSuspensionRemove } from '#store/devices/service-suspensions.ts';
import { serviceStatusSet } from '#store/devices/services.ts';
import {
  lockReleased,
  lockTaken,
  restored,
  restoreUndone,
  type Before,
  type ServiceDeps,
  type ServiceTarget,
} from './service-device.ts';
import { workflow } from './workflow.ts';

export interface ServiceResumeInput extends ServiceTarget {
  readonly before: Before;
}

export const serviceResume = workflow<ServiceDeps, ServiceResumeInput>('service-resume', 1)
  .step('lock', { do: lockTaken, undo: 'nothing' })
  .step('restore', {
    do: (context, input) => restored(context, input, input.before),
    undo: (context, input) => restoreUndone(context, input, input.before),
  })
  .whenEnded(async (queries, { workflow: holder, account, input, outcome }, deps) => {
    const target = input as ServiceResumeInput;
    const { service } = target;
    await lockReleased(queries, holder, target);
    if (outcome !== 'Completed') return;
    await serviceSuspensionRemove(queries, service);
    if (await serviceStatusSet(queries, account, service, { from: 'Suspended', to: 'Active' }))
      await eventAppend(deps, queries, { account, service, type: 'service.resumed', data: {} });
  });
