// Customer accounts as operators see them.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { accountOperator } from '#contract/operator/account.ts';
import type { OperatorAccount, OperatorAccountListItem } from '#contract/shapes/operator-account.ts';
import { rejectWithIds, requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import { accountFind, accountFindWithOwed, providerAccount, type Account } from '#store/account/accounts.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { accountCounts, accountsByIds, accountSearch } from '#store/operator/operator-accounts.ts';
import type { Context } from '../app.ts';
import type { AccountId } from '#store/account-id.ts';

/** Default page size of lists. */
export const pageLength = 100;

export async function accountList(
  { queries }: Context,
  { ids, ...filter }: InputOf<typeof accountOperator.accountList>,
): Promise<Static<typeof OperatorAccountListItem>[]> {
  if (ids !== undefined) {
    rejectWithIds(filter);
    return (await accountsByIds(queries, ids as AccountId[])).map(accountListItem);
  }
  const { search, status, limit = pageLength, after = 0 } = filter;
  return (await accountSearch(queries, { search, status, limit, after })).map(accountListItem);
}

export async function accountGet({ queries, app }: Context, id: number): Promise<Static<typeof OperatorAccount>> {
  const account = await getCustomer(queries, id);
  const owed = await accountFindWithOwed(queries, account.id);
  const { contacts, keys, services } = await accountCounts(queries, account.id, app.clock.now());
  return {
    ...accountListItem(account),
    address1: account.address1,
    address2: account.address2,
    city: account.city,
    state: account.state,
    postcode: account.postcode,
    phonenumber: account.phonenumber,
    balance: moneyText(owed!.owed_cents),
    lastlogin: optionalTimeText(account.last_login_at),
    lastaddress: account.last_login_address ?? '',
    contacts: String(contacts),
    keys: String(keys),
    services: String(services),
  };
}

/** Returns the account of a customer. The provider's own account is not one. */
export async function getCustomer(queries: Context['queries'], id: number): Promise<Account> {
  const account = id === providerAccount ? undefined : await accountFind(queries, id as AccountId);
  return requireFound(account, 'Account not found.');
}

/** Needs a transaction, until whose end the account stays as it is: orders, payments and closing take the same lock. */
export async function lockCustomer(queries: Context['queries'], id: number): Promise<Account> {
  const account = await getCustomer(queries, id);
  await billingAccountLock(queries, account.id);
  return getCustomer(queries, id);
}

function accountListItem(account: Account): Static<typeof OperatorAccountListItem> {
  return {
    id: String(account.id),
    firstname: account.firstname,
    lastname: account.lastname,
    companyname: account.companyname,
    email: account.email,
    country: account.country,
    currency: account.currency,
    status: account.status,
    created: timeText(account.created_at),
  };
}
