// Messages as customers and staff see them, what a person chooses to receive, and previews.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import { mayConcernService } from '#contract/events/service-events.ts';
import { eventMailKinds, mailKind } from '#contract/mail/kinds.ts';
import type { mailOperator } from '#contract/operator/mail.ts';
import type {
  Mail as MailShape,
  MailPreview,
  MailSettings as SettingsShape,
  NewMail,
  OperatorMail,
  OperatorMailListItem,
} from '#contract/shapes/mail.ts';
import type { mailV2 } from '#contract/v2/mail.ts';
import { enqueueMail } from '#events/mail.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { contactFind } from '#store/account/contacts.ts';
import * as store from '#store/mail/mails.ts';
import { undeliverableList } from '#store/mail/bounces.ts';
import { choicesFind, choicesLock, choicesPut } from '#store/mail/recipients.ts';
import type { Context } from '../app.ts';
import { composeMail, hasSecrets, previewMail } from './compose.ts';
import type { MailSettings } from './settings.ts';
import { listLanguages } from './texts.ts';

const defaultPage = 100;
const kindsAboutServices = [...eventMailKinds.filter(mayConcernService), 'summary'];

export async function mailGet(
  { queries, caller }: Context,
  { id, before, limit = defaultPage }: InputOf<typeof mailV2.mailGet>,
): Promise<Static<typeof MailShape>[]> {
  // The account and its keys see everything, a sub-account contact what is theirs. A key that is limited to services sees what is
  // about these; people have received everything that is theirs.
  const within =
    caller.services === undefined || caller.keyKind === 'session'
      ? undefined
      : { services: caller.services, unlessKinds: kindsAboutServices };
  const page = { account: caller.account, contact: caller.contact, id, before, limit, within };
  const mails = await store.mailList(queries, page);
  if (id !== undefined && mails.length === 0) throw new ApiError('not_found');
  return mails.map((mail) => ({
    ...listedShape(mail),
    diagnostic: mail.status === 'Bounced' ? mail.error : '',
    text: mail.body,
  }));
}

export async function mailSettingsGet({ app, queries, caller }: Context): Promise<Static<typeof SettingsShape>> {
  const { language, off } = await choicesFind(queries, caller.account, caller.contact);
  const settings = await app.mailer.settings();
  const contact = caller.contact === undefined ? undefined : await contactFind(queries, caller.account, caller.contact);
  return {
    language,
    off: [...off],
    enabled: settings !== undefined,
    undeliverable: (await undeliverableList(queries, { account: caller.account, limit: defaultPage }))
      .filter(({ address }) => contact === undefined || address === contact.email)
      .map(({ address, diagnostic, undeliverable_since }) => ({
        address,
        diagnostic,
        since: timeText(undeliverable_since!),
      })),
    languages: await listLanguages(settings?.texts),
    kinds: eventMailKinds.flatMap((kind) => {
      const { flag, label, isRequired, isPersonal } = mailKind(kind);
      if (contact !== undefined && isPersonal !== true && contact[flag] === 0) return [];
      const required = isRequired === true && contact === undefined;
      return [{ kind, label, required, received: required || !off.includes(kind) }];
    }),
  };
}

export async function mailSettingsSet(
  { app, queries, caller }: Context,
  { off, language }: InputOf<typeof mailV2.mailSettingsSet>,
): Promise<void> {
  if (off === undefined && language === undefined)
    throw new ApiError('invalid_parameter', { message: 'Nothing to change. Give at least one setting.' });
  // People decide about their own messages; what concerns the account needs the scope for it.
  if (caller.contact === undefined && !caller.scopes.has('account:write'))
    throw new ApiError('scope_missing', { message: 'Your key needs the scope account:write.' });
  const required = (off ?? []).filter((kind) => mailKind(kind).isRequired === true);
  if (caller.contact === undefined && required.length > 0)
    throw invalid({ off: `must not contain ${required.join(', ')}, which the account always receives` });
  if (language !== undefined && language !== '') {
    const languages = await listLanguages((await app.mailer.settings())?.texts);
    if (!languages.includes(language)) throw invalid({ language: `must be one of ${languages.join(', ')}` });
  }
  const current = await choicesLock(queries, caller.account, caller.contact);
  await choicesPut(queries, caller.account, caller.contact, {
    language: language ?? current.language,
    off: off === undefined ? current.off : [...new Set(off)],
  });
}

