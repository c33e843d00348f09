// The account as its owner sees it.
import type { Static } from 'typebox';
import type { Account as AccountShape } from '#contract/shapes/account.ts';
import { Fault } from '#kernel/fault.ts';
import { momentText, unsetMoment } from '#kernel/moments.ts';
import { moneyText } from '#kernel/money.ts';
import { accountFind, accountFindWithOwed, type Account, type AccountWithOwed } from '#store/account/accounts.ts';
import type { Context } from '../yard.ts';

type Shape = Static<typeof AccountShape>;

/** What a row looks like to its owner. On SQLite a row that nobody has changed is the same row again, and so is this. */
const shownOf = new WeakMap<AccountWithOwed, Shape>();

export async function accountGet(context: Context): Promise<Shape> {
  const account = found(await accountFindWithOwed(context.queries, context.caller.account));
  let known = shownOf.get(account);
  if (known === undefined) shownOf.set(account, (known = Object.freeze(shown(account))));
  return known;
}

function shown(account: AccountWithOwed): Shape {
  return {
    id: String(account.id),
    firstname: account.firstname,
    lastname: account.lastname,
    fullname: `${account.firstname} ${account.lastname}`,
    companyname: account.companyname,
    email: account.email,
    address1: account.address1,
    address2: account.address2,
    city: account.city,
    state: account.state,
    postcode: account.postcode,
    countrycode: account.country,
    phonenumber: account.phonenumber,
    status: account.status,
    balance: balanceOf(account),
    lastlogin: lastLogin(account),
    currency: account.currency,
  };
}

export async function balanceGet(context: Context): Promise<string> {
  return balanceOf(found(await accountFindWithOwed(context.queries, context.caller.account)));
}

export async function callersAccount(context: Context): Promise<Account> {
  return found(await accountFind(context.queries, context.caller.account));
}

/** A key without its account is nothing that anybody may see. */
function found<T>(account: T | undefined): T {
  if (account === undefined) throw new Fault('not_found');
  return account;
}

/** What the ledger says is owed: negative when the provider owes the customer. */
function balanceOf(account: AccountWithOwed): string {
  return moneyText(account.owed_cents);
}

function lastLogin(account: AccountWithOwed): string {
  const at = account.last_login_at === null ? unsetMoment : momentText(account.last_login_at);
  const address = account.last_login_address ?? '';
  return `${at}\n${address}\n${account.last_login_host ?? address}`;
}
