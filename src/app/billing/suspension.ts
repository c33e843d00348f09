// Suspending an account that does not pay, with its services, and letting it go on again. Services that were not active before
// stay as they were.
import { eventAppend, type AppendParts } from '#jobs/event-append.ts';
import { accountFind, accountStatusSet } from '#store/account/accounts.ts';
import { suspensionFind, suspensionInsert, suspensionRemove } from '#store/billing/billing-suspensions.ts';
import { serviceList, serviceStatusSet } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { messageAppend } from './messages.ts';

/** In a transaction that holds the account. An account that is not active, for whatever reason, is left alone. */
export async function suspend(
  parts: AppendParts,
  queries: Queries,
  account: AccountId,
  invoiceNumber: string,
): Promise<void> {
  if ((await accountFind(queries, account))?.status !== 'Active') return;
  const active = (await serviceList(queries, account, undefined)).filter(({ status }) => status === 'Active');
  const ids = active.map(({ id }) => id);
  await accountStatusSet(queries, account, 'Suspended');
  await suspensionInsert(queries, account, parts.clock.now(), ids);
  await messageAppend(parts, queries, { account, type: 'account.suspended', data: { invoicenum: invoiceNumber } });
  for (const id of ids) {
    await serviceStatusSet(queries, account, id, { from: 'Active', to: 'Suspended' });
    await eventAppend(parts, queries, { account, service: id, type: 'service.suspended', data: {} });
  }
}

/** In a transaction that holds the account. What the operator has suspended by hand stays so. */
export async function resume(parts: AppendParts, queries: Queries, account: AccountId): Promise<void> {
  const ids = await suspensionFind(queries, account);
  if (ids === undefined) return;
  await suspensionRemove(queries, account);
  if ((await accountFind(queries, account))?.status === 'Suspended') {
    await accountStatusSet(queries, account, 'Active');
    await messageAppend(parts, queries, { account, type: 'account.resumed', data: {} });
  }
  for (const id of ids) {
    if (!(await serviceStatusSet(queries, account, id, { from: 'Suspended', to: 'Active' }))) continue;
    await eventAppend(parts, queries, { account, service: id, type: 'service.resumed', data: {} });
  }
}
