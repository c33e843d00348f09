// Accounts made, changed, suspended, resumed and closed by the provider's staff.
import { Fault, invalid } from '#kernel/fault.ts';
import { accountStatusSet, type Account } from '#store/account/accounts.ts';
import { suspensionFind } from '#store/billing/billing-suspensions.ts';
import { accountChange, accountFirst, accountInsert, accountKeysEnd } from '#store/operator/operator-accounts.ts';
import { serviceList } from '#store/devices/services.ts';
import { signInPut } from '#store/account/sign-ins.ts';
import type { AccountId } from '#store/tables.ts';
import { personColumns, type Person } from '../account/person-columns.ts';
import { factorsForget, sessionsEnd } from '../account/second-factors.ts';
import { resume } from '../billing/suspension.ts';
import type { Context } from '../yard.ts';
import { customer } from './accounts.ts';

export interface NewAccount extends Person {
  readonly password?: string;
  readonly currency?: string;
}

export async function accountCreate(context: Context, fields: NewAccount): Promise<string> {
  const { queries, yard } = context;
  const { password, currency, ...person } = fields;
  const id = await accountInsert(queries, {
    ...personColumns(person),
    ...(await currencyOf(context, currency)),
    status: 'Active',
    password_hash: password ?? null,
    created_at: yard.clock.now(),
  });
  await signInGive(context, id, person.email);
  context.actFor(id);
  return String(id);
}

/** One currency for all, unless told: that of the account that was there first. */
async function currencyOf({ queries }: Context, wanted: string | undefined) {
  const first = await accountFirst(queries);
  if (first !== undefined && (wanted ?? first.currency) === first.currency) {
    const { currency, currency_prefix, currency_suffix } = first;
    return { currency, currency_prefix, currency_suffix };
  }
  if (wanted === undefined) throw invalid({ currency: 'is required for the first account' });
  return { currency: wanted, currency_prefix: '', currency_suffix: '' };
}

async function signInGive({ queries }: Context, account: AccountId, email: string): Promise<void> {
  if (!(await signInPut(queries, account, null, email)))
    throw new Fault('already_exists', { message: 'Somebody else signs in with this e-mail address.' });
}

export type AccountFields = Partial<Omit<NewAccount, 'currency'>> & { readonly forgetfactors?: boolean };

export async function accountUpdate(context: Context, id: number, fields: AccountFields): Promise<void> {
  const { queries } = context;
  const account = await open(context, id);
  const { company, phone, password, country, forgetfactors, ...same } = fields;
  const change = {
    ...same,
    ...(company === undefined ? {} : { companyname: company }),
    ...(phone === undefined ? {} : { phonenumber: phone }),
    ...(country === undefined ? {} : { country: country.toUpperCase() }),
    ...(password === undefined ? {} : { password_hash: password }),
  };
  const changes = Object.keys(change).length > 0;
  if (!changes && forgetfactors !== true)
    throw new Fault('invalid_parameter', { message: 'There is nothing to change.' });
  if (fields.email !== undefined) await signInGive(context, account.id, fields.email);
  if (changes) await accountChange(queries, account.id, change);
  const person = { account_id: account.id, contact_id: null };
  if (forgetfactors === true) await factorsForget(context, person);
  else if (password !== undefined) await sessionsEnd(context, person);
  context.actFor(account.id);
}

export async function accountSuspend(context: Context, id: number): Promise<void> {
  const account = await open(context, id);
  if (account.status === 'Suspended') throw new Fault('state_conflict', { message: 'It is suspended already.' });
  await accountStatusSet(context.queries, account.id, 'Suspended');
  context.actFor(account.id).tell('account.suspended', { invoicenum: '' });
  forgetKeys(context);
}

export async function accountResume(context: Context, id: number): Promise<void> {
  const { queries, yard } = context;
  const account = await open(context, id);
  if (account.status !== 'Suspended') throw new Fault('state_conflict', { message: 'It is not suspended.' });
  const acting = context.actFor(account.id);
  if ((await suspensionFind(queries, account.id)) !== undefined) await resume(yard, queries, account.id);
  else {
    await accountStatusSet(queries, account.id, 'Active');
    acting.tell('account.resumed', {});
  }
  forgetKeys(context);
}

export async function accountClose(context: Context, id: number): Promise<void> {
  const { queries, yard } = context;
  const account = await open(context, id);
  const left = (await serviceList(queries, account.id, undefined)).filter(({ status }) => status !== 'Terminated');
  if (left.length > 0) {
    const ids = left.map((service) => service.id).join(', ');
    throw new Fault('state_conflict', { message: `These services are not terminated: ${ids}.` });
  }
  await accountStatusSet(queries, account.id, 'Closed');
  await accountKeysEnd(queries, account.id, yard.clock.now());
  context.actFor(account.id);
  forgetKeys(context);
}

async function open({ queries }: Context, id: number): Promise<Account> {
  const account = await customer(queries, id);
  if (account.status === 'Closed') throw new Fault('state_conflict', { message: 'The account is closed.' });
  return account;
}

/** The status of an account is remembered with its keys. */
function forgetKeys({ yard, afterCommit }: Context): void {
  afterCommit(() => yard.authentication.forget());
}
