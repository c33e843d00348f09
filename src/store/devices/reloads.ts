// Network boots, one row each: reloads, rescue systems and root password resets. Ids sort by start time. What the
// server reports (that it requested its script, how far the installer is) is written here by whichever instance
// receives it, and read by the workflow.
import type { Insertable, Selectable } from 'kysely';
import { Type } from 'typebox';
import { reloadStatesBefore, type ReloadKind, type ReloadState } from '#contract/states/reloads.ts';
import type { System } from '#contract/site/systems.ts';
import { affectsRows, countRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { ReloadTable, ReloadLogTable } from './tables.ts';

/** The system at the start of the reload, stored so that a new site file does not change a running reload. */
export const reloadSystem = jsonColumn(
  'reloads.system',
  Type.Unsafe<System>(
    Type.Object({
      name: Type.String(),
      value: Type.String(),
      pxe: Type.Optional(Type.Integer()),
      source: Type.Optional(Type.Object({})),
    }),
  ),
);
export const reloadSshKeys = jsonColumn('reloads.ssh_keys', Type.Array(Type.String()));

/** Any network boot. */
export type NetworkBoot = Selectable<ReloadTable>;
/** A network boot that a customer asked for. */
export type Reload = NetworkBoot & { readonly kind: ReloadKind };
const queued = {
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
} as const;
export type NewNetworkBoot = Omit<Insertable<ReloadTable>, keyof typeof queued>;
export type NewReload = NewNetworkBoot & { readonly kind: ReloadKind };

/** Returns false if one is running on this server already. */
export async function reloadInsert(queries: Queries, reload: NewNetworkBoot): Promise<boolean> {
  const row = await queries
    .insertInto('reloads')
    .values({ ...reload, ...queued })
    .onConflict((conflict) => conflict.column('server').where('ended_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Loads a boot of any kind. */
export async function networkBootLoad(queries: Queries, id: string): Promise<NetworkBoot | undefined> {
  return selectWhere(queries, 'reloads', { id }).selectAll().executeTakeFirst();
}

/** For the workflow, which works for all accounts. */
export async function reloadLoad(queries: Queries, id: string): Promise<Reload | undefined> {
  return reloadsOfCustomers(queries).where('id', '=', id).executeTakeFirst();
}

/** Loads the boot of an erasing system. */
export async function eraseLoad(queries: Queries, id: string): Promise<NetworkBoot | undefined> {
  return selectWhere(queries, 'reloads', { id, kind: 'erase' }).selectAll().executeTakeFirst();
}

function reloadsOfCustomers(queries: Queries) {
  return queries.selectFrom('reloads').selectAll().where('kind', '!=', 'erase').$narrowType<{ kind: ReloadKind }>();
}

export async function reloadRunning(queries: Queries, server: string): Promise<Reload | undefined> {
  return reloadsOfCustomers(queries).where('server', '=', server).where('ended_at', 'is', null).executeTakeFirst();
}

/** Returns whether the disk is written. The boot is then complete, even if its BMC fails or it is cancelled afterwards. */
export function isDiskWritten({ kind, outcome }: Reload): boolean {
  return kind !== 'rescue' && outcome === 'Completed';
}

/** Returns the last one of these kinds, ended or not. */
export async function reloadLast(
  queries: Queries,
  account: AccountId,
  service: number,
  kinds: readonly ReloadKind[],
): Promise<Reload | undefined> {
  return reloadsOfCustomers(queries)
    .where('account_id', '=', account)
    .where('service_id', '=', service)
    .where('kind', 'in', kinds)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Finds a reload by the secret in its link. The lookup uses the digest, so that its timing reveals nothing. */
export async function reloadOfSecret(queries: Queries, secretHash: string): Promise<NetworkBoot | undefined> {
  return openReloads(queries).where('secret_hash', '=', secretHash).executeTakeFirst();
}

/** Returns what the server with this network card should boot. */
export async function reloadOfMac(queries: Queries, mac: string): Promise<NetworkBoot | undefined> {
  const server = selectWhere(queries, 'server_macs', { mac }).select('server');
  return openReloads(queries).where('server', 'in', server).executeTakeFirst();
}

/** Binds an open boot to the first machine that requests its script. Returns false if it is bound already. */
export async function reloadBind(
  queries: Queries,
  id: string,
  to: { readonly mac: string; readonly bound_to: string; readonly requested_at: number },
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'reloads', { id, open: 1, bound_to: null }).set(to).returning('id'));
}

/** Records that the server has reported. Returns its boot, unless that was closed meanwhile, and holds it until the transaction ends. */
export async function reloadReported(queries: Queries, id: string, at: number): Promise<NetworkBoot | undefined> {
  return updateWhere(queries, 'reloads', { id, open: 1, links_used: 1 })
    .set({ reported_at: at })
    .returningAll()
    .executeTakeFirst();
}

/** Records that another machine asked. Returns false if one did before. */
export async function reloadContest(queries: Queries, id: string, at: number): Promise<boolean> {
  const uncontested = updateWhere(queries, 'reloads', { id, contested_at: null });
  return affectsRows(uncontested.set({ contested_at: at }).returning('id'));
}

/** Ends a boot whose secret may be in the wrong hands: its links are dead, and its workflow fails. */
export async function reloadVoid(queries: Queries, id: string, message: string): Promise<void> {
  const voided = { open: 0, outcome: 'Failed', message, password_hash: null } as const;
  await updateWhere(queries, 'reloads', { id }).set(voided).execute();
}

/** Returns the number of boots that another machine asked for since then. */
export async function reloadsContested(queries: Queries, since: number): Promise<number> {
  return countRows(queries.selectFrom('reloads').where('contested_at', '>=', since));
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
            .where(({ eb, or }) => or([eb('direction', '=', 'back'), eb('cancel_requested', '>', 0)])),
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
  const movable = updateWhere(queries, 'reloads', { id }).where('status', 'in', reloadStatesBefore(status));
  return affectsRows(movable.set({ ...change, status }).returning('id'));
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
      | 'requested_at'
      | 'links_used'
      | 'begun_at'
      | 'outcome'
      | 'message'
      | 'password_hash'
      | 'password_fetched'
      | 'new_password'
      | 'findings'
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
  const lines = selectWhere(queries, 'reload_log', { reload_id: id }).selectAll();
  return lines.orderBy('id').offset(after).limit(limit).execute();
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
  const uncollected = queries.updateTable('reloads').where('new_password', 'is not', null);
  await uncollected.set({ new_password: null }).where('ended_at', '<', passwordsBefore).execute();
}

/** Ends a rescue system that the former customer left running, and closes what could still be fetched. */
export async function reloadsEndOn(queries: Queries, server: string, now: number): Promise<void> {
  const unfinished = { open: 0, password_hash: null, new_password: null };
  await queries.updateTable('reloads').set(unfinished).where('server', '=', server).execute();
  const running = updateWhere(queries, 'reloads', { server, status: 'Active' });
  await running.set({ status: 'Completed', ended_at: now }).execute();
}
