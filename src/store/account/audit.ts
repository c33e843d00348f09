// The audit log: append-only, each entry carrying the hash of the one before it in its account, so that an entry that was
// altered or taken out shows. One chain per account: accounts do not wait for each other.
import type { Selectable } from 'kysely';
import { sha256 } from '#kernel/secrets.ts';
import { activeWebhooks, eventInsertNumbered, type NewEvent, type StoredEvent } from '../work/events.ts';
import { prepared } from '../engine/prepared.ts';
import { isSqlite } from '../engine/sqlite.ts';
import type { Queries } from '../store.ts';
import { firstHash, type AccountId, type AuditTable } from '../tables.ts';

export type AuditEntry = Selectable<AuditTable>;
export type NewAuditEntry = Omit<AuditEntry, 'id' | 'previous' | 'hash' | 'operator'> &
  Partial<Pick<AuditEntry, 'operator'>>;

/** Makes the account's row if need be, and holds it until the transaction ends. */
const holdTip = prepared((queries: Queries, values: { account: AccountId }) =>
  queries
    .insertInto('audit_tips')
    .values({ account_id: values.account, hash: firstHash })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((set) => ({ hash: set.ref('audit_tips.hash') })),
    )
    .returning(['hash', 'events', activeWebhooks(values.account).as('webhooks')]),
);

/** In a transaction: the entry, and what the entry's change has to tell, which shares its account's row and its round trips. */
export async function auditAppend(
  queries: Queries,
  entry: NewAuditEntry,
  told: readonly NewEvent[] = [],
): Promise<{ events: StoredEvent[]; webhooks: number }> {
  const account = entry.account_id;
  const tip = (await holdTip(queries, { account }))[0]!;
  const hash = auditHash(tip.hash, entry);
  const events = told.map((event, index) => ({ ...event, sequence: tip.events + index + 1 }));
  const row = { ...entry, previous: tip.hash, hash };
  const newTip = { hash, events: tip.events + events.length };
  if (isSqlite(queries)) {
    await queries.insertInto('audit').values(row).execute();
    for (const event of events) await eventInsertNumbered(queries, event);
    await queries.updateTable('audit_tips').set(newTip).where('account_id', '=', account).execute();
  } else {
    // PostgreSQL is a round trip away, so it is asked once.
    const written = queries.with('entry', (part) => part.insertInto('audit').values(row).returning('id'));
    const all =
      events.length === 0
        ? written
        : written.with('told', (part) => part.insertInto('events').values(events).returning('sequence'));
    await all.updateTable('audit_tips').set(newTip).where('account_id', '=', account).execute();
  }
  return { events, webhooks: tip.webhooks };
}

export async function auditList(
  queries: Queries,
  account: AccountId,
  limit: number,
  before: number | undefined,
): Promise<AuditEntry[]> {
  let query = queries.selectFrom('audit').selectAll().where('account_id', '=', account);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

export interface AuditSearch {
  readonly account?: number;
  readonly operator?: string;
  readonly operation?: string;
  readonly outcome?: string;
  readonly limit: number;
  readonly before?: number;
}
/** Over all accounts, newest first. */
export async function auditSearch(queries: Queries, filter: AuditSearch): Promise<AuditEntry[]> {
  let query = queries.selectFrom('audit').selectAll();
  if (filter.account !== undefined) query = query.where('account_id', '=', filter.account as AccountId);
  for (const name of ['operator', 'operation', 'outcome'] as const)
    if (filter[name] !== undefined) query = query.where(name, '=', filter[name]);
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return query.orderBy('id', 'desc').limit(filter.limit).execute();
}

/** The id of the first entry whose chain does not hold, or undefined where all is well. */
export async function auditVerify(queries: Queries, account: AccountId): Promise<number | 'end' | undefined> {
  let previous = firstHash;
  let after = 0;
  for (;;) {
    const page = await queries
      .selectFrom('audit')
      .selectAll()
      .where('account_id', '=', account)
      .where('id', '>', after)
      .orderBy('id')
      .limit(1000)
      .execute();
    if (page.length === 0) break;
    for (const entry of page) {
      if (entry.previous !== previous || entry.hash !== auditHash(previous, entry)) return entry.id;
      previous = entry.hash;
      after = entry.id;
    }
  }
  const tip = await queries
    .selectFrom('audit_tips')
    .select('hash')
    .where('account_id', '=', account)
    .executeTakeFirst();
  return (tip?.hash ?? firstHash) === previous ? undefined : 'end';
}

function auditHash(previous: string, entry: NewAuditEntry): string {
  const { account_id, at, address, key_id, contact_id, operation, target, outcome, request_id } = entry;
  const content = [previous, account_id, at, address, key_id, contact_id, operation, target, outcome, request_id];
  // Entries from before there were operators hash as they did.
  if (typeof entry.operator === 'string') content.push(entry.operator);
  return sha256(JSON.stringify(content)).toString('hex');
}
