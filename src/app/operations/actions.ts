// An account's actions: its workflows as customers see them.
import type { Static } from 'typebox';
import type { Action, ActionStatus } from '#contract/shapes/action.ts';
import { ApiError, invalid } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import { workflowFind, workflowList, type WorkflowRecord } from '#store/work/workflows.ts';
import type { Store } from '#store/store.ts';
import type { WorkflowStatus } from '#store/work/tables.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Context } from '../app.ts';
import { waitForWorkflows } from './workflow-wait.ts';

/** Waiting calls per account and instance. */
const waitsPerAccount = 20;
const waits = new WeakMap<Store, Map<AccountId, number>>();

/** A stuck workflow is the operator's concern; for the customer it is still running. */
const workflowStatuses: Record<ActionStatus, readonly WorkflowStatus[]> = {
  Queued: ['Queued'],
  Running: ['Running', 'Stuck'],
  Completed: ['Completed'],
  Failed: ['Failed'],
  Cancelled: ['Cancelled'],
};

export interface ActionFilter {
  readonly ids?: readonly string[];
  readonly service?: number;
  readonly status?: ActionStatus;
  readonly limit?: number;
  readonly before?: string;
  readonly wait?: number;
}

export async function actionList(context: Context, filter: ActionFilter): Promise<Static<typeof Action>[]> {
  const { ids, wait, ...page } = filter;
  if (ids !== undefined) {
    const contrary = Object.keys(page).map((name) => [name, 'does not go with ids']);
    if (contrary.length > 0) throw invalid(Object.fromEntries(contrary) as Record<string, string>);
    return (await whenChanged(context, ids, wait ?? 0)).map(actionShape);
  }
  if (wait !== undefined) throw invalid({ wait: 'goes with ids' });
  const { service, status, before, limit = 100 } = page;
  const statuses = status && workflowStatuses[status];
  return (await workflowList(context.queries, context.caller.account, { service, statuses, before, limit })).map(
    actionShape,
  );
}

export async function actionGet(context: Context, id: string, waitSeconds: number): Promise<Static<typeof Action>> {
  return actionShape((await whenChanged(context, [id], waitSeconds))[0]!);
}

/** Returns all of them, in the requested order, once one changes or the time is up. Ended workflows no longer change. */
async function whenChanged(context: Context, ids: readonly string[], waitSeconds: number): Promise<WorkflowRecord[]> {
  const first = await findAll(context, ids);
  if (waitSeconds === 0 || first.every(({ ended_at }) => ended_at !== null)) return first;
  using _ = reserveWait(context);
  const end = AbortSignal.any([context.app.stopping, AbortSignal.timeout(waitSeconds * 1000)]);
  const changed = await waitForWorkflows(context.app, ids, end, async () => {
    const now = await findAll(context, ids);
    return now.some((record, index) => record.revision !== first[index]!.revision) ? now : undefined;
  });
  return changed ?? first;
}

/** Reserves one of the account's waiting calls until it is disposed. */
function reserveWait({ app, caller: { account } }: Context): Disposable {
  const counts = waits.get(app.store) ?? new Map<AccountId, number>();
  waits.set(app.store, counts);
  const count = counts.get(account) ?? 0;
  if (count >= waitsPerAccount)
    throw new ApiError('rate_limited', {
      message: `An account can have at most ${waitsPerAccount} waiting calls at a time.`,
      retryAfterSeconds: 1,
    });
  counts.set(account, count + 1);
  return { [Symbol.dispose]: () => void counts.set(account, counts.get(account)! - 1) };
}

async function findAll(context: Context, ids: readonly string[]): Promise<WorkflowRecord[]> {
  const records = new Map(
    (await workflowFind(context.queries, context.caller.account, ids)).map((record) => [record.id, record]),
  );
  return ids.map((id) => {
    const record = records.get(id);
    if (record === undefined) throw new ApiError('not_found');
    return record;
  });
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
    ended: record.ended_at === null ? '' : timeText(record.ended_at),
    code: record.error_code ?? '',
    error: record.error_reason ?? '',
  };
}
