// Network boots, one row each: reloads, rescue systems and root password resets. Ids sort by start time. What the
// server reports (that it requested its script, how far the installer is) is written here by whichever instance
// receives it, and read by the workflow.
import type { Insertable, Selectable } from 'kysely';
import { Type } from 'typebox';
import { reloadStatesBefore, type ReloadKind, type ReloadState } from '#contract/states/reloads.ts';
import type { SiteSystem } from '#contract/site/systems.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { ReloadTable, ReloadLogTable } from './tables.ts';

/** The system at the start of the reload, stored so that a new site file does not change a running reload. */
export interface StoredSystem {
  readonly name: string;
  readonly value: string;
  readonly pxe: number | undefined;
  readonly source: Omit<SiteSystem, 'name' | 'value' | 'pxe'> | undefined;
}
export const reloadSystem = jsonColumn(
  'reloads.system',
  Type.Unsafe<StoredSystem>(
    Type.Object({
      name: Type.String(),
      value: Type.String(),
      pxe: Type.Optional(Type.Integer()),
      source: Type.Optional(Type.Object({})),
    }),
  ),
);
export const reloadSshKeys = jsonColumn('reloads.ssh_keys', Type.Array(Type.String()));

export type Reload = Selectable<ReloadTable>;
export type NewReload = Pick<
  Insertable<ReloadTable>,
  | 'id'
  | 'account_id'
  | 'service_id'
  | 'server'
  | 'kind'
  | 'system'
  | 'secret_hash'
  | 'password_hash'
  | 'new_password'
  | 'ssh_keys'
  | 'created_at'
>;

/** Returns false if one is running on this server already. */
export async function reloadInsert(queries: Queries, reload: NewReload): Promise<boolean> {
  const row = await queries
    .insertInto('reloads')
    .values({
      ...reload,
      workflow_id: '',
      status: 'Queued',
      percent: 0,
      reason: '',
      open: 0,
      mac: null,
      requested_at: null,
      begun_at: null,
      outcome: null,
      message: '',
      password_fetched: 0,
      ended_at: null,
    })
    .onConflict((conflict) => conflict.column('server').where('ended_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** For the workflow, which works for all accounts. */
export async function reloadLoad(queries: Queries, id: string): Promise<Reload | undefined> {
  return queries.selectFrom('reloads').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function reloadRunning(queries: Queries, server: string): Promise<Reload | undefined> {
  return queries
    .selectFrom('reloads')
    .selectAll()
    .where('server', '=', server)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

/** Returns the last one of these kinds, ended or not. */
export async function reloadLast(
  queries: Queries,
  account: AccountId,
  service: number,
  kinds: readonly ReloadKind[],
): Promise<Reload | undefined> {
  return queries
    .selectFrom('reloads')
    .selectAll()
    .where('account_id', '=', account)
    .where('service_id', '=', service)
    .where('kind', 'in', kinds)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Finds a reload by the secret in its link. The lookup uses the digest, so that its timing reveals nothing. */
export async function reloadOfSecret(queries: Queries, secretHash: string): Promise<Reload | undefined> {
  return openReloads(queries).where('secret_hash', '=', secretHash).executeTakeFirst();
}

/** Returns what a server that requests its script should boot. */
export async function reloadOfMachine(
  queries: Queries,
  known: { readonly mac: string } | { readonly uuid: string },
): Promise<Reload | undefined> {
  let query = openReloads(queries);
  query =
    'mac' in known
      ? query.where('server', 'in', (select) =>
          select.selectFrom('server_macs').select('server').where('mac', '=', known.mac),
        )
      : query.where('server', 'in', (select) =>
          select.selectFrom('servers').select('name').where('uuid', '=', known.uuid),
        );
  return query.executeTakeFirst();
}

/** A cancelled or failed reload stops serving as soon as its customer can see that. */
function openReloads(queries: Queries) {
  return queries
    .selectFrom('reloads')
    .selectAll('reloads')
    .where('open', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('workflows')
            .select('workflows.id')
            .whereRef('workflows.id', '=', 'reloads.workflow_id')
            .where(({ eb, or }) => or([eb('direction', '=', 'back'), eb('cancel_requested', '=', 1)])),
        ),
      ),
    );
}

/** Returns true if the state table allows the change; otherwise the reload stays unchanged. */
export async function reloadMove(
  queries: Queries,
  id: string,
  status: ReloadState,
  change: Partial<Pick<Reload, 'percent' | 'reason' | 'ended_at'>> = {},
): Promise<boolean> {
  const row = await queries
    .updateTable('reloads')
    .set({ ...change, status })
    .where('id', '=', id)
    .where('status', 'in', reloadStatesBefore(status))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores other facts about a reload, which the state table does not govern. */
export async function reloadUpdate(
  queries: Queries,
  id: string,
  change: Partial<
    Pick<
      Reload,
      | 'workflow_id'
      | 'open'
      | 'mac'
      | 'requested_at'
      | 'begun_at'
      | 'outcome'
      | 'message'
      | 'password_hash'
      | 'password_fetched'
      | 'new_password'
    >
  >,
): Promise<void> {
  await queries.updateTable('reloads').set(change).where('id', '=', id).execute();
}

/**
 * Must run in the transaction that has just written the reload itself, so that the lines of a reload are numbered in
 * commit order.
 */
export async function reloadLogAppend(
  queries: Queries,
  line: Pick<Selectable<ReloadLogTable>, 'reload_id' | 'at' | 'status' | 'text'>,
): Promise<void> {
  await queries.insertInto('reload_log').values(line).execute();
}

/** Returns the lines after the first `after`. */
export async function reloadLogList(
  queries: Queries,
  id: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Selectable<ReloadLogTable>[]> {
  return queries
    .selectFrom('reload_log')
    .selectAll()
    .where('reload_id', '=', id)
    .orderBy('id')
    .offset(after)
    .limit(limit)
    .execute();
}

/** Returns the number of lines of each. */
export async function reloadLogTips(queries: Queries, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await queries
    .selectFrom('reload_log')
    .select(({ fn }) => ['reload_id', fn.countAll<number>().as('lines')])
    .where('reload_id', 'in', ids)
    .groupBy('reload_id')
    .execute();
  return new Map(rows.map((row) => [row.reload_id, Number(row.lines)]));
}

/** Deletes old reloads, and new passwords that nobody collected. */
export async function reloadsRemoveEnded(queries: Queries, before: number, passwordsBefore: number): Promise<void> {
  await queries.deleteFrom('reloads').where('ended_at', '<', before).execute();
  await queries.updateTable('reloads').set({ new_password: null }).where('ended_at', '<', passwordsBefore).execute();
}
