// The audit log is append-only. Each entry contains the hash of the previous one of its account, so that altered or
// missing entries are detected. Each account has its own chain, so that accounts do not wait for each other.
import { sql, type ExpressionBuilder, type Selectable } from 'kysely';
import { pickDefined } from '#lib/defined.ts';
import { sha256Hex } from '#lib/secrets.ts';
import { channelsOf, eventsInsertNumbered, type Channels, type NewEvent, type StoredEvent } from '../work/events.ts';
import { noteEvents } from '../commits.ts';
import { prepared } from '../engine/prepared.ts';
import { isSqlite } from '../engine/sqlite.ts';
import { planIfOfAll, selectWhere } from '../engine/rows.ts';
import { erasureFind } from '../privacy/erasures.ts';
import type { Queries } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { AccountId } from '../account-id.ts';
import { firstHash, type AuditTable } from './tables.ts';

export type AuditEntry = Selectable<AuditTable>;
export type NewAuditEntry = Omit<AuditEntry, 'id' | 'previous' | 'hash' | 'operator'> &
  Partial<Pick<AuditEntry, 'operator'>>;

/** Creates the account's row if needed, and locks it until the transaction ends. */
const lockTip = prepared((queries: Queries, values: { account: AccountId }) =>
  queries
    .insertInto('audit_tips')
    .values({ account_id: values.account, hash: firstHash })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((set) => ({ hash: set.ref('audit_tips.hash') })),
    )
    .returning(['hash', 'events', ...channelsOf(values.account)]),
);

/**
 * Appends the entry and the events of the same change, which share its account's row and round trips. Must run in a
 * transaction.
 */
export async function auditAppend(
  queries: Queries,
  entry: NewAuditEntry,
  newEvents: readonly NewEvent[] = [],
): Promise<{ events: StoredEvent[]; channels: Channels }> {
  const account = entry.account_id;
  const tip = (await lockTip(queries, { account }))[0]!;
  const hash = auditHash(tip.hash, entry);
  const events = newEvents.map((event, index) => ({ ...event, sequence: tip.events + index + 1 }));
  const row = { ...entry, previous: tip.hash, hash };
  const newTip = { hash, events: tip.events + events.length };
  if (isSqlite(queries)) {
    await queries.insertInto('audit').values(row).execute();
    await eventsInsertNumbered(queries, events);
    await queries.updateTable('audit_tips').set(newTip).where('account_id', '=', account).execute();
  } else {
    // Each query to PostgreSQL is a round trip, so everything goes into one.
    const withEntry = queries.with('entry', (part) => part.insertInto('audit').values(row).returning('id'));
    const all =
      events.length === 0
        ? withEntry
        : withEntry.with('new_events', (part) => part.insertInto('events').values(events).returning('sequence'));
    await all.updateTable('audit_tips').set(newTip).where('account_id', '=', account).execute();
  }
  if (events.length > 0) noteEvents(queries, account, newTip.events);
  return { events, channels: tip };
}

/** Of these operations, only those whose target begins with one of these words, unless this person or key made the call. */
export interface ServicesFilter {
  readonly operations: readonly string[];
  readonly targets: readonly string[];
  readonly unlessBy: { readonly contact: number } | { readonly key: number };
}

export interface AuditSearch {
  readonly account?: number;
  readonly operator?: string;
  readonly operation?: string;
  readonly outcome?: string;
  readonly limit: number;
  readonly before?: number;
  /** Omits these operations, unless this key made the call. */
  readonly hidden?: { readonly operations: readonly string[]; readonly unlessBy: number };
  readonly services?: ServicesFilter;
}
/** Searches all accounts, newest first. */
export async function auditSearch(queries: Queries, filter: AuditSearch): Promise<AuditEntry[]> {
  const { account, operator, operation, outcome, limit, before, hidden, services } = filter;
  const match = pickDefined({ account_id: account as AccountId | undefined, operator, operation, outcome });
  let query = selectWhere(queries, 'audit', match).selectAll();
  if (before !== undefined) query = query.where('id', '<', before);
  if (hidden !== undefined)
    query = query.where((where) =>
      where.or([where('operation', 'not in', hidden.operations), where('key_id', '=', hidden.unlessBy)]),
    );
  if (services !== undefined) query = query.where(isWithinServices(queries, services));
  return planIfOfAll(query.orderBy('id', 'desc').limit(limit), account).execute();
}

function isWithinServices(queries: Queries, { operations, targets, unlessBy }: ServicesFilter) {
  const firstWord = isSqlite(queries)
    ? sql<string>`substr(target, 1, instr(target || ' ', ' ') - 1)`
    : sql<string>`split_part(target, ' ', 1)`;
  return (where: ExpressionBuilder<Tables, 'audit'>) =>
    where.or([
      where('operation', 'not in', operations),
      'key' in unlessBy ? where('key_id', '=', unlessBy.key) : where('contact_id', '=', unlessBy.contact),
      ...(targets.length === 0 ? [] : [where(firstWord, 'in', targets)]),
    ]);
}

type Page = Pick<AuditSearch, 'limit' | 'before' | 'hidden' | 'services'>;
export async function auditList(queries: Queries, account: AccountId, page: Page): Promise<AuditEntry[]> {
  return auditSearch(queries, { ...page, account });
}

/**
 * Returns the id of the first entry whose hash is wrong, or undefined if the chain is intact. Of an erased account, the
 * hashes still show that no entry is missing, but no longer what it said.
 */
export async function auditVerify(queries: Queries, account: AccountId): Promise<number | 'end' | undefined> {
  const erasure = await erasureFind(queries, account);
  const isErased = erasure !== undefined && erasure.status !== 'Waiting' && erasure.status !== 'Cancelled';
  let previous = firstHash;
  let after = 0;
  for (;;) {
    // Before the entries: those that are written meanwhile are then on the page.
    const tip = await selectWhere(queries, 'audit_tips', { account_id: account }).select('hash').executeTakeFirst();
    const later = selectWhere(queries, 'audit', { account_id: account }).where('id', '>', after);
    const page = await later.selectAll().orderBy('id').limit(1000).execute();
    if (page.length === 0) return (tip?.hash ?? firstHash) === previous ? undefined : 'end';
    for (const entry of page) {
      const isAltered = entry.hash !== auditHash(previous, entry) && !(isErased && entry.target === '');
      if (entry.previous !== previous || isAltered) return entry.id;
      previous = entry.hash;
      after = entry.id;
    }
  }
}

function auditHash(previous: string, entry: NewAuditEntry): string {
  const { account_id, at, address, key_id, contact_id, operation, target, outcome, request_id } = entry;
  const content = [previous, account_id, at, address, key_id, contact_id, operation, target, outcome, request_id];
  // Entries from before there were operators keep their hash.
  if (typeof entry.operator === 'string') content.push(entry.operator);
  return sha256Hex(JSON.stringify(content));
}

/** Returns the newest actions of staff. */
export async function staffActions(queries: Queries, limit: number): Promise<Pick<AuditEntry, 'id' | 'at'>[]> {
  const actions = queries.selectFrom('audit').select(['id', 'at']).where('operator', 'is not', null);
  return actions.orderBy('id', 'desc').limit(limit).execute();
}
