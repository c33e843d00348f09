// Workflows: what runs or ran for an account, and how far it came.
import type { Insertable, Selectable, Updateable } from 'kysely';
import { prepared, preparedChange } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export type WorkflowStatus = 'Queued' | 'Running' | 'Completed' | 'Failed' | 'Cancelled' | 'Stuck';

export interface WorkflowTable {
  id: string;
  account_id: AccountId;
  service_id: number | null;
  name: string;
  version: number;
  operation: string;
  status: WorkflowStatus;
  direction: 'forward' | 'back';
  /** The step that is next, or under way. */
  position: number;
  step: string;
  step_since: number;
  /** Tries of this step that ended in neither done, wait nor failed. */
  tries: number;
  progress: number;
  input: string;
  outputs: string;
  error_code: string | null;
  error_reason: string | null;
  cancel_requested: number;
  created_at: number;
  ended_at: number | null;
  /** Counts up at every change that the account can see, so that a caller can wait for the next. */
  revision: number;
}

export type WorkflowRecord = Selectable<WorkflowTable>;

const insert = preparedChange((queries: Queries, record: Insertable<WorkflowTable>) =>
  queries.insertInto('workflows').values(record),
);
export async function workflowInsert(queries: Queries, record: Insertable<WorkflowTable>): Promise<void> {
  await insert(queries, record, {});
}

const byId = prepared((queries: Queries, values: { id: string }) =>
  queries.selectFrom('workflows').selectAll().where('id', '=', values.id),
);
/** For the runner, which works for all accounts. */
export async function workflowLoad(queries: Queries, id: string): Promise<WorkflowRecord | undefined> {
  return (await byId(queries, { id }))[0];
}

const advance = preparedChange((queries: Queries, change: Updateable<WorkflowTable>, values: { id: string }) =>
  queries
    .updateTable('workflows')
    .set((set) => ({ ...change, revision: set('revision', '+', 1) }))
    .where('id', '=', values.id),
);
export async function workflowAdvance(queries: Queries, id: string, change: Updateable<WorkflowTable>): Promise<void> {
  await advance(queries, change, { id });
}

const countTries = prepared((queries: Queries, values: { id: string; tries: number }) =>
  queries.updateTable('workflows').set({ tries: values.tries }).where('id', '=', values.id).returning('id'),
);
/** Nothing that the account can see. */
export async function workflowCountTries(queries: Queries, id: string, tries: number): Promise<void> {
  await countTries(queries, { id, tries });
}

export interface WorkflowEnd {
  readonly status: 'Completed' | 'Failed' | 'Cancelled';
  readonly at: number;
}
interface EndedWorkflow extends WorkflowEnd {
  readonly id: string;
}
const endBack = prepared((queries: Queries, { id, status, at }: EndedWorkflow) =>
  queries
    .updateTable('workflows')
    .set((set) => ({ status, step: '', ended_at: at, revision: set('revision', '+', 1) }))
    .where('id', '=', id)
    .returning('id'),
);
const endCompleted = prepared((queries: Queries, { id, status, at }: EndedWorkflow) =>
  queries
    .updateTable('workflows')
    .set((set) => ({ status, step: '', ended_at: at, revision: set('revision', '+', 1), progress: 100 }))
    .where('id', '=', id)
    .where('cancel_requested', '=', 0)
    .returning('id'),
);
/** False where it was cancelled before it was completed, and is to be undone instead. */
export async function workflowEnd(queries: Queries, id: string, ending: WorkflowEnd): Promise<boolean> {
  const run = ending.status === 'Completed' ? endCompleted : endBack;
  return (await run(queries, { id, ...ending })).length > 0;
}

export async function workflowFind(
  queries: Queries,
  account: AccountId,
  ids: readonly string[],
): Promise<WorkflowRecord[]> {
  return queries.selectFrom('workflows').selectAll().where('account_id', '=', account).where('id', 'in', ids).execute();
}

export interface WorkflowFilter {
  readonly service: number | undefined;
  /** One of these; any where left out. */
  readonly statuses: readonly WorkflowStatus[] | undefined;
  readonly limit: number;
  /** Only those that began before this one. */
  readonly before: string | undefined;
}
export async function workflowList(
  queries: Queries,
  account: AccountId,
  filter: WorkflowFilter,
): Promise<WorkflowRecord[]> {
  return workflowSearch(queries, { ...filter, account, name: undefined });
}

/** For the operator, who sees all accounts. */
export interface WorkflowSearch extends WorkflowFilter {
  readonly account: AccountId | undefined;
  readonly name: string | undefined;
}
/** Newest first. */
export async function workflowSearch(queries: Queries, filter: WorkflowSearch): Promise<WorkflowRecord[]> {
  let query = queries.selectFrom('workflows').selectAll();
  if (filter.account !== undefined) query = query.where('account_id', '=', filter.account);
  if (filter.name !== undefined) query = query.where('name', '=', filter.name);
  if (filter.service !== undefined) query = query.where('service_id', '=', filter.service);
  if (filter.statuses !== undefined) query = query.where('status', 'in', filter.statuses);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return query.orderBy('id', 'desc').limit(filter.limit).execute();
}

/** As if the step under way had not been tried. False where it has ended. */
export async function workflowForgetTries(queries: Queries, id: string): Promise<boolean> {
  const row = await queries
    .updateTable('workflows')
    .set({ tries: 0 })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** True where there was something to cancel. */
export async function workflowRequestCancel(queries: Queries, id: string): Promise<boolean> {
  const row = await queries
    .updateTable('workflows')
    .set({ cancel_requested: 1 })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('direction', '=', 'forward')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The one of this name that has not ended for a service. */
export async function workflowUnderWay(queries: Queries, service: number, name: string): Promise<string | undefined> {
  const row = await queries
    .selectFrom('workflows')
    .select('id')
    .where('service_id', '=', service)
    .where('name', '=', name)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row?.id;
}

/** In the order of their ids. */
export async function workflowsUnderWay(queries: Queries, after: string, limit: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('workflows')
    .select('id')
    .where('ended_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** How many have not ended, by status. */
export async function workflowsCount(queries: Queries): Promise<{ status: WorkflowStatus; count: number }[]> {
  return queries
    .selectFrom('workflows')
    .select(['status', (select) => select.fn.countAll<number>().as('count')])
    .where('ended_at', 'is', null)
    .groupBy('status')
    .execute();
}

export async function workflowRemoveEnded(queries: Queries, before: number): Promise<void> {
  await queries.deleteFrom('workflows').where('ended_at', '<', before).execute();
}
