// A site file must not bring back the personal data of an erased account.
import { erasedAccounts } from '#store/privacy/erasures.ts';
import type { Queries } from '#store/store.ts';

export async function rejectErased(queries: Queries, customers: readonly { readonly id: number }[]): Promise<void> {
  const erased = await erasedAccounts(queries);
  const listed = customers.filter(({ id }) => erased.has(id)).map(({ id }) => id);
  if (listed.length > 0)
    throw new Error(`customer ${listed.join(', ')}: the account was erased; remove it from the site file`);
}
