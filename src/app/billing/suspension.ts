// Suspends an account that does not pay, with its services, and resumes it. Services that were not active before are
// left unchanged.
import { appendEvent, type AppendParts } from '#events/append.ts';
import { accountFind, accountChange } from '#store/account/accounts.ts';
import { suspensionFind, suspensionInsert, suspensionRemove } from '#store/billing/billing-suspensions.ts';
import { suspensionOfService } from '#store/devices/service-suspensions.ts';
import { serviceList, serviceStatusSet } from '#store/devices/services.ts';
import { serviceLock } from '#store/operator/operator-services.ts';
import type { Queries } from '#store/store.ts';
import { appendMessage } from './messages.ts';
import type { AccountId } from '#store/account-id.ts';

/** The message to the customer about a service that was suspended with the account. */
export const unpaidReason = 'An invoice is overdue. The service resumes when it is paid.';

/** Skips an account that is not active, whatever the reason. Needs a transaction that holds the account. */
export async function suspendAccount(
  parts: AppendParts,
  queries: Queries,
  account: AccountId,
  invoiceNumber: string,
): Promise<void> {
  if ((await accountFind(queries, account))?.status !== 'Active') return;
  const active = (await serviceList(queries, account, undefined)).filter(({ status }) => status === 'Active');
  const ids = active.map(({ id }) => id);
  await accountChange(queries, account, { status: 'Suspended' });
  await suspensionInsert(queries, account, parts.clock.now(), ids);
  await appendMessage(parts, queries, { account, type: 'account.suspended', data: { invoicenum: invoiceNumber } });
  for (const id of ids) {
    if (!(await serviceStatusSet(queries, account, id, { from: 'Active', to: 'Suspended' }))) continue;
    await appendEvent(parts, queries, {
      account,
      service: id,
      type: 'service.suspended',
      data: { reason: unpaidReason },
    });
  }
}

/** Such an account is suspended for its late invoices once staff resume it. */
export async function isSuspendedByStaff(queries: Queries, account: AccountId): Promise<boolean> {
  if ((await accountFind(queries, account))?.status !== 'Suspended') return false;
  return (await suspensionFind(queries, account)) === undefined;
}

/** Lifts only suspensions for unpaid invoices, not those by an operator. Needs a transaction that holds the account. */
export async function resumeAccount(parts: AppendParts, queries: Queries, account: AccountId): Promise<void> {
  const ids = await suspensionFind(queries, account);
  if (ids === undefined) return;
  await suspensionRemove(queries, account);
  if ((await accountFind(queries, account))?.status === 'Suspended') {
    await accountChange(queries, account, { status: 'Active' });
    await appendMessage(parts, queries, { account, type: 'account.resumed', data: {} });
  }
  for (const id of ids) {
    await serviceLock(queries, id);
    // Staff were suspending it, or the customer was deleting it, when the account was suspended.
    if ((await suspensionOfService(queries, id)) !== undefined) continue;
    if (!(await serviceStatusSet(queries, account, id, { from: 'Suspended', to: 'Active' }))) continue;
    await appendEvent(parts, queries, { account, service: id, type: 'service.resumed', data: {} });
  }
}
