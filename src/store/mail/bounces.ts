// Addresses whose messages came back for good, by account: what one tenant's address does concerns no other.
import type { Selectable } from 'kysely';
import { affectsRows, deleteWhere, putRow, selectWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { MailBounceTable } from './tables.ts';

export type MailBounce = Selectable<MailBounceTable>;
type Holder = Pick<MailBounce, 'account_id' | 'address'>;

export async function bounceFind(queries: Queries, { account_id, address }: Holder): Promise<MailBounce | undefined> {
  return selectWhere(queries, 'mail_bounces', { account_id, address }).selectAll().executeTakeFirst();
}

/** Returns what is known of the address, with a count of zero if that is nothing, and locks it until the transaction ends. */
export async function bounceLock(queries: Queries, holder: Holder): Promise<MailBounce> {
  return queries
    .insertInto('mail_bounces')
    .values({ ...holder, count: 0, diagnostic: '', bounced_at: 0, undeliverable_since: null })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'address']).doUpdateSet((set) => ({ count: set.ref('mail_bounces.count') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function bouncePut(queries: Queries, bounce: MailBounce): Promise<void> {
  await putRow(queries, 'mail_bounces', ['account_id', 'address'], bounce);
}

/** Returns undefined if messages can be sent to the address. */
export async function undeliverableFind(queries: Queries, holder: Holder): Promise<MailBounce | undefined> {
  const bounce = await bounceFind(queries, holder);
  return bounce === undefined || bounce.undeliverable_since === null ? undefined : bounce;
}

/** Of one account, or of all. */
export async function undeliverableList(
  queries: Queries,
  { account, limit }: { readonly account: AccountId | undefined; readonly limit: number },
): Promise<MailBounce[]> {
  return selectWhere(queries, 'mail_bounces', account === undefined ? {} : { account_id: account })
    .selectAll()
    .where('undeliverable_since', 'is not', null)
    .orderBy('account_id')
    .orderBy('address')
    .limit(limit)
    .execute();
}

/** Returns false if there was nothing to forget. */
export async function bounceRemove(queries: Queries, { account_id, address }: Holder): Promise<boolean> {
  return affectsRows(deleteWhere(queries, 'mail_bounces', { account_id, address }).returning('address'));
}
