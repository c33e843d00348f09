// The message that an account was erased outlives the account's other data, until it was sent.
import { countRows, deleteWhere, selectWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';

export async function mailChoicesFind(
  queries: Queries,
  account: AccountId,
): Promise<{ readonly language: string } | undefined> {
  return selectWhere(queries, 'mail_choices', { account_id: account, contact_id: 0 })
    .select('language')
    .executeTakeFirst();
}

/** Returns true if messages remain that are still to be sent. */
export async function mailsRemoveEnded(queries: Queries, account: AccountId): Promise<boolean> {
  await deleteWhere(queries, 'mails', { account_id: account }).where('status', '!=', 'Queued').execute();
  return (await countRows(selectWhere(queries, 'mails', { account_id: account }))) > 0;
}
