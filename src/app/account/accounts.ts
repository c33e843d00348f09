// The account as its owner sees it.
import type { Static } from 'typebox';
import type { Account as AccountShape } from '#contract/shapes/account.ts';
import { requireFound } from '#lib/api-error.ts';
import { timeText, unsetTime } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import { accountFind, accountFindWithOwed, type Account, type AccountWithOwed } from '#store/account/accounts.ts';
import { keyOrSessionFind } from '#store/account/keys.ts';
import type { Context } from '../app.ts';

type Shape = Static<typeof AccountShape>;

/** Caches the response per row: on SQLite an unchanged row is the same object again. */
const shapeOfRow = new WeakMap<AccountWithOwed, Shape>();

export async function accountGet({ queries, caller }: Context): Promise<Shape> {
  const account = requireFound(await accountFindWithOwed(queries, caller.account));
  let shape = shapeOfRow.get(account);
  if (shape === undefined) shapeOfRow.set(account, (shape = accountShape(account)));
  // Staff who view the account see what its API keys see.
  if (caller.keyKind === 'key' || caller.limited === 'support') return shape;
  const session = requireFound(await keyOrSessionFind(queries, caller.account, caller.key));
  return {
    ...shape,
    lastlogin: loginText(session.previous_login_at, session.previous_login_address, session.previous_login_host),
  };
}

function accountShape(account: AccountWithOwed): Shape {
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
    balance: balanceText(account),
    lastlogin: loginText(account.last_login_at, account.last_login_address, account.last_login_host),
    currency: account.currency,
  };
}

export async function balanceGet(context: Context): Promise<string> {
  return balanceText(requireFound(await accountFindWithOwed(context.queries, context.caller.account)));
}

export async function getCallersAccount(context: Context): Promise<Account> {
  return requireFound(await accountFind(context.queries, context.caller.account));
}

/** Returns what is owed according to the ledger: negative if the provider owes the customer. */
function balanceText(account: AccountWithOwed): string {
  return moneyText(account.owed_cents);
}

function loginText(at: number | null, address: string | null, host: string | null): string {
  return `${at === null ? unsetTime : timeText(at)}\n${address ?? ''}\n${host ?? address ?? ''}`;
}
