// Email domains of an account's single sign-on, each proved by a record in its DNS. Several accounts may have proved the
// same domain; what one of them requires concerns its own contacts only.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { SignOnDomainProof } from '#contract/parameters.ts';
import type { SignOnDomain } from '#contract/shapes/sign-on.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { optionalTimeText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { passkeyList } from '#store/account/passkeys.ts';
import { customerHolder, type Person } from '#store/account/people.ts';
import { signInOf } from '#store/account/sign-ins.ts';
import * as store from '#store/sign-on/sign-on.ts';
import type { Queries } from '#store/store.ts';
import { signInChange } from '../account/signed-in.ts';
import type { App, Context } from '../app.ts';
import type { Caller } from '../caller.ts';
import { proofRecord, publicLookUp, requireProof } from '../dns/domain-proof.ts';
import { dnsSettings } from '../dns/settings.ts';
import { suffixKind } from '../dns/zone-names.ts';

const maxDomains = 20;
const tokenBytes = 20;

/** Contacts may have every scope, and still must not decide who else signs in. */
export function requireOwner({ caller }: Pick<Context, 'caller'>): void {
  if (caller.contact !== undefined)
    throw new ApiError('permission_missing', { message: 'Only the account itself can change its single sign-on.' });
}

export async function signOnDomainAdd(context: Context, text: string): Promise<Static<typeof SignOnDomain>> {
  const { queries, caller, app } = context;
  requireOwner(context);
  const domain = domainName(text);
  if (suffixKind(domain) !== undefined)
    throw invalid({ domain: 'is a public suffix, under which anyone can register domains' });
  // Two calls at once must not both take the last place of the account.
  await billingAccountLock(queries, caller.account);
  const domains = await store.domainList(queries, caller.account);
  if (domains.some((existing) => existing.domain === domain))
    throw new ApiError('already_exists', { message: 'This domain has already been added.' });
  if (domains.length >= maxDomains)
    throw conflict(`An account can have at most ${maxDomains} domains. Remove one first.`);
  const row = {
    account_id: caller.account,
    domain,
    token: randomBytes(tokenBytes).toString('hex'),
    required: 0,
    verified_at: null,
    created_at: app.clock.now(),
  };
  await store.domainInsert(queries, row);
  context.emit('account.signon.changed', { ...signInChange(context), change: 'domain added', detail: domain });
  return domainShape(row);
}

/** Looks up the record, before the transaction starts. */
export async function proveSignOnDomain(app: App, caller: Caller, text: string): Promise<SignOnDomainProof> {
  const { queries } = app.store;
  const domain = domainName(text);
  try {
    requireOwner({ caller });
    const { token } = requireFound(await store.domainFind(queries, caller.account, domain), 'Add the domain first.');
    await requireProof(publicLookUp(await dnsSettings(queries)), proofRecord(domain, token));
    return { domain, token };
  } catch (error) {
    if (error instanceof ApiError) return { failure: error };
    throw error;
  }
}

export async function signOnDomainVerify(
  context: Context,
  proof: SignOnDomainProof,
  required: boolean | undefined,
): Promise<Static<typeof SignOnDomain>> {
  const { queries, caller, app } = context;
  if ('failure' in proof) throw proof.failure;
  const { domain, token } = proof;
  const row = requireFound(await store.domainFind(queries, caller.account, domain));
  if (required === true) await requireBreakGlass(context);
  const change = {
    verified_at: row.verified_at ?? app.clock.now(),
    required: required === undefined ? row.required : Number(required),
  };
  if (!(await store.domainUpdate(queries, { account_id: caller.account, domain, token }, change)))
    throw new ApiError('not_found');
  const kind = change.required === 1 ? 'domain required' : 'domain verified';
  context.emit('account.signon.changed', { ...signInChange(context), change: kind, detail: domain });
  return domainShape({ ...row, ...change });
}

/** The account itself can always sign in with a password, so that alone must not be the weakest way in. */
async function requireBreakGlass({ queries, caller }: Context): Promise<void> {
  await billingAccountLock(queries, caller.account);
  if ((await store.providerFind(queries, caller.account)) === undefined)
    throw conflict('The account has no identity provider yet. Set it first.');
  if (!(await hasSecondFactor(queries, caller.account)))
    throw conflict(
      'The account itself can always sign in without the identity provider, so it needs a second factor first.',
    );
}

/** Called after the removal of a second factor: the account itself keeps one while single sign-on is required. */
export async function requireFactorLeft({ queries, caller }: Context): Promise<void> {
  if (caller.contact !== undefined) return;
  // Of two removals at once, the second must see the first, and so must a domain that becomes required.
  await billingAccountLock(queries, caller.account);
  const isRequired = (await store.domainList(queries, caller.account)).some(({ required }) => required === 1);
  if (isRequired && !(await hasSecondFactor(queries, caller.account)))
    throw conflict(
      'This is your only second factor, and single sign-on is required for a domain of the account. Add another one first.',
    );
}

async function hasSecondFactor(queries: Queries, account: AccountId): Promise<boolean> {
  const owner = { account_id: account, contact_id: null };
  const passkeys = await passkeyList(queries, customerHolder(owner));
  return passkeys.length > 0 || (await signInOf(queries, owner))?.totp_since != null;
}

export async function signOnDomainDelete(context: Context, text: string): Promise<void> {
  requireOwner(context);
  const domain = domainName(text);
  if (!(await store.domainRemove(context.queries, context.caller.account, domain))) throw new ApiError('not_found');
  context.emit('account.signon.changed', { ...signInChange(context), change: 'domain removed', detail: domain });
}

/** Throws if this person of the account must use its identity provider. The account itself never must. */
export async function requireSignOnOptional(queries: Queries, person: Person): Promise<void> {
  if (person.contact_id === null) return;
  const domain = (await signInOf(queries, person))?.email.split('@').at(-1) ?? '';
  const row = await store.domainFind(queries, person.account_id, domain);
  if (row?.required === 1 && row.verified_at !== null) throw new ApiError('sign_on_required');
}

export function domainShape({ domain, token, required, verified_at }: store.SignOnDomain): Static<typeof SignOnDomain> {
  return {
    domain,
    verified: optionalTimeText(verified_at),
    required: required === 1 ? '1' : '0',
    ...proofRecord(domain, token),
  };
}

function domainName(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}
