// The panel's session: a key in a cookie that no script can read and that no other site can set or send. It is accepted
// only together with its token in X-CSRF-Token, which the panel gets at sign-in, and not if the browser says that
// another site sent the request.
import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionMs } from '#app/account/session-key.ts';
import type { ServedApi } from '#contract/contract.ts';
import { invalid } from '#lib/api-error.ts';
import { sameSecret } from '#lib/secrets.ts';
import { findPageOrigin } from './page-origin.ts';

export const csrfHeader = 'x-csrf-token';

/** A browser can have a session of each portal. */
export const sessionCookies = { customer: '__Host-hostyard-customer', staff: '__Host-hostyard-staff' } as const;

function cookieNameOf(api: ServedApi): string {
  return api === 'operator' ? sessionCookies.staff : sessionCookies.customer;
}

/** Derived from the key, so that every instance can verify it, and the key cannot be computed from it. */
export function csrfTokenOf(key: string): string {
  return createHmac('sha256', key).update('csrf').digest('base64url');
}

/** Returns the key of the session that this request belongs to, or an empty text. */
export function readSessionCookie(request: FastifyRequest, api: ServedApi): string {
  const { cookie, [csrfHeader]: token } = request.headers;
  // Only DNS tools use the automation API, and they have keys.
  if (api === 'automation') return '';
  if (cookie === undefined || typeof token !== 'string' || !isFromOwnPage(request)) return '';
  const prefix = `${cookieNameOf(api)}=`;
  const key = cookie
    .split('; ')
    .find((pair) => pair.startsWith(prefix))
    ?.slice(prefix.length);
  return key !== undefined && sameSecret(Buffer.from(csrfTokenOf(key)), Buffer.from(token)) ? key : '';
}

/** Called before a session is opened: another site must not be able to sign its visitors in. */
export function requireOwnPage(request: FastifyRequest): void {
  if (!isFromOwnPage(request)) throw invalid({ cookie: 'can be used only by pages of this host' });
}

/** Moves the key of a new session from the response into a cookie. */
export function keepInCookie<Session extends { readonly key: string }>(
  reply: FastifyReply,
  api: ServedApi,
  session: Session,
): Session & { readonly csrf: string } {
  setCookie(reply, api, session.key, sessionMs / 1000);
  return { ...session, key: '', csrf: csrfTokenOf(session.key) };
}

export function clearSessionCookie(reply: FastifyReply, api: ServedApi): void {
  setCookie(reply, api, '', 0);
}

function setCookie(reply: FastifyReply, api: ServedApi, value: string, seconds: number): void {
  const attributes = `Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
  reply.header('set-cookie', `${cookieNameOf(api)}=${value}; ${attributes}`);
}

/** Old browsers do not send Sec-Fetch-Site, and no browser sends Origin with a GET to the same origin. */
function isFromOwnPage(request: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined || findPageOrigin(request) !== undefined;
}
