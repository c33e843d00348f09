// Network boots, one row each: reloads, rescue systems, resets of the root password. Ids sort by the time of their start. What the
// server itself tells (that it asked for its script, how far the installer is) is written here by whoever hears it, and read by
// the workflow.
import type { GeneratedAlways, Insertable, Selectable } from 'kysely';
import { reloadStatesBefore, type ReloadKind, type ReloadState } from '#contract/reload-states.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface ReloadTable {
  id: string;
  /** Empty until it is there: both are made in one transaction. */
  workflow_id: string;
  account_id: AccountId;
  service_id: number;
  server: string;
  kind: ReloadKind;
  /** The system as JSON, as it was when this began: a new site file changes nothing that is under way. */
  system: string;
  status: ReloadState;
  percent: number;
  /** Why it failed. */
  reason: string;
  /** SHA-256, in hex, of the secret in its links. */
  secret_hash: string;
  /** 1 while the server may have its script, and its links work. */
  open: number;
  /** The network card that asked for the script, and when. */
  mac: string | null;
  requested_at: number | null;
  /** When the installer was first heard of. */
  begun_at: number | null;
  /** What the installer said at its end. */
  outcome: 'Completed' | 'Failed' | null;
  message: string;
  /** Of root's new password, crypt(3); null once the installer has it. */
  password_hash: string | null;
  password_fetched: number;
  /** Sealed: what a reset of the password set, until it is collected. */
  new_password: string | null;
  ssh_keys: string;
  created_at: number;
  ended_at: number | null;
}
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
export interface ReloadLogTable {
  id: GeneratedAlways<number>;
  reload_id: string;
  at: number;
  /** As the customer was shown it then. */
  status: string;
  text: string;
}

/** False where one is under way on this server already. */
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

export async function reloadUnderWay(queries: Queries, server: string): Promise<Reload | undefined> {
  return queries
    .selectFrom('reloads')
    .selectAll()
    .where('server', '=', server)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

/** The last of these kinds, whether it has ended or not. */
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

/** By what a link carries: found by the digest of the secret, so that nothing is learnt from how long it takes. */
export async function reloadOfSecret(queries: Queries, secretHash: string): Promise<Reload | undefined> {
  return openReloads(queries).where('secret_hash', '=', secretHash).executeTakeFirst();
}

/** What a server that asks for its script is to boot. */
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

/** One that is called off or has failed gives nothing more, from the moment that its customer is told so. */
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

/** True where the state table allows it; a reload in any other state stays as it is. */
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

/** What else is learnt of one: nothing that the state table rules. */
export async function reloadNote(
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

/** In the transaction that has just written the reload itself: lines of one reload are numbered in the order of their commits. */
export async function reloadLogAppend(
  queries: Queries,
  line: Pick<Selectable<ReloadLogTable>, 'reload_id' | 'at' | 'status' | 'text'>,
): Promise<void> {
  await queries.insertInto('reload_log').values(line).execute();
}

/** `after` so many of its lines. */
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

/** How many lines each has. */
export async function reloadLogTips(queries: Queries, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await queries
    .selectFrom('reload_log')
    .select(({ fn }) => ['reload_id', fn.countAll<number>().as('lines')])
    .where('reload_id', 'in', ids)
    .groupBy('reload_id')
    .execute();
  return new Map(rows.map((row) => [row.reload_id, Number(row.lines)]));
}

/** Old ones, and new passwords that nobody came for. */
export async function reloadsRemoveEnded(queries: Queries, before: number, passwordsBefore: number): Promise<void> {
  await queries.deleteFrom('reloads').where('ended_at', '<', before).execute();
  await queries.updateTable('reloads').set({ new_password: null }).where('ended_at', '<', passwordsBefore).execute();
}
