// Customer accounts as operators create, change, suspend, resume and close them.
import type { InputOf } from '#contract/endpoint.ts';
import type { accountOperator } from '#contract/operator/account.ts';
import { ApiError, conflict, invalid } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { accountChange, type Account } from '#store/account/accounts.ts';
import { suspensionFind } from '#store/billing/billing-suspensions.ts';
import { accountFirst, accountInsert, accountKeysEnd } from '#store/operator/operator-accounts.ts';
import { serviceList } from '#store/devices/services.ts';
import { signInPut } from '#store/account/sign-ins.ts';
import { normalizeTexts, personColumns, requireCountry } from '../account/person-columns.ts';
import { removeSecondFactors, endSessions } from '../account/second-factors.ts';
import { endImpersonations } from './impersonation-endings.ts';
import { requireTwoDecimals } from '../billing/currency/account-currency.ts';
import { resumeAccount } from '../billing/suspension.ts';
import { removeZonesOfAccount } from '../dns/lost-names.ts';
import type { Context } from '../app.ts';
import { lockCustomer } from './accounts.ts';
import type { AccountId } from '#store/account-id.ts';

/** Staff know the passwords they choose, so the person must replace them. */
const temporaryPasswordMs = 7 * 86_400_000;

export async function accountCreate(
  context: Context,
  { password, currency, ...person }: InputOf<typeof accountOperator.accountCreate>,
): Promise<string> {
  const { queries, app } = context;
  await requireCountry(person.country);
  const id = await accountInsert(queries, {
    ...personColumns(person),
    ...(await chooseCurrency(context, currency)),
    status: 'Active',
    password_hash: password ?? null,
    password_temporary_until: password === undefined ? null : app.clock.now() + temporaryPasswordMs,
    created_at: app.clock.now(),
  });
  await setSignIn(context, id, person.email);
  context.onBehalfOf(id);
  return String(id);
}

/** Defaults to the currency of the oldest account: most providers use one for all. */
async function chooseCurrency({ queries }: Context, currency: string | undefined) {
  const oldest = await accountFirst(queries);
  if (oldest !== undefined && (currency ?? oldest.currency) === oldest.currency) {
    const { currency_prefix, currency_suffix } = oldest;
    return { currency: oldest.currency, currency_prefix, currency_suffix };
  }
  if (currency === undefined) throw invalid({ currency: 'is required for the first account' });
  requireTwoDecimals(currency);
  return { currency, currency_prefix: '', currency_suffix: '' };
}

async function setSignIn({ queries, app }: Context, account: AccountId, email: string): Promise<void> {
  if (!(await signInPut(queries, account, null, email, app.clock.now())))
    throw new ApiError('already_exists', { message: 'This email address is already used to sign in.' });
}

export async function accountUpdate(
  context: Context,
  fields: InputOf<typeof accountOperator.accountUpdate>,
): Promise<void> {
  const { id, company, phone, password, country, forgetfactors, reason, ...sameColumns } = fields;
  const { queries, app } = context;
  const account = await getOpenAccount(context, id);
  if (country !== undefined) await requireCountry(country, async () => account.country);
  const change = pickDefined({
    ...normalizeTexts(sameColumns),
    companyname: company?.normalize('NFC'),
    phonenumber: phone,
    country: country?.toUpperCase(),
    password_hash: password,
    password_temporary_until: password && app.clock.now() + temporaryPasswordMs,
  });
  const hasChanges = Object.keys(change).length > 0;
  if (!hasChanges && forgetfactors !== true)
    throw new ApiError('invalid_parameter', { message: 'Nothing to change. Give at least one field.' });
  const signInChanges = pickDefined({
    email: sameColumns.email,
    password,
    secondfactors: forgetfactors === true ? true : undefined,
  });
  const changed = Object.keys(signInChanges) as (keyof typeof signInChanges)[];
  if (changed.length > 0 && reason === undefined) throw invalid({ reason: 'is required to change the sign-in' });
  if (sameColumns.email !== undefined) await setSignIn(context, account.id, sameColumns.email);
  if (hasChanges) await accountChange(queries, account.id, change);
  const person = { account_id: account.id, contact_id: null };
  if (forgetfactors === true) await removeSecondFactors(context, person);
  else if (password !== undefined) await endSessions(context, person);
  const acting = context.onBehalfOf(account.id);
  if (changed.length > 0)
    acting.emit('account.signin.changed', { changed, operator: context.caller.operator!.name, reason: reason! });
}

export async function accountSuspend(context: Context, id: number): Promise<void> {
  const account = await getOpenAccount(context, id);
  if (account.status === 'Suspended') throw conflict('The account is already suspended.');
  await accountChange(context.queries, account.id, { status: 'Suspended' });
  context.onBehalfOf(account.id).emit('account.suspended', { invoicenum: '' });
  clearKeyCache(context);
}

export async function accountResume(context: Context, id: number): Promise<void> {
  const { queries, app } = context;
  const account = await getOpenAccount(context, id);
  if (account.status !== 'Suspended') throw conflict('The account is not suspended.');
  const acting = context.onBehalfOf(account.id);
  if ((await suspensionFind(queries, account.id)) !== undefined) await resumeAccount(app, queries, account.id);
  else {
    await accountChange(queries, account.id, { status: 'Active' });
    acting.emit('account.resumed', {});
  }
  clearKeyCache(context);
}

export async function accountClose(context: Context, id: number): Promise<void> {
  const { queries, app } = context;
  const account = await getOpenAccount(context, id);
  const remaining = (await serviceList(queries, account.id, undefined)).filter(({ status }) => status !== 'Terminated');
  if (remaining.length > 0) {
    const ids = remaining.map((service) => service.id).join(', ');
    throw conflict(`Terminate these services first: ${ids}.`);
  }
  await accountChange(queries, account.id, { status: 'Closed' });
  await endImpersonations(app, queries, { account_id: account.id }, 'Staff');
  await accountKeysEnd(queries, account.id, app.clock.now());
  context.onBehalfOf(account.id);
  await removeZonesOfAccount(app, queries, account.id);
  context.afterCommit(() => app.nameService.catchUp());
  clearKeyCache(context);
}

async function getOpenAccount({ queries }: Context, id: number): Promise<Account> {
  const account = await lockCustomer(queries, id);
  if (account.status === 'Closed') throw conflict('The account is closed.');
  return account;
}

/** Cached keys carry the status of their account. */
function clearKeyCache({ app, afterCommit }: Context): void {
  afterCommit(() => app.authentication.forget());
}
