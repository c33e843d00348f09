// The currency of an account. All its amounts are in it, so it cannot change once there is one: the ledger of an account
// never has two currencies, and nothing adds them.
import type { InputOf } from '#contract/endpoint.ts';
import type { currencyOperator } from '#contract/operator/currency.ts';
import { conflict, invalid } from '#lib/api-error.ts';
import { hasTwoDecimals } from '#lib/currency.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountChange, type Account } from '#store/account/accounts.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { hasLedgerEntries } from '#store/billing/ledger.ts';
import { termsOfAccount } from '#store/billing/service-terms.ts';
import { openChargeCount } from '#store/payments/charges.ts';
import { couponsOfAccount, type RedeemedCoupon } from '#store/pricing/coupons.ts';
import type { Queries } from '#store/store.ts';
import { getCustomer } from '../../operator/accounts.ts';
import type { Context } from '../../app.ts';
import { otherCurrencyOf } from './settings.ts';

export async function accountCurrencySet(
  { queries, onBehalfOf }: Context,
  { account: id, currency }: InputOf<typeof currencyOperator.accountCurrencySet>,
): Promise<void> {
  const account = await getCustomer(queries, id);
  onBehalfOf(account.id);
  requireTwoDecimals(currency);
  if (currency === account.currency) return;
  const obstacle = await findAmounts(queries, account.id);
  if (obstacle !== undefined) throw conflict(obstacle);
  await accountChange(queries, account.id, { currency, currency_prefix: '', currency_suffix: '' });
}

/** Returns what has amounts in the account's currency, if anything. Needs a transaction. */
async function findAmounts(queries: Queries, account: AccountId): Promise<string | undefined> {
  // Bookings take the same lock.
  await billingAccountLock(queries, account);
  if (await hasLedgerEntries(queries, account))
    return 'The account has ledger entries in its currency. Create another account for the new currency.';
  if ((await termsOfAccount(queries, account, 0)).length > 0)
    return 'The account has services with prices in its currency.';
  if ((await couponsOfAccount(queries, account)).some(hasAmountLeft))
    return 'The account has redeemed a coupon for an amount in its currency. Create another account for the new currency.';
  // The page of a top-up says which currency is paid.
  if ((await openChargeCount(queries, account)) > 0)
    return 'The account has started a payment in its currency. Try again when it has been completed or has expired.';
  return undefined;
}

function hasAmountLeft({ amount_cents, periods, periods_used }: RedeemedCoupon): boolean {
  return amount_cents !== null && periods_used < (periods ?? Infinity);
}

export function requireTwoDecimals(currency: string): void {
  if (!hasTwoDecimals(currency))
    throw invalid({ currency: 'must have two decimals: amounts are stored in hundredths' });
}

/** Throws if a site file gives an account that has amounts another currency. Needs a transaction. */
export async function requireSameCurrency(
  queries: Queries,
  { id, currency }: Pick<Account, 'id' | 'currency'>,
  wanted: string,
): Promise<void> {
  const obstacle = currency === wanted ? undefined : await findAmounts(queries, id);
  if (obstacle !== undefined)
    throw new Error(
      `customer ${id} cannot change from ${currency} to ${wanted}. ${obstacle} Give the customer currency: ${currency}`,
    );
}

/** Throws if the account has another currency than the provider's, in which the prices of licences are. */
export async function requireProviderCurrency(queries: Queries, account: AccountId): Promise<void> {
  const currency = await otherCurrencyOf(queries, account);
  if (currency !== undefined) throw conflict(`This is not sold in ${currency}, the currency of the account.`);
}
