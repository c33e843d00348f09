// Suspends a service: switches its device off, gently if possible, and remembers what was on for when it is resumed.
import { appendEvent } from '#events/append.ts';
import { serviceSuspensionPut } from '#store/devices/service-suspensions.ts';
import { serviceStatusSet } from '#store/devices/services.ts';
import {
  askStep,
  cutStep,
  lockStep,
  lookStep,
  releaseServiceLock,
  type ServiceDeps,
  type ServiceTarget,
} from './service-device.ts';
import { workflow } from '../engine/workflow.ts';

export interface ServiceSuspendInput extends ServiceTarget {
  readonly reason: string;
  readonly operator: string;
}

export const serviceSuspend = workflow<ServiceDeps, ServiceSuspendInput>('service-suspend', 1)
  .step('lock', lockStep)
  .step('look', lookStep)
  .step('ask', askStep)
  .step('cut', cutStep)
  .onEnd(async (queries, { workflow: holder, account, input, ...ending }, deps) => {
    const { service, reason, operator } = input;
    await releaseServiceLock(queries, holder, input);
    if (ending.outcome !== 'Completed') return;
    const before = JSON.stringify(ending.saved.look);
    await serviceSuspensionPut(queries, { service_id: service, reason, operator, since: deps.clock.now(), before });
    if (await serviceStatusSet(queries, account, service, { from: 'Active', to: 'Suspended' }))
      await appendEvent(deps, queries, { account, service, type: 'service.suspended', data: {} });
  });
