// What runs or ran for the account: its workflows, as a customer sees them.
import { setTimeout as pause } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { Action, ActionStatus } from '#contract/shapes/action.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import { workflowFind, workflowList, type WorkflowRecord, type WorkflowStatus } from '#store/work/workflows.ts';
import type { Store } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import type { Context } from './yard.ts';

const lookAgainMs = 200;
/** At once, on one node: each of them looks again and again. */
const waitsPerAccount = 20;
const waits = new WeakMap<Store, Map<AccountId, number>>();

/** Whether one needs the operator's help is not the customer's concern: it goes on. */
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
    return (await whenChanged(context, ids, wait ?? 0)).map(actionShown);
  }
  if (wait !== undefined) throw invalid({ wait: 'goes with ids' });
  const { service, status, before, limit = 100 } = page;
  const statuses = status && workflowStatuses[status];
  return (await workflowList(context.queries, context.caller.account, { service, statuses, before, limit })).map(
    actionShown,
  );
}

export async function actionGet(context: Context, id: string, waitSeconds: number): Promise<Static<typeof Action>> {
  return actionShown((await whenChanged(context, [id], waitSeconds))[0]!);
}

/** All of them, in the order asked for, once one has changed since the call or the time is up. What has ended changes no more. */
async function whenChanged(context: Context, ids: readonly string[], waitSeconds: number): Promise<WorkflowRecord[]> {
  const first = await all(context, ids);
  if (waitSeconds === 0 || first.every(({ ended_at }) => ended_at !== null)) return first;
  using _ = place(context);
  // Awaited here: the place is held until it is answered.
  return await changedAfter(context, ids, first, waitSeconds);
}

/** Among those of the account that wait; until it is disposed of. */
function place({ yard, caller: { account } }: Context): Disposable {
  const counts = waits.get(yard.store) ?? new Map<AccountId, number>();
  waits.set(yard.store, counts);
  const count = counts.get(account) ?? 0;
  if (count >= waitsPerAccount)
    throw new Fault('rate_limited', {
      message: `An account has at most ${waitsPerAccount} calls that wait at once.`,
      retryAfterSeconds: 1,
    });
  counts.set(account, count + 1);
  return { [Symbol.dispose]: () => void counts.set(account, counts.get(account)! - 1) };
}

async function changedAfter(
  context: Context,
  ids: readonly string[],
  first: WorkflowRecord[],
  waitSeconds: number,
): Promise<WorkflowRecord[]> {
  const { stopping } = context.yard;
  const until = performance.now() + waitSeconds * 1000;
  while (performance.now() < until && !stopping.aborted) {
    await pause(Math.min(lookAgainMs, Math.max(1, until - performance.now())), undefined, { signal: stopping }).catch(
      () => {},
    );
    const now = await all(context, ids);
    if (now.some((record, index) => record.revision !== first[index]!.revision)) return now;
  }
  return first;
}

async function all(context: Context, ids: readonly string[]): Promise<WorkflowRecord[]> {
  const found = new Map(
    (await workflowFind(context.queries, context.caller.account, ids)).map((record) => [record.id, record]),
  );
  return ids.map((id) => {
    const record = found.get(id);
    if (record === undefined) throw new Fault('not_found');
    return record;
  });
}

export function actionShown(record: WorkflowRecord): Static<typeof Action> {
  return {
    id: record.id,
    operation: record.operation,
    service: record.service_id === null ? '' : String(record.service_id),
    status: record.status === 'Stuck' ? 'Running' : record.status,
    progress: String(record.progress),
    step: record.step,
    started: momentText(record.created_at),
    ended: record.ended_at === null ? '' : momentText(record.ended_at),
    code: record.error_code ?? '',
    error: record.error_reason ?? '',
  };
}
