// The audit log: append-only, each entry carrying the hash of the one before it in its account, so that an entry that was
// altered or taken out shows. One chain per account: accounts do not wait for each other.
import type { Selectable } from 'kysely';
import { sha256 } from '#kernel/secrets.ts';
import type { Queries } from './store.ts';
import type { AccountId, AuditTable } from './tables.ts';

export type AuditEntry = Selectable<AuditTable>;
export type NewAuditEntry = Omit<AuditEntry, 'id' | 'previous' | 'hash'>;

/** What the first entry of an account has before it. */
export const firstHash = '0'.repeat(64);

export async function auditAppend(queries: Queries, entry: NewAuditEntry): Promise<void> {
  const account = entry.account_id;
  await queries
    .insertInto('audit_tips')
    .values({ account_id: account, hash: firstHash })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
  // Updating to itself takes the row's lock on PostgreSQL until the transaction ends; on SQLite the writer is alone anyway.
  const tip = await queries
    .updateTable('audit_tips')
    .set((set) => ({ hash: set.ref('hash') }))
    .where('account_id', '=', account)
    .returning('hash')
    .executeTakeFirstOrThrow();
  const hash = auditHash(tip.hash, entry);
  await queries
    .insertInto('audit')
    .values({ ...entry, previous: tip.hash, hash })
    .execute();
  await queries.updateTable('audit_tips').set({ hash }).where('account_id', '=', account).execute();
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
  return sha256(JSON.stringify(content)).toString('hex');
}
