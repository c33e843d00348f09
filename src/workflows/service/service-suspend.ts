// Suspends a service: cancels the customer's work on its device (an ordered licence is still delivered), disables its BMC users
// and switches the device off, gently if possible. Remembers what was on, for when the service is resumed.
import { appendEvent } from '#events/append.ts';
import { serviceSuspensionPut } from '#store/devices/service-suspensions.ts';
import { serviceStatusSet } from '#store/devices/services.ts';
import { serviceLock } from '#store/operator/operator-services.ts';
import type { Queries } from '#store/store.ts';
import {
  askStep,
  cutStep,
  lookStep,
  releaseServiceLock,
  revokeStep,
  type SavedBefore,
  type ServiceDeps,
  type ServiceTarget,
} from './service-device.ts';
import { gentleTakeOverStep } from './service-terminate.ts';
import { workflow, type Ending } from '../engine/workflow.ts';

export interface ServiceSuspendInput extends ServiceTarget {
  readonly reason: string;
  readonly operator: string;
}

const suspend = (version: number) =>
  workflow<ServiceDeps, ServiceSuspendInput>('service-suspend', version)
    .step('lock', gentleTakeOverStep)
    .step('look', lookStep);

/** Does not disable BMC users: reconcilers/bmc-access.ts does when the service is suspended. */
export const serviceSuspendV1 = suspend(1).step('ask', askStep).step('cut', cutStep).onEnd(endSuspension);

export const serviceSuspend = suspend(2)
  // First, because a BMC user could power the server on again.
  .step('revoke', revokeStep)
  .step('ask', askStep)
  .step('cut', cutStep)
  .onEnd(endSuspension);

async function endSuspension(
  queries: Queries,
  { workflow: holder, account, input, ...ending }: Ending<ServiceSuspendInput, SavedBefore>,
  deps: ServiceDeps,
): Promise<void> {
  const { service, reason, operator } = input;
  await releaseServiceLock(queries, holder, input);
  if (ending.outcome !== 'Completed') return;
  // A payment at the same time must either see this suspension, or come before it.
  await serviceLock(queries, service);
  const before = JSON.stringify(ending.saved.look);
  await serviceSuspensionPut(queries, { service_id: service, reason, operator, since: deps.clock.now(), before });
  // It may be suspended for unpaid invoices already.
  await serviceStatusSet(queries, account, service, { from: 'Active', to: 'Suspended' });
  await appendEvent(deps, queries, { account, service, type: 'service.suspended', data: { reason } });
}
