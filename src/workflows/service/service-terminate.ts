// Terminates a service, whatever work is in progress on it. The device is turned off first, which can be undone. What cannot
// (the end of billing, released addresses) is written in the final transaction. What follows is durable too: a server is
// reclaimed (server/reclaim.ts), a virtual machine is removed (reconcilers/machine-tidy.ts), and a job removes reverse DNS
// names and the like.
import { routesReconciler } from '#equipment/router.ts';
import { appendEvent } from '#events/append.ts';
import type { JobKind, Queue } from '#queue/queue.ts';
import { consoleTicketsRemoveOf } from '#store/devices/console-tickets.ts';
import { machineDeletionRemove } from '#store/devices/machine-deletions.ts';
import { machineChange } from '#store/devices/machines.ts';
import { vncSessionsRemoveOf } from '#store/devices/vnc-sessions.ts';
import { holdingEnd } from '#store/network/netblock-holdings.ts';
import { netblockList, netblockRemove } from '#store/network/netblocks.ts';
import { serviceTerminate as endService } from '#store/operator/operator-services.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { serviceSuspensionRemove } from '#store/devices/service-suspensions.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { termEndNow, termsOfService } from '#store/billing/service-terms.ts';
import type { Queries } from '#store/store.ts';
import { portsRelease } from '#store/network/switches.ts';
import {
  askStep,
  cutStep,
  lookStep,
  releaseServiceLock,
  takeOverStep,
  type ServiceDeps,
  type ServiceTarget,
} from './service-device.ts';
import { licenceOrder } from '../billing/licence-order.ts';
import { workflow } from '../engine/workflow.ts';
import { startReclaim } from '../server/reclaim.ts';
import type { AccountId } from '#store/account-id.ts';

/** Removes what a terminated service left in DNS, on routers and in queues. */
export const serviceTraces: JobKind<{ account: number; service: number }> = {
  name: 'service-traces',
  deadlineSeconds: 60,
  retries: 20,
  firstRetrySeconds: 2,
  maxRetrySeconds: 600,
  concurrency: 2,
};

export interface TerminateDeps extends ServiceDeps {
  readonly queue: Queue;
}

export const serviceTerminate = workflow<TerminateDeps, ServiceTarget>('service-terminate', 1)
  .step('lock', takeOverStep())
  .step('look', lookStep)
  .step('ask', askStep)
  .step('cut', cutStep)
  .onEnd(async (queries, { workflow: holder, account, input, outcome }, deps) => {
    const { service, server } = input;
    await releaseServiceLock(queries, holder, input);
    if (outcome !== 'Completed' || !(await endService(queries, service))) return;
    const now = deps.clock.now();
    const wasDeleted = await machineDeletionRemove(queries, service);
    await endBilling(queries, account, service, { now, wasDeleted });
    await releaseAddresses(queries, account, service, now);
    await portsRelease(queries, service, now);
    await serviceSuspensionRemove(queries, service);
    await consoleTicketsRemoveOf(queries, service);
    await vncSessionsRemoveOf(queries, service);
    if (server !== null)
      await startReclaim(deps, queries, { server, account, service, operation: 'operator.serviceTerminate' });
    await deps.queue.enqueue(queries, serviceTraces, { account, service });
    await machineChange(queries, service, { untidy: 2 });
    await reconcilerSignal(queries, 'machine-tidy');
    await appendEvent(deps, queries, { account, service, type: 'service.terminated', data: {} });
  });

/** The first step of what gives way to a termination. An ordered licence is still delivered. */
export const gentleTakeOverStep = takeOverStep([licenceOrder.name, serviceTerminate.name]);

/**
 * Ends billing today; the next invoice settles what was billed in advance. The billing of a deleted machine keeps its end, which may
 * be after the minimum term, unless the service got other terms since.
 */
async function endBilling(
  queries: Queries,
  account: AccountId,
  service: number,
  { now, wasDeleted }: { readonly now: number; readonly wasDeleted: boolean },
): Promise<void> {
  // A change of the price at the same time could add a term that nobody ends.
  await billingAccountLock(queries, account);
  const last = (await termsOfService(queries, account, service)).at(-1);
  if (last === undefined || (wasDeleted && last.until_day !== null)) return;
  await termEndNow(queries, account, last, now);
}

async function releaseAddresses(queries: Queries, account: AccountId, service: number, now: number): Promise<void> {
  for (const { id, cidr } of await netblockList(queries, account, service)) {
    await holdingEnd(queries, cidr, now);
    await netblockRemove(queries, id);
  }
  await reconcilerSignal(queries, routesReconciler);
}
