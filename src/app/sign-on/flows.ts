// A sign-in at an identity provider, from the first redirect to the response. The browser keeps a secret, from which state,
// nonce and PKCE verifier follow; the database has its digest, so that any instance can complete the flow, once and within
// ten minutes. Each account has its own redirect URI: a response to one provider's flow cannot complete that of another.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { SignOnFlow } from '#contract/shapes/sign-on.ts';
import { conflict } from '#lib/api-error.ts';
import { sha256Hex } from '#lib/secrets.ts';
import type { AccountId } from '#store/account-id.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { flowInsert, flowTake } from '#store/sign-on/sign-on.ts';
import type { Visitor } from '../app.ts';
import { authorizationUrl, readClaims, signOnFailed, type Claims, type ProviderSettings } from './provider.ts';

const flowMs = 10 * 60_000;

export async function beginFlow(
  { app, origin }: Visitor,
  settings: ProviderSettings,
  loginHint: string,
): Promise<Static<typeof SignOnFlow>> {
  if (origin === undefined) throw conflict('Single sign-on works only in a browser, on a page of this host.');
  const { account, issuer } = settings;
  const now = app.clock.now();
  const secret = randomBytes(32).toString('base64url');
  const redirectUri = `${origin}${redirectPath(account)}`;
  const url = await authorizationUrl(app, settings, { secret, redirectUri, loginHint });
  const flow = {
    hash: sha256Hex(secret),
    account_id: account,
    issuer,
    redirect_uri: redirectUri,
    expires_at: now + flowMs,
  };
  await app.store.transaction((queries) => flowInsert(queries, flow, now));
  return { url, flow: secret };
}

/** The page to which a provider sends the browser back. */
export function redirectPath(account: AccountId): string {
  return `/panel/sign-on/${account === providerAccount ? 'staff' : account}`;
}

/** Uses up the flow and returns the verified claims. `loadSettings` returns the provider that the account has now. */
export async function completeFlow<Settings extends ProviderSettings>(
  { app }: Visitor,
  { flow: secret, response }: { readonly flow: string; readonly response: string },
  loadSettings: (account: AccountId) => Promise<Settings | undefined>,
): Promise<{ readonly settings: Settings; readonly claims: Claims }> {
  // In its own transaction and before any check, so that no flow can be used twice, whatever the outcome.
  const flow = await app.store.transaction((queries) => flowTake(queries, sha256Hex(secret)));
  if (flow === undefined || app.clock.now() >= flow.expires_at)
    throw signOnFailed('This sign-in has expired or was already completed. Start again.');
  const settings = await loadSettings(flow.account_id);
  const url = URL.parse(response);
  if (settings?.issuer !== flow.issuer || url === null || `${url.origin}${url.pathname}` !== flow.redirect_uri)
    throw signOnFailed('The response does not belong to this sign-in. Start again.');
  return { settings, claims: await readClaims(app, settings, { secret, response: url }) };
}