export async function mailList(
  { queries }: Context,
  { account, status, before, limit = defaultPage }: InputOf<typeof mailOperator.mailList>,
): Promise<Static<typeof OperatorMailListItem>[]> {
  const page = { account: account as AccountId | undefined, status, before, limit };
  return (await store.mailList(queries, page)).map(operatorShape);
}

export async function operatorMailGet({ app, queries }: Context, id: number): Promise<Static<typeof OperatorMail>> {
  const mail = requireFound(await store.mailFind(queries, id));
  const settings = await app.mailer.settings();
  const composed =
    settings === undefined
      ? undefined
      : await composeMail(app, settings, mail).then(
          ({ shown }) => shown,
          () => undefined,
        );
  return {
    ...operatorShape(mail),
    ...(mail.subject === '' && composed !== undefined && { subject: composed.subject }),
    text: mail.body === '' ? (composed?.text ?? '') : mail.body,
    html: composed?.html ?? '',
  };
}

/** A message that is waiting is sent now; any other is sent again as a new one. */
export async function mailResend(context: Context, id: number): Promise<Static<typeof NewMail>> {
  const { app, queries } = context;
  const mail = requireFound(await store.mailFind(queries, id));
  const now = app.clock.now();
  if (mail.status === 'Held' || mail.status === 'Summarized')
    throw conflict('This message is part of a summary. Send the summary again.');
  context.onBehalfOf(mail.account_id);
  if (mail.status === 'Queued') {
    await store.mailUpdate(queries, id, { next_at: now });
    await enqueueMail(app, queries, id, mail.attempts, now);
    return { id: String(id) };
  }
  if (mail.details !== null && hasSecrets(mail.kind))
    throw conflict('This message contained a link that works once. Send a new link instead.');
  const { account_id, contact_id, address, kind, sequence, details, language } = mail;
  const row = { account_id, contact_id, address, kind, sequence, details, language, resend_of: id, created_at: now };
  const [copy] = await store.mailsInsert(queries, [row]);
  await enqueueMail(app, queries, copy!, 0, now);
  return { id: String(copy) };
}

/** Previews also work before a relay is configured. */
export async function mailPreview(
  { app }: Pick<Context, 'app'>,
  { kind, language }: InputOf<typeof mailOperator.mailPreview>,
): Promise<Static<typeof MailPreview>> {
  const settings: MailSettings = (await app.mailer.settings()) ?? {
    from: 'noreply@example.net',
    relays: [],
    provider: 'Example Hosting',
    legal: ['Example Hosting GmbH', 'Musterstraße 1', '10115 Berlin, DE'],
  };
  const { subject, text, html } = await previewMail(app, settings, kind, language);
  return { subject, text, html };
}

function listedShape(mail: store.Mail) {
  return {
    id: String(mail.id),
    contact: mail.contact_id === null ? '' : String(mail.contact_id),
    address: mail.address,
    kind: mail.kind,
    subject: mail.subject,
    status: mail.status,
    created: timeText(mail.created_at),
    sent: optionalTimeText(mail.sent_at),
  };
}

function operatorShape(mail: store.Mail): Static<typeof OperatorMailListItem> {
  const isPending = mail.status === 'Queued' || mail.status === 'Held';
  return {
    ...listedShape(mail),
    account: String(mail.account_id),
    attempts: String(mail.attempts),
    next: isPending ? timeText(mail.next_at) : '',
    relay: mail.relay,
    error: mail.error,
    resendof: mail.resend_of === null ? '' : String(mail.resend_of),
  };
}
