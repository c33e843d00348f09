// Unsubscribing with the link of a message, which needs no sign-in (RFC 8058). The token names the person and the kind,
// and a keyed digest proves that we sent it.
import { isEventMailKind, mailKind } from '#contract/mail/kinds.ts';
import { ApiError } from '#lib/api-error.ts';
import { sameSecret } from '#lib/secrets.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Mail } from '#store/mail/mails.ts';
import { choicesLock, choicesPut } from '#store/mail/recipients.ts';
import type { App } from '../app.ts';

const digestLength = 32;

/** Returns undefined if the recipient cannot turn this kind off. */
export function unsubscribeUrl(
  { secrets }: Pick<App, 'secrets'>,
  url: string,
  { account_id, contact_id, kind }: Pick<Mail, 'account_id' | 'contact_id' | 'kind'>,
): string | undefined {
  if (!isEventMailKind(kind) || (contact_id === null && mailKind(kind).isRequired === true)) return undefined;
  const subject = `${account_id}.${contact_id ?? 0}.${kind}`;
  const token = Buffer.from(`${subject} ${digestOf(secrets, subject)}`).toString('base64url');
  return `${url.replace(/\/$/, '')}/mail/unsubscribe/${token}`;
}

function digestOf(secrets: App['secrets'], subject: string): string {
  return secrets.digest(`mail unsubscribe ${subject}`).slice(0, digestLength);
}

interface Subscription {
  readonly account: AccountId;
  readonly contact: number | undefined;
  readonly kind: string;
  readonly label: string;
}

/** Throws `not_found` if the token is not one of ours. */
export function readUnsubscribeToken({ secrets }: Pick<App, 'secrets'>, token: string): Subscription {
  const [subject = '', digest = ''] = Buffer.from(token, 'base64url').toString('latin1').split(' ');
  const [, account, contact, kind = ''] = /^(\d{1,16})\.(\d{1,16})\.([a-z.]{1,64})$/.exec(subject) ?? [];
  if (!sameSecret(Buffer.from(digestOf(secrets, subject)), Buffer.from(digest)) || !isEventMailKind(kind))
    throw new ApiError('not_found', { message: 'This link is not valid.' });
  return {
    account: Number(account) as AccountId,
    contact: contact === '0' ? undefined : Number(contact),
    kind,
    label: mailKind(kind).label,
  };
}

/** Turns the kind off for the person. Doing it twice changes nothing. */
export async function unsubscribe(app: App, token: string): Promise<Subscription> {
  const subscription = readUnsubscribeToken(app, token);
  const { account, contact, kind } = subscription;
  await app.store.transaction(async (queries) => {
    const { language, off } = await choicesLock(queries, account, contact);
    if (!off.includes(kind)) await choicesPut(queries, account, contact, { language, off: [...off, kind] });
  });
  return subscription;
}
