// Erasure of accounts: requested by the owner or by staff, possible while nothing is owed and no service runs, and
// cancelled until the waiting time has ended.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { privacyOperator } from '#contract/operator/privacy.ts';
import type { Erasure as ErasureShape, ErasurePreview, OperatorErasure } from '#contract/shapes/privacy.ts';
import { conflict } from '#lib/api-error.ts';
import { moneyText } from '#lib/money.ts';
import { dayMs, optionalTimeText, timeText } from '#lib/time.ts';
import { accountChange, accountFind, accountFindWithOwed, providerAccount } from '#store/account/accounts.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountFind, billingAccountLock } from '#store/billing/billing-accounts.ts';
import { serviceList } from '#store/devices/services.ts';
import { volumeList } from '#store/devices/volumes.ts';
import { zoneCount } from '#store/dns/zones.ts';
import { netblockList } from '#store/network/netblocks.ts';
import * as store from '#store/privacy/erasures.ts';
import type { Queries } from '#store/store.ts';
import type { Context } from '../app.ts';
import { removeZonesOfAccount } from '../dns/lost-names.ts';
import { getCustomer } from '../operator/accounts.ts';
import { isServiceVisible, type ServiceLimits } from '../services/limits.ts';
import { requireOwner } from './owner.ts';
import { getPrivacySettings } from './settings.ts';

/** Calls that began before an account was closed could add what its erasure would miss. They have ended after this time. */
export const maxCallMs = 5 * 60_000;
const defaultPage = 100;

export async function erasureGet({ queries, caller }: Context): Promise<Static<typeof ErasurePreview>> {
  const { waitingDays, keptYears } = await getPrivacySettings(queries);
  const erasure = await store.erasureFind(queries, caller.account);
  return {
    erasure: erasure === undefined ? null : erasureShape(erasure),
    obstacles: await findObstacles(queries, caller.account, caller.services),
    waitingdays: String(waitingDays),
    keptyears: String(keptYears),
  };
}

export async function erasureRequest(context: Context): Promise<void> {
  requireOwner(context);
  await requestErasure(context, context.caller.account, null, '');
}

export async function operatorErasureRequest(
  context: Context,
  { id, reason }: InputOf<typeof privacyOperator.erasureRequest>,
): Promise<void> {
  const { id: account } = await getCustomer(context.queries, id);
  await requestErasure(context.onBehalfOf(account), account, context.caller.operator!.name, reason);
}

async function requestErasure(
  context: Context,
  account: AccountId,
  operator: string | null,
  reason: string,
): Promise<void> {
  const { queries, app } = context;
  const earlier = await store.erasureFind(queries, account);
  if (earlier !== undefined && earlier.status !== 'Cancelled')
    throw conflict(earlier.status === 'Waiting' ? 'The erasure has already been requested.' : 'The account is erased.');
  const obstacles = await findObstacles(queries, account);
  if (obstacles.length > 0) throw conflict(obstacles.join(' '));
  const { waitingDays } = await getPrivacySettings(queries);
  const now = app.clock.now();
  const { next_day } = await billingAccountLock(queries, account);
  // The last invoice comes first.
  const erase_at = Math.max(now + waitingDays * dayMs, ((next_day ?? -1) + 1) * dayMs);
  await store.erasurePut(queries, {
    account_id: account,
    status: 'Waiting',
    operator,
    reason,
    requested_at: now,
    erase_at,
    erased_at: null,
    kept_until: null,
    purged_at: null,
  });
  context.emit('account.erasure.requested', { until: new Date(erase_at).toISOString(), operator: operator ?? '' });
}

export async function erasureCancel(context: Context): Promise<void> {
  requireOwner(context);
  await cancelErasure(context, context.caller.account);
}

export async function operatorErasureCancel(context: Context, id: number): Promise<void> {
  const { id: account } = await getCustomer(context.queries, id);
  await cancelErasure(context.onBehalfOf(account), account);
}

