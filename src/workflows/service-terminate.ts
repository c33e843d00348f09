// Terminating a service. What can be undone comes first; what cannot (billing ends, addresses are given back, the server is
// free) is written in the one transaction of the end, and the machine itself is removed after it (reconcilers/machine-tidy.ts).
//
// lock: one command at a time.   look, ask, cut: off, and on again where it does not come to the end.
import { eventAppend } from '#jobs/event-append.ts';
import { dayOf } from '#kernel/moments.ts';
import { machineChange } from '#store/devices/machines.ts';
import { holdingEnd } from '#store/network/netblock-holdings.ts';
import { netblockList, netblockRemove } from '#store/network/netblocks.ts';
import { serviceTerminate as serviceEnd } from '#store/operator/operator-services.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { serviceSuspensionRemove } from '#store/devices/service-suspensions.ts';
import { termEnd, termsOfService } from '#store/billing/service-terms.ts';
import type { Queries } from '#store/store.ts';
import { portsFollowServer } from '#store/network/switches.ts';
import type { AccountId } from '#store/tables.ts';
import {
  askStep,
  cutStep,
  lockReleased,
  lockTaken,
  lookedAt,
  type ServiceDeps,
  type ServiceTarget,
} from './service-device.ts';
import { workflow } from './workflow.ts';

export const serviceTerminate = workflow<ServiceDeps, ServiceTarget>('service-terminate', 1)
  .step('lock', { do: lockTaken, undo: 'nothing' })
  .step('look', { do: lookedAt, undo: 'nothing' })
  .step('ask', askStep)
  .step('cut', cutStep)
  .whenEnded(async (queries, { workflow: holder, account, input, outcome }, deps) => {
    const target = input as ServiceTarget;
    const { service, server } = target;
    await lockReleased(queries, holder, target);
    if (outcome !== 'Completed' || !(await serviceEnd(queries, service))) return;
    const now = deps.clock.now();
    await billingEnd(queries, account, service, dayOf(now));
    await addressesRelease(queries, account, service, now);
    await serviceSuspensionRemove(queries, service);
    if (server !== null) await portsFollowServer(queries, server, null);
    await machineChange(queries, service, { untidy: 2 });
    await reconcilerSignal(queries, 'machine-tidy');
    await eventAppend(deps, queries, { account, service, type: 'service.terminated', data: {} });
  });

/** From today on; what was billed ahead is settled with the next bill. */
async function billingEnd(queries: Queries, account: AccountId, service: number, today: number): Promise<void> {
  const last = (await termsOfService(queries, account, service)).at(-1);
  if (last === undefined) return;
  const until = Math.max(today, last.from_day);
  if (last.until_day === null || last.until_day > until) await termEnd(queries, account, last.id, until);
}

async function addressesRelease(queries: Queries, account: AccountId, service: number, now: number): Promise<void> {
  for (const { id, cidr } of await netblockList(queries, account, service)) {
    await holdingEnd(queries, cidr, now);
    await netblockRemove(queries, id);
  }
}
