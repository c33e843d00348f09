// The message that an account was erased outlives the account's other data, until it was sent.
import { deleteWhere, selectWhere } from '../engine/rows.ts';
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

export async function mailsRemoveEnded(queries: Queries, account: AccountId): Promise<void> {
  await deleteWhere(queries, 'mails', { account_id: account }).where('status', '!=', 'Queued').execute();
}