async function cancelErasure(context: Context, account: AccountId): Promise<void> {
  const waiting = { account_id: account, status: 'Waiting' } as const;
  if (!(await store.erasureMove(context.queries, waiting, { status: 'Cancelled' })))
    throw conflict('No erasure has been requested.');
  context.emit('account.erasure.cancelled', { reason: '' });
}

/** Returns what has to be settled before the account can be erased, a sentence each, for a reader with these limits. */
export async function findObstacles(
  queries: Queries,
  account: AccountId,
  limits: ServiceLimits = undefined,
): Promise<string[]> {
  const services = (await serviceList(queries, account, undefined)).filter(
    ({ id, status }) => status !== 'Terminated' && isServiceVisible(limits, id),
  );
  const { owed_cents: owed, status } = (await accountFindWithOwed(queries, account))!;
  // Those of a closed account, which nobody could delete, go with the erasure.
  const zones = status === 'Closed' ? 0 : await zoneCount(queries, account);
  const netblocks = await netblockList(queries, account, undefined);
  const billing = await billingAccountFind(queries, account);
  const isBilledForVolumes = billing?.next_day != null && (await volumeList(queries, account)).length > 0;
  return [
    ...(services.length > 0 ? [`Terminate these services first: ${services.map(({ id }) => id).join(', ')}.`] : []),
    ...(owed > 0 ? [`Pay the open amount of ${moneyText(owed)} first.`] : []),
    ...(owed < 0 ? [`The account has ${moneyText(-owed)} of credit. Ask the provider to refund it first.`] : []),
    ...(isBilledForVolumes ? ['Delete all volumes first.'] : []),
    ...(zones > 0 ? ['Delete all zones first.'] : []),
    ...(netblocks.length > 0 ? ['The account still has addresses. Ask the provider to take them back first.'] : []),
  ];
}

export async function erasureList(
  { queries }: Context,
  { limit = defaultPage, after }: InputOf<typeof privacyOperator.erasureList>,
): Promise<Static<typeof OperatorErasure>[]> {
  return (await store.erasureList(queries, { limit, after })).map((erasure) => ({
    account: String(erasure.account_id),
    ...erasureShape(erasure),
    erased: optionalTimeText(erasure.erased_at),
    keptuntil: optionalTimeText(erasure.kept_until),
    purged: optionalTimeText(erasure.purged_at),
  }));
}

function erasureShape(erasure: store.Erasure): Static<typeof ErasureShape> {
  return {
    status: erasure.status,
    requested: timeText(erasure.requested_at),
    eraseon: timeText(erasure.erase_at),
    operator: erasure.operator ?? '',
    reason: erasure.reason,
  };
}

/** A restored backup has accounts that were erased after it was made. */
export async function erasureReplay(
  context: Context,
  { accounts, reason }: InputOf<typeof privacyOperator.erasureReplay>,
): Promise<string> {
  const { queries, app } = context;
  const now = app.clock.now();
  let count = 0;
  for (const id of accounts) {
    const account = await accountFind(queries, id as AccountId);
    // Accounts that were created after the backup are gone.
    if (account === undefined || account.id === providerAccount) continue;
    const earlier = await store.erasureFind(queries, account.id);
    if (earlier !== undefined && ['Erased', 'Purging', 'Purged'].includes(earlier.status)) continue;
    const services = (await serviceList(queries, account.id, undefined)).filter(
      ({ status }) => status !== 'Terminated',
    );
    if (services.length > 0) throw conflict(`Account ${id} has services in the restored data. Terminate them first.`);
    await store.erasurePut(queries, {
      account_id: account.id,
      status: 'Erasing',
      operator: context.caller.operator!.name,
      reason,
      requested_at: now,
      erase_at: now + maxCallMs,
      erased_at: null,
      kept_until: null,
      purged_at: null,
    });
    await accountChange(queries, account.id, { status: 'Closed' });
    await removeZonesOfAccount(app, queries, account.id);
    context.onBehalfOf(account.id);
    count++;
  }
  context.afterCommit(() => {
    app.authentication.forget();
    app.nameService.catchUp();
  });
  return String(count);
}
