// Talks to an OpenID Connect provider: discovery, authorization code with PKCE, and the verification of what it returns.
// Every request, also to the URLs in the provider's own metadata, goes through one function with limits, and for the
// provider of an account through the egress guard. Nothing is cached: a sign-in is rare, and a key may have been withdrawn.
import { createHmac } from 'node:crypto';
import type * as oidc from 'openid-client';
import type { Agent } from 'undici';
import { ApiError } from '#lib/api-error.ts';
import { EgressError } from '#lib/egress.ts';
import { readLimited } from '#lib/read-limited.ts';
import type { AccountId } from '#store/account-id.ts';
import { providerAccount } from '#store/account/accounts.ts';
import type { App } from '../app.ts';

export interface ProviderSettings {
  readonly account: AccountId;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly certificateAuthority?: string | undefined;
}

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

const requestTimeoutMs = 10_000;
const maxResponseBytes = 512 * 1024;
/** How far the clocks of the two sides may be apart. */
const clockToleranceSeconds = 60;
/** As long as the standard allows. PostgreSQL can neither index much longer ones nor store a zero byte. */
const subjectPattern = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** The loopback exception is for a provider on the same machine, and for tests. */
export function isAcceptableUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

export const noEmailMessage = 'The identity provider did not report a verified email address.';

export function signOnFailed(message: string, cause?: unknown): ApiError {
  return new ApiError('sign_on_failed', { message, ...(cause === undefined ? {} : { cause }) });
}

/** The values of a flow that the provider must return unchanged. All follow from the secret that the browser keeps. */
function flowValues(secret: string) {
  const derive = (label: string): string => createHmac('sha256', secret).update(label).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

/** Returns the page of the provider that the browser is sent to. */
export async function authorizationUrl(
  app: App,
  settings: ProviderSettings,
  flow: { readonly secret: string; readonly redirectUri: string; readonly loginHint: string },
): Promise<string> {
  return withProvider(app, settings, async (client, configuration) => {
    const { state, nonce, verifier } = flowValues(flow.secret);
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: flow.redirectUri,
      scope: [...new Set(['openid', ...settings.scopes])].join(' '),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(flow.loginHint !== '' && { login_hint: flow.loginHint }),
    });
    // The browser opens it, so that a scheme such as javascript: would run in our page.
    if (!isAcceptableUrl(url.href)) throw signOnFailed('The identity provider’s sign-in page has an invalid address.');
    return url.href;
  });
}

/** Exchanges the code in the response for the claims about the person, all of which are verified. */
export async function readClaims(
  app: App,
  settings: ProviderSettings,
  flow: { readonly secret: string; readonly response: URL },
): Promise<Claims> {
  return withProvider(app, settings, async (client, configuration) => {
    const { state, nonce, verifier } = flowValues(flow.secret);
    const tokens = await client.authorizationCodeGrant(configuration, flow.response, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    if (!subjectPattern.test(claims.sub)) throw new Error('the subject is too long, or has control characters');
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    // Many providers return groups only here.
    return { ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
  });
}

async function withProvider<T>(
  app: App,
  settings: ProviderSettings,
  work: (client: typeof oidc, configuration: oidc.Configuration) => Promise<T>,
): Promise<T> {
  const { issuer, clientId, clientSecret } = settings;
  const client = await import('openid-client');
  try {
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      {
        client_secret: clientSecret,
        [client.clockSkew]: Math.round((app.clock.now() - Date.now()) / 1000),
        [client.clockTolerance]: clockToleranceSeconds,
      },
      chooseAuthentication(client, clientSecret),
      {
        [client.customFetch]: (url, options) => fetchWithLimits(app, settings, url, options),
        execute: [
          // By default the library trusts TLS instead of the signature.
          client.enableNonRepudiationChecks,
          ...(new URL(issuer).protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    return await work(client, configuration);
  } catch (error) {
    throw describeFailure(client, error);
  }
}

/** Basic authentication is the default of the standard, but some providers accept only the other. */
function chooseAuthentication(client: typeof oidc, secret: string): oidc.ClientAuth {
  return (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost;
    return authenticate(secret)(server, metadata, body, headers);
  };
}

/** Redirects are not followed: the library rejects every status but the expected one. */
async function fetchWithLimits(
  app: App,
  { account, certificateAuthority }: ProviderSettings,
  url: string,
  { method, headers, body, signal }: oidc.CustomFetchOptions,
): Promise<Response> {
  const undici = await import('undici');
  const agent: Agent =
    account === providerAccount
      ? new undici.Agent(certificateAuthority === undefined ? {} : { connect: { ca: certificateAuthority } })
      : await app.egress.createAgent(account);
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  try {
    const response = await undici.request(url, {
      method: method as 'GET' | 'POST',
      headers,
      ...(body instanceof URLSearchParams || typeof body === 'string' ? { body: String(body) } : {}),
      dispatcher: agent,
      signal: AbortSignal.any(signal === undefined ? [timeout] : [timeout, signal]),
    });
    const content = await readLimited(
      response.body,
      maxResponseBytes,
      () => new EgressError('sent a response that is too large'),
    );
    const hasBody = ![101, 204, 205, 304].includes(response.statusCode);
    return new Response(hasBody ? new Uint8Array(content) : null, {
      status: response.statusCode,
      headers: { 'content-type': String(response.headers['content-type'] ?? '') },
    });
  } finally {
    await agent.destroy();
  }
}

/** Says what went wrong without revealing anything about our network. Never an error of ours: the provider decides it. */
function describeFailure(client: typeof oidc, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const causes = causesOf(error);
  const refusal = causes.find((cause) => cause instanceof EgressError);
  if (refusal !== undefined) return signOnFailed(`The identity provider ${refusal.message}.`, error);
  if (error instanceof client.AuthorizationResponseError)
    return signOnFailed(
      error.error === 'access_denied'
        ? 'The sign-in was cancelled at the identity provider.'
        : 'The identity provider reported an error. Start again.',
      error,
    );
  const codes = causes.map(({ code }) => code);
  if (codes.includes('OAUTH_JWT_TIMESTAMP_CHECK_FAILED'))
    return signOnFailed('The identity provider’s response has expired: its clock differs from the server’s.', error);
  // Of the system, of undici and of TLS.
  const isNetwork = causes.some(
    ({ name, code = '' }) => name === 'TimeoutError' || /^(?:E[A-Z]{4}|UND_ERR_)|CERT|SSL/.test(code),
  );
  if (isNetwork) return signOnFailed('The identity provider did not respond. Try again later.', error);
  return signOnFailed('The identity provider’s response was not accepted. Start again.', error);
}

function causesOf(error: unknown): (Error & { readonly code?: string })[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 8; cause = cause.cause) causes.push(cause);
  return causes;
}
