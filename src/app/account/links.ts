// One-time links by email. Their tokens are in the fragment of the URL, which browsers send neither to a server nor to
// the next page; the database has only digests.
import { randomBytes } from 'node:crypto';
import { ApiError, conflict } from '#lib/api-error.ts';
import { sha256Hex } from '#lib/secrets.ts';
import { auditAppend } from '#store/account/audit.ts';
import { choicesFind } from '#store/mail/recipients.ts';
import type { Person, SignInHolder } from '#store/account/people.ts';
import { recoveryCount, recoveryInsert } from '#store/account/recoveries.ts';
import type { Queries } from '#store/store.ts';
import type { App, Visitor } from '../app.ts';

const tokenBytes = 32;

export function createLinkToken(): { readonly token: string; readonly token_hash: string } {
  const token = randomBytes(tokenBytes).toString('base64url');
  return { token, token_hash: linkTokenHash(token) };
}

export function linkTokenHash(token: string): string {
  return sha256Hex(token);
}

/** Unexpired links of one person. Further requests send nothing, to protect the mailbox. */
const maxRecoveries = 3;
const recoveryMs = 30 * 60_000;

/**
 * Creates a link for a forgotten password, which ends once the address or password that the digest is of changes.
 * Returns undefined if the person has enough links already.
 */
export async function createRecovery(
  queries: Queries,
  holder: SignInHolder,
  sign_in_digest: string,
  now: number,
): Promise<{ readonly token: string; readonly until: string } | undefined> {
  if ((await recoveryCount(queries, holder, now)) >= maxRecoveries) return undefined;
  const { token, token_hash } = createLinkToken();
  const expires_at = now + recoveryMs;
  await recoveryInsert(queries, { token_hash, ...holder, sign_in_digest, created_at: now, expires_at });
  return { token, until: new Date(expires_at).toISOString() };
}

/** Links need a relay, and the URL of the panel from the site file: a caller's Host header proves nothing. */
export async function requireLinks({ mailer }: Pick<App, 'mailer'>): Promise<void> {
  if ((await mailer.settings())?.url === undefined)
    throw conflict('This is not available, because the provider does not send email. Please contact the provider.');
}

export function expiredLink(): ApiError {
  return new ApiError('not_found', { message: 'This link has expired or was already used. Ask for a new one.' });
}

/** Records what a person did without a key. */
export async function auditLink(
  queries: Queries,
  { account_id, contact_id }: Person,
  { address, requestId }: Pick<Visitor, 'address' | 'requestId'>,
  operation: string,
  at: number,
): Promise<void> {
  const call = { operation, target: '', outcome: 'success', request_id: requestId };
  await auditAppend(queries, { account_id, contact_id, key_id: null, at, address, ...call });
}

/** Returns the language for messages to this person; contacts that chose none get the account's. */
export async function findLanguage(queries: Queries, { account_id, contact_id }: Person): Promise<string> {
  const own = contact_id === null ? undefined : await choicesFind(queries, account_id, contact_id);
  return own === undefined || own.language === ''
    ? (await choicesFind(queries, account_id, undefined)).language
    : own.language;
}

/**
 * Writes a text that a stranger chose so that mail clients do not turn part of it into a link: an invitation must not
 * advertise.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll(/(?<=\S)[.:/@](?=\S)/gu, '$&\u2060');
}
