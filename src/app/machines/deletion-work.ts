// What follows the deletion of a machine: it is powered off, and removed for good when it can no longer be restored.
import { ApiError } from '#lib/api-error.ts';
import { pauseWork } from '#lib/slices.ts';
import {
  machineDeletionFind,
  machineDeletionRemove,
  machineDeletionsDue,
  type MachineDeletion,
} from '#store/devices/machine-deletions.ts';
import type { Service } from '#store/devices/services.ts';
import { serviceLock } from '#store/operator/operator-services.ts';
import type { Queries } from '#store/store.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { machineDelete } from '#workflows/machine/machine-delete.ts';
import { serviceTerminate } from '#workflows/service/service-terminate.ts';
import type { App } from '../app.ts';
import { findBillingPause } from '../billing/pause.ts';
import { findTarget, startTermination } from '../operator/service-states.ts';

const operation = 'machine.deletion';
const deletionsPerRun = 200;

/** Returns the workflow. */
export async function startPowerOff(
  app: Pick<App, 'queue' | 'clock'>,
  queries: Queries,
  service: Service,
  startedBy: string,
): Promise<string> {
  const { id, account_id: account } = service;
  const input = await findTarget({ queries }, service, 'the deletion of the machine', 'power');
  return startWorkflow(app, queries, machineDelete, { account, service: id, operation: startedBy, input });
}

/** Starts what is due. Returns how many deletions could not be continued. */
export async function continueDeletions(app: App, signal: AbortSignal): Promise<number> {
  const { store, clock, log } = app;
  // Nothing is removed because the clock is wrong.
  const now = (await findBillingPause(app)) === undefined ? clock.now() : 0;
  const names = [machineDelete.name, serviceTerminate.name];
  let failures = 0;
  for (const deletion of await machineDeletionsDue(store.queries, now, names, deletionsPerRun)) {
    if (signal.aborted) break;
    try {
      await store.transaction((queries) => continueDeletion(app, queries, deletion, now));
    } catch (error) {
      failures++;
      if (!(error instanceof ApiError))
        log.warn({ err: error, service: deletion.service_id }, 'could not continue the deletion of a machine');
    }
    await pauseWork('outside a transaction');
  }
  return failures;
}

async function continueDeletion(
  app: App,
  queries: Queries,
  { service_id }: MachineDeletion,
  now: number,
): Promise<void> {
  const service = await serviceLock(queries, service_id);
  // The customer may have restored it since.
  const deletion = await machineDeletionFind(queries, service_id);
  if (service === undefined || deletion === undefined) return;
  if (service.status === 'Terminated') await machineDeletionRemove(queries, service_id);
  else if (deletion.expires_at <= now) await startTermination({ app, queries }, service, operation, 'power');
  else if (deletion.stopped_at === null) await startPowerOff(app, queries, service, operation);
}
