// Workflows of accounts and their progress.
import { sql, type ExpressionBuilder, type RawBuilder, type Selectable, type Updateable } from 'kysely';
import { Type } from 'typebox';
import { pickDefined } from '#lib/defined.ts';
import { prepared, preparedChange } from '../engine/prepared.ts';
import { preparedFind, preparedInsert } from '../engine/prepared-rows.ts';
import { deleteBefore } from '../engine/removal.ts';
import { affectsRows, planIfOfAll, selectWhere, updateWhere } from '../engine/rows.ts';
import { isOfServices } from '../account/service-limits.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { Tables } from '../tables.ts';
import type { WorkflowStatus, WorkflowTable } from './tables.ts';

export const workflowInput = jsonColumn('workflows.input', Type.Unknown());
/** Outputs of the completed steps, by step name. */
export const workflowOutputs = jsonColumn('workflows.outputs', Type.Record(Type.String(), Type.Unknown()));

export type WorkflowRecord = Selectable<WorkflowTable>;

export const workflowsInsert = preparedInsert('workflows');

/** For the runner, which works for all accounts. */
export const workflowLoad = preparedFind('workflows', 'id');

const advance = preparedChange((queries: Queries, change: Updateable<WorkflowTable>, values: { id: string }) =>
  updateWhere(queries, 'workflows', { id: values.id }).set((set) => ({
    ...change,
    revision: set('revision', '+', 1),
  })),
);
export async function workflowAdvance(queries: Queries, id: string, change: Updateable<WorkflowTable>): Promise<void> {
  await advance(queries, change, { id });
}

const countTries = prepared((queries: Queries, values: { id: string; tries: number }) =>
  queries.updateTable('workflows').set({ tries: values.tries }).where('id', '=', values.id).returning('id'),
);
/** Invisible to the account, so the revision stays. */
export async function workflowCountTries(queries: Queries, id: string, tries: number): Promise<void> {
  await countTries(queries, { id, tries });
}

/** Invisible to the account too. */
export async function workflowDetailSet(queries: Queries, id: string, detail: string): Promise<void> {
  await updateWhere(queries, 'workflows', { id }).set({ detail }).execute();
}

export interface WorkflowEnd {
  readonly status: 'Completed' | 'Failed' | 'Cancelled';
  readonly at: number;
}
type EndedWorkflow = WorkflowEnd & { readonly id: string };
const endBack = prepared((queries: Queries, { id, status, at }: EndedWorkflow) =>
  updateWhere(queries, 'workflows', { id })
    .set((set) => ({ status, step: '', ended_at: at, revision: set('revision', '+', 1) }))
    .returning('id'),
);
const endCompleted = prepared((queries: Queries, { id, status, at }: EndedWorkflow) =>
  updateWhere(queries, 'workflows', { id, cancel_requested: 0 })
    .set((set) => ({ status, step: '', ended_at: at, revision: set('revision', '+', 1), progress: 100 }))
    .returning('id'),
);
/** Returns false if it was cancelled before it completed, and must be undone instead. */
export async function workflowEnd(queries: Queries, id: string, ending: WorkflowEnd): Promise<boolean> {
  const run = ending.status === 'Completed' ? endCompleted : endBack;
  return (await run(queries, { id, ...ending })).length > 0;
}

export async function workflowFind(
  queries: Queries,
  account: AccountId,
  ids: readonly string[],
): Promise<WorkflowRecord[]> {
  const own = queries.selectFrom('workflows').selectAll().where('account_id', '=', account).where(isRequested);
  return own.where('id', 'in', ids).execute();
}

