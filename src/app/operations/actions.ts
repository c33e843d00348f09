// An account's actions: its workflows as customers see them.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { Action, ActionStatus } from '#contract/shapes/action.ts';
import type { actionV2 } from '#contract/v2/action.ts';
import { ApiError, invalid, rejectWithIds, requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import { createAccountShares, type AccountShares } from '#queue/account-shares.ts';
import { waitForChange } from '#store/feed.ts';
import { workflowFind, workflowList, type WorkflowRecord } from '#store/work/workflows.ts';
import type { Store } from '#store/store.ts';
import type { WorkflowStatus } from '#store/work/tables.ts';
import type { Context } from '../app.ts';
import { isServiceVisible } from '../services/limits.ts';

/** Waiting calls per account and instance. */
const waitsPerAccount = 20;
const waits = new WeakMap<Store, AccountShares>();

/** A stuck workflow is the operator's concern; for the customer it is still running. */
const workflowStatuses: Record<ActionStatus, readonly WorkflowStatus[]> = {
  Queued: ['Queued'],
  Running: ['Running', 'Stuck'],
  Completed: ['Completed'],
  Failed: ['Failed'],
  Cancelled: ['Cancelled'],
};

export async function actionList(
  context: Context,
  { ids, wait, ...page }: InputOf<typeof actionV2.actionList>,
): Promise<Static<typeof Action>[]> {
  if (ids !== undefined) {
    rejectWithIds(page);
    return (await findWhenChanged(context, ids, wait ?? 0)).map(actionShape);
  }
  if (wait !== undefined) throw invalid({ wait: 'goes with ids' });
  const { service, status, before, limit = 100 } = page;
  const filter = { service, statuses: status && workflowStatuses[status], before, limit };
  const { queries, caller } = context;
  return (await workflowList(queries, caller.account, filter, caller.services)).map(actionShape);
}

export async function actionGet(context: Context, id: string, waitSeconds: number): Promise<Static<typeof Action>> {
  return actionShape((await findWhenChanged(context, [id], waitSeconds))[0]!);
}

/** Returns all of them, in the requested order, once one changes or the time is up. Ended workflows no longer change. */
async function findWhenChanged(
  context: Context,
  ids: readonly string[],
  waitSeconds: number,
): Promise<WorkflowRecord[]> {
  const initial = await findAll(context, ids);
  if (waitSeconds === 0 || initial.every(({ ended_at }) => ended_at !== null)) return initial;
  using _ = reserveWait(context);
  const end = AbortSignal.any([context.app.stopping, AbortSignal.timeout(waitSeconds * 1000)]);
  const changed = await waitForChange(context.app.workflowFeed, ids, end, async () => {
    const current = await findAll(context, ids);
    return current.some((record, index) => record.revision !== initial[index]!.revision) ? current : undefined;
  });
  return changed ?? initial;
}

/** Reserves one of the account's waiting calls until it is disposed. */
function reserveWait({ app, caller }: Context): Disposable {
  const shares = waits.get(app.store) ?? createAccountShares();
  waits.set(app.store, shares);
  const share = shares.enter(caller.account, waitsPerAccount);
  if (share === undefined)
    throw new ApiError('rate_limited', {
      message: `An account can have at most ${waitsPerAccount} waiting calls at a time.`,
      retryAfterSeconds: 1,
    });
  return share;
}

async function findAll({ queries, caller }: Context, ids: readonly string[]): Promise<WorkflowRecord[]> {
  const rows = await workflowFind(queries, caller.account, ids);
  const visible = rows.filter(({ service_id }) => isServiceVisible(caller.services, service_id));
  const records = new Map(visible.map((record) => [record.id, record]));
  return ids.map((id) => requireFound(records.get(id)));
}

export function actionShape(record: WorkflowRecord): Static<typeof Action> {
  return {
    id: record.id,
    operation: record.operation,
    service: record.service_id === null ? '' : String(record.service_id),
    status: record.status === 'Stuck' ? 'Running' : record.status,
    progress: String(record.progress),
    step: record.step,
    started: timeText(record.created_at),
    ended: optionalTimeText(record.ended_at),
    code: record.error_code ?? '',
    error: record.error_reason ?? '',
  };
}
