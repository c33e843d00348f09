// Reclaims a server after its service ended, so that nothing of one customer reaches the next: powers it off, removes the former
// customer's access, erases the disks by network boot, and checks what is left. Nothing is restored if a step fails; the server is
// quarantined, and the steps that succeeded are not repeated when an engineer retries. See docs/explanation/handover.md.
import { appendEvent } from '#events/append.ts';
import { timeOrderedId } from '#queue/time-ordered-id.ts';
import type { Queue } from '#queue/queue.ts';
import type { Clock } from '#lib/clock.ts';
import type { AccountId } from '#store/account-id.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import {
  nextReclaimStep,
  reclaimFindings,
  reclaimInsert,
  reclaimLoad,
  reclaimUpdate,
  type Reclaim,
} from '#store/devices/reclaims.ts';
import { serverMove } from '#store/devices/servers.ts';
import type { Queries } from '#store/store.ts';
import { acquireDeviceLock, lockLimit, serverDevice } from '../device-steps.ts';
import { startWorkflow } from '../engine/runner.ts';
import { workflow, type Ending } from '../engine/workflow.ts';
import { compareInventory } from './reclaim-inventory.ts';
import {
  bootEraser,
  draftPassword,
  endErase,
  endSessions,
  eraseLimit,
  followErase,
  isolate,
  orderErase,
  reclaimStep,
  removeRecords,
  removeUsers,
  rotatePassword,
  stopEraser,
  stopErasing,
  unreachableLimit,
  type ReclaimDeps,
  type ReclaimInput,
} from './reclaim-steps.ts';

const lockWaitMs = 60_000;

interface StartParts {
  readonly queue: Queue;
  readonly clock: Clock;
}

/** Takes the server from the service that has ended, and starts to reclaim it. */
export async function startReclaim(
  deps: StartParts,
  queries: Queries,
  former: {
    readonly server: string;
    readonly account: AccountId;
    readonly service: number;
    readonly operation: string;
  },
): Promise<void> {
  const { server, account, service, operation } = former;
  if (!(await serverMove(queries, server, 'reclaiming'))) return;
  const started_at = deps.clock.now();
  const id = timeOrderedId(started_at);
  const workflow_id = await startReclaimWorkflow(
    deps,
    queries,
    { id, server, account_id: account, service_id: service },
    operation,
  );
  await reclaimInsert(queries, { id, server, account_id: account, service_id: service, workflow_id, started_at });
}

/** Continues a reclaim that ended in quarantine. Returns false if it is not there, or its server is still being powered off. */
export async function continueReclaim(
  deps: StartParts,
  queries: Queries,
  reclaim: Reclaim,
  operation: string,
): Promise<boolean> {
  if (!(await serverMove(queries, reclaim.server, 'reclaiming'))) return false;
  const workflow_id = await startReclaimWorkflow(deps, queries, reclaim, operation);
  await reclaimUpdate(queries, reclaim.id, { workflow_id, step: null, reason: '' });
  return true;
}

function startReclaimWorkflow(
  deps: StartParts,
  queries: Queries,
  {
    id,
    server,
    account_id: account,
    service_id: service,
  }: Pick<Reclaim, 'id' | 'server' | 'account_id' | 'service_id'>,
  operation: string,
): Promise<string> {
  const input = { server, purpose: 'the erasure of the server', reclaim: id };
  return startWorkflow(deps, queries, serverReclaim, { account, service, operation, input });
}

export const serverReclaim = workflow<ReclaimDeps, ReclaimInput>('server-reclaim', 1)
  .step('lock', {
    do: (context, input) => acquireDeviceLock(context, serverDevice(context, input), lockWaitMs),
    undo: 'nothing',
    limit: lockLimit(lockWaitMs),
  })
  .step('isolate', reclaimStep('isolate', isolate))
  .step('password', { do: draftPassword, undo: 'nothing' })
  .step('rotate', { do: rotatePassword, undo: 'nothing', limit: unreachableLimit })
  .step('users', reclaimStep('users', removeUsers))
  .step('sessions', reclaimStep('sessions', endSessions))
  .step('order', { do: orderErase, undo: stopErasing, limit: unreachableLimit })
  .step('boot', { do: bootEraser, undo: stopErasing, limit: unreachableLimit })
  .step('erase', reclaimStep('erase', followErase, eraseLimit))
  .step('stop', { do: stopEraser, undo: 'nothing', limit: unreachableLimit })
  .step('inventory', reclaimStep('inventory', compareInventory))
  .step('records', reclaimStep('records', removeRecords))
  .onRollback(quarantine)
  .onEnd(endReclaim);

/** Needs no BMC, which may be unreachable for long: from here on the server cannot be assigned. */
async function quarantine(
  queries: Queries,
  { input, reason }: Ending<ReclaimInput, object>,
  { clock }: ReclaimDeps,
): Promise<void> {
  const { findings, workflow_id } = (await reclaimLoad(queries, input.reclaim))!;
  await serverMove(queries, input.server, 'quarantined');
  const step = nextReclaimStep(reclaimFindings.decode(findings)) ?? 'records';
  await reclaimUpdate(queries, input.reclaim, { step, reason });
  await endErase(queries, workflow_id, 'Failed', clock.now());
}

async function endReclaim(
  queries: Queries,
  { workflow: holder, account, service, input, outcome }: Ending<ReclaimInput, object>,
  deps: ReclaimDeps,
): Promise<void> {
  await deviceLockRelease(queries, input.server, holder);
  if (outcome !== 'Completed') return;
  await reclaimUpdate(queries, input.reclaim, { ended_at: deps.clock.now() });
  await serverMove(queries, input.server, 'available');
  await deps.reclaims.issueCertificate(queries, (await reclaimLoad(queries, input.reclaim))!);
  await appendEvent(deps, queries, {
    account,
    ...(service === undefined ? {} : { service }),
    type: 'device.reclaimed',
    data: {},
  });
}