/** Returns each workflow's revision, which grows with every change that its account can see. */
export async function workflowRevisions(queries: Queries, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await queries.selectFrom('workflows').select(['id', 'revision']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

export interface WorkflowFilter {
  readonly service: number | undefined;
  /** Undefined for any status. */
  readonly statuses: readonly WorkflowStatus[] | undefined;
  readonly limit: number;
  /** Only workflows that started before this one. */
  readonly before: string | undefined;
}
export async function workflowList(
  queries: Queries,
  account: AccountId,
  filter: WorkflowFilter,
  services: ReadonlySet<number> | undefined,
): Promise<WorkflowRecord[]> {
  return searchQuery(queries, { ...filter, account, name: undefined })
    .where(isRequested)
    .$if(services !== undefined, (query) => query.where(isOfServices(services!)))
    .execute();
}

/** Operations of the customers' own APIs. Others are work of the provider's staff and of reconcilers. */
export function isRequestedByCustomer({ operation }: Pick<WorkflowRecord, 'operation'>): boolean {
  return operation.startsWith('v2.') || operation.startsWith('legacy.');
}

/** The same in a query. */
function isRequested(where: ExpressionBuilder<Tables, 'workflows'>) {
  return where.or([where('operation', 'like', 'v2.%'), where('operation', 'like', 'legacy.%')]);
}

/** For operators, who see all accounts. */
export interface WorkflowSearch extends WorkflowFilter {
  readonly account: AccountId | undefined;
  readonly name: string | undefined;
}
/** Newest first. */
export async function workflowSearch(queries: Queries, filter: WorkflowSearch): Promise<WorkflowRecord[]> {
  return searchQuery(queries, filter).execute();
}

function searchQuery(queries: Queries, filter: WorkflowSearch) {
  const match = pickDefined({ account_id: filter.account, name: filter.name, service_id: filter.service });
  let query = selectWhere(queries, 'workflows', match).selectAll();
  if (filter.statuses !== undefined) query = query.where('status', 'in', filter.statuses);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return planIfOfAll(query.orderBy('id', 'desc').limit(filter.limit), filter.account);
}

/** Resets the attempts of the current step. Returns false if the workflow has ended. */
export async function workflowResetTries(queries: Queries, id: string): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'workflows', { id, ended_at: null }).set({ tries: 0 }).returning('id'));
}

/** Returns true if there was something to cancel. */
export async function workflowRequestCancel(queries: Queries, id: string): Promise<boolean> {
  const running = updateWhere(queries, 'workflows', { id, ended_at: null, direction: 'forward' });
  return affectsRows(running.set({ cancel_requested: 1 }).returning('id'));
}

/** A value of `tries`: the step has not been started, so there is nothing to undo. */
export const notStarted = -1;

/** A value of `cancel_requested`: ends the rollback without undoing what is left. */
export const cancelAndAbandon = 2;

/** Returns false if it has ended. */
export async function workflowAbandon(queries: Queries, id: string): Promise<boolean> {
  const running = updateWhere(queries, 'workflows', { id, ended_at: null });
  return affectsRows(running.set({ cancel_requested: cancelAndAbandon }).returning('id'));
}

/** Returns those of the workflows that were cancelled. */
export async function workflowsCancelled(queries: Queries, ids: readonly string[]): Promise<Map<string, number>> {
  const cancelled = queries.selectFrom('workflows').select(['id', 'cancel_requested']).where('id', 'in', ids);
  const rows = await cancelled.where('cancel_requested', '>', 0).execute();
  return new Map(rows.map(({ id, cancel_requested }) => [id, cancel_requested]));
}

/** Returns the service's running workflows, except those of the given names. */
export async function workflowsOfService(
  queries: Queries,
  service: number,
  except: readonly string[] = [],
): Promise<Pick<WorkflowRecord, 'id' | 'name' | 'cancel_requested' | 'direction'>[]> {
  const running = selectWhere(queries, 'workflows', { service_id: service, ended_at: null });
  const rows = await running.select(['id', 'name', 'cancel_requested', 'direction']).orderBy('id').execute();
  return rows.filter(({ name }) => !except.includes(name));
}

/** Returns the service's running workflow of this name. */
export async function workflowRunning(queries: Queries, service: number, name: string): Promise<string | undefined> {
  const running = selectWhere(queries, 'workflows', { service_id: service, name, ended_at: null });
  return (await running.select('id').executeTakeFirst())?.id;
}

/** Returns the condition that no workflow of these names is running for a row's service. */
export function hasNoWorkflow(table: 'machines' | 'machine_deletions', names: readonly string[]): RawBuilder<boolean> {
  return sql`not exists (select 1 from workflows where workflows.service_id = ${sql.ref(`${table}.service_id`)}
    and workflows.name in (${sql.join(names)}) and workflows.ended_at is null)`;
}

/** Ordered by id. */
export async function workflowsRunning(queries: Queries, after: string, limit: number): Promise<string[]> {
  const running = selectWhere(queries, 'workflows', { ended_at: null }).select('id').where('id', '>', after);
  return (await running.orderBy('id').limit(limit).execute()).map(({ id }) => id);
}

/** Counts running workflows by status. */
export async function workflowsCount(queries: Queries): Promise<{ status: WorkflowStatus; count: number }[]> {
  return selectWhere(queries, 'workflows', { ended_at: null })
    .select(['status', (select) => select.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
}

export async function workflowRemoveEnded(queries: Queries, before: number): Promise<void> {
  await deleteBefore(queries, 'workflows', 'ended_at', before);
}
