// Accounts as the provider's staff see them.
import type { Static } from 'typebox';
import type { AccountStatus } from '#contract/shapes/account.ts';
import type { OperatorAccount, OperatorAccountListItem } from '#contract/shapes/operator-account.ts';
import { Fault } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import { moneyText } from '#kernel/money.ts';
import { accountFind, accountFindWithOwed, providerAccount, type Account } from '#store/account/accounts.ts';
import { accountCounts, accountSearch } from '#store/operator/operator-accounts.ts';
import type { AccountId } from '#store/tables.ts';
import type { Context } from '../yard.ts';

/** What a list gives at once, unless told. */
export const pageLength = 100;

export interface AccountFilter {
  readonly search?: string;
  readonly status?: AccountStatus;
  readonly limit?: number;
  readonly after?: number;
}

export async function accountList(
  { queries }: Context,
  { search, status, limit = pageLength, after = 0 }: AccountFilter,
): Promise<Static<typeof OperatorAccountListItem>[]> {
  return (await accountSearch(queries, { search, status, limit, after })).map(listed);
}

export async function accountGet({ queries, yard }: Context, id: number): Promise<Static<typeof OperatorAccount>> {
  const account = await customer(queries, id);
  const owed = await accountFindWithOwed(queries, account.id);
  const { contacts, keys, services } = await accountCounts(queries, account.id, yard.clock.now());
  return {
    ...listed(account),
    address1: account.address1,
    address2: account.address2,
    city: account.city,
    state: account.state,
    postcode: account.postcode,
    phonenumber: account.phonenumber,
    currency: account.currency,
    balance: moneyText(owed!.owed_cents),
    lastlogin: account.last_login_at === null ? '' : momentText(account.last_login_at),
    lastaddress: account.last_login_address ?? '',
    contacts: String(contacts),
    keys: String(keys),
    services: String(services),
  };
}

/** The account of a customer. The provider's own is none. */
export async function customer(queries: Context['queries'], id: number): Promise<Account> {
  const found = id === providerAccount ? undefined : await accountFind(queries, id as AccountId);
  if (found === undefined) throw new Fault('not_found', { message: 'There is no such account.' });
  return found;
}

function listed(account: Account): Static<typeof OperatorAccountListItem> {
  return {
    id: String(account.id),
    firstname: account.firstname,
    lastname: account.lastname,
    companyname: account.companyname,
    email: account.email,
    country: account.country,
    status: account.status,
    created: momentText(account.created_at),
  };
}
