// Suspending a service: its device is cut off, gently where it can be, and what was on is remembered for when it is resumed.
//
// lock: one command at a time.   look: what was on.   ask, cut: a machine may shut down by itself first.
import { eventAppend } from '#jobs/event-append.ts';
import { serviceSuspensionPut } from '#store/devices/service-suspensions.ts';
import { serviceStatusSet } from '#store/devices/services.ts';
import {
  askStep,
  cutStep,
  lockReleased,
  lockTaken,
  lookedAt,
  type Before,
  type ServiceDeps,
  type ServiceTarget,
} from './service-device.ts';
import { workflow } from './workflow.ts';

export interface ServiceSuspendInput extends ServiceTarget {
  readonly reason: string;
  readonly operator: string;
}

export const serviceSuspend = workflow<ServiceDeps, ServiceSuspendInput>('service-suspend', 1)
  .step('lock', { do: lockTaken, undo: 'nothing' })
  .step('look', { do: lookedAt, undo: 'nothing' })
  .step('ask', askStep)
  .step('cut', cutStep)
  .whenEnded(async (queries, { workflow: holder, account, input, outputs, outcome }, deps) => {
    const { service, reason, operator, ...target } = input as ServiceSuspendInput;
    await lockReleased(queries, holder, { service, ...target });
    if (outcome !== 'Completed') return;
    const before = JSON.stringify(outputs['look'] as Before);
    await serviceSuspensionPut(queries, { service_id: service, reason, operator, since: deps.clock.now(), before });
    if (await serviceStatusSet(queries, account, service, { from: 'Active', to: 'Suspended' }))
      await eventAppend(deps, queries, { account, service, type: 'service.suspended', data: {} });
  });
