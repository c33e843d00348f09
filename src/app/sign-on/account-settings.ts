// The identity provider of an account. Only the account itself may change it: whoever does decides who signs in.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { SignOnSettings } from '#contract/shapes/sign-on.ts';
import type { signOnV2 } from '#contract/v2/sign-on.ts';
import { ApiError, invalid } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { signOnSessionsEnd } from '#store/account/keys.ts';
import * as store from '#store/sign-on/sign-on.ts';
import type { Queries } from '#store/store.ts';
import { signInChange } from '../account/signed-in.ts';
import type { App, Context } from '../app.ts';
import { domainShape, requireOwner } from './domains.ts';
import { redirectPath } from './flows.ts';
import { isAcceptableUrl, type ProviderSettings } from './provider.ts';
import { defaultClaim, defaultScopes } from './staff-settings.ts';

export interface AccountProvider extends ProviderSettings {
  readonly claim: string;
  readonly grants: readonly { readonly value: string; readonly permissions: readonly string[] }[];
  readonly updatedAt: number;
}

/** Returns undefined if the account has no identity provider. */
export async function findAccountProvider(
  { secrets }: Pick<App, 'secrets'>,
  queries: Queries,
  account: AccountId,
): Promise<AccountProvider | undefined> {
  const row = await store.providerFind(queries, account);
  return (
    row && {
      account,
      issuer: row.issuer,
      clientId: row.client_id,
      clientSecret: secrets.open(row.client_secret, sealContext(account)),
      scopes: store.providerScopes.decode(row.scopes),
      claim: row.claim,
      grants: store.providerGrants.decode(row.grants),
      updatedAt: row.updated_at,
    }
  );
}

export async function signOnSettingsGet({ queries, caller }: Context): Promise<Static<typeof SignOnSettings>> {
  const row = await store.providerFind(queries, caller.account);
  return {
    configured: row === undefined ? '0' : '1',
    issuer: row?.issuer ?? '',
    clientid: row?.client_id ?? '',
    scopes: row === undefined ? [] : [...store.providerScopes.decode(row.scopes)],
    claim: row?.claim ?? '',
    grants: row === undefined ? [] : (structuredClone(store.providerGrants.decode(row.grants)) as never),
    updated: row === undefined ? '' : timeText(row.updated_at),
    redirecturi: redirectPath(caller.account),
    domains: (await store.domainList(queries, caller.account)).map(domainShape),
  };
}

export async function signOnSettingsSet(
  context: Context,
  fields: InputOf<typeof signOnV2.signOnSettingsSet>,
): Promise<Static<typeof SignOnSettings>> {
  const { queries, caller, app } = context;
  requireOwner(context);
  const { issuer, clientid, clientsecret, scopes = defaultScopes, claim = defaultClaim, grants } = fields;
  if (!isAcceptableUrl(issuer)) throw invalid({ issuer: 'must be a URL that starts with https://' });
  const { account } = caller;
  const stored = await store.providerFind(queries, account);
  const isSameClient = stored?.issuer === issuer && stored.client_id === clientid;
  // Another provider must not get the secret of this one.
  if (clientsecret === undefined && !isSameClient)
    throw invalid({ clientsecret: 'is required for a new issuer or client' });
  await store.providerPut(queries, {
    account_id: account,
    issuer,
    client_id: clientid,
    client_secret:
      clientsecret === undefined ? stored!.client_secret : app.secrets.seal(clientsecret, sealContext(account)),
    scopes: store.providerScopes.encode(scopes),
    claim,
    grants: store.providerGrants.encode(grants),
    updated_at: app.clock.now(),
  });
  if (stored !== undefined && stored.issuer !== issuer) await endSignOnSessions(context);
  context.emit('account.signon.changed', { ...signInChange(context), change: 'provider set', detail: issuer });
  return signOnSettingsGet(context);
}

export async function signOnSettingsDelete(context: Context): Promise<void> {
  const { queries, caller } = context;
  requireOwner(context);
  const issuer = (await store.providerFind(queries, caller.account))?.issuer ?? '';
  if (!(await store.providerRemove(queries, caller.account))) throw new ApiError('not_found');
  for (const domain of await store.domainList(queries, caller.account))
    await store.domainUpdate(queries, domain, { required: 0 });
  await endSignOnSessions(context);
  context.emit('account.signon.changed', { ...signInChange(context), change: 'provider removed', detail: issuer });
}

/** Nobody stays signed in through a provider that the account no longer trusts. */
async function endSignOnSessions({ queries, caller, app, afterCommit }: Context): Promise<void> {
  await signOnSessionsEnd(queries, caller.account, app.clock.now());
  afterCommit(() => app.authentication.forget());
}

function sealContext(account: AccountId): string {
  return `sign_on_providers client_secret ${account}`;
}
