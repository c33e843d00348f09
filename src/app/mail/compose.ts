// Composes a message: texts, values and layout become subject, text and HTML. Every value passes through `cleanValue`
// first, so that none can add a line to a header or hide what it says.
import { readFile } from 'node:fs/promises';
import { isEventMailKind, mailKind, type DirectMailKind, type EventMailKind } from '#contract/mail/kinds.ts';
import type { MailAttachment, OutgoingMail } from '#drivers/mail/driver.ts';
import { fillText } from '#lib/fill-text.ts';
import { accountFind } from '#store/account/accounts.ts';
import { contactFind } from '#store/account/contacts.ts';
import { eventList } from '#store/work/events.ts';
import type { Mail } from '#store/mail/mails.ts';
import { withoutLinks } from '../account/links.ts';
import type { App } from '../app.ts';
import { renderInvoice, wantedElectronicInvoice } from '../billing/invoice-documents.ts';
import { renderHtml, renderText, type Block, type Frame } from './blocks.ts';
import { directSamples, layouts, type Layout } from './layouts.ts';
import type { MailSettings } from './settings.ts';
import { loadTexts, type Catalogue } from './texts.ts';
import { returnPath } from './return-path.ts';
import { unsubscribeUrl } from './unsubscribe.ts';
import { directValues, loadOccasion, occasionValues, sampleOccasion, textsName, type Values } from './values.ts';

export interface Content {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
export interface ComposedMail extends OutgoingMail {
  /** For the log of messages: without what only the recipient may see. */
  readonly shown: Content;
  /** The invoice to attach. */
  readonly invoice: number | undefined;
}
type ComposeDeps = Pick<App, 'store' | 'secrets' | 'clock' | 'log'>;
type Kind = EventMailKind | DirectMailKind;

const defaultColour = '#2456c7';
const logoId = 'logo@hostyard';
const maxValueLength = 500;
const maxListLength = 20_000;

/** The values of a message that is not about an event are sealed for its row. */
export function mailSealContext(account: number, address: string): string {
  return `mails.details ${account} ${address}`;
}

/** Throws if the message cannot be composed, for example because its event has been deleted. */
export async function composeMail(app: ComposeDeps, settings: MailSettings, mail: Mail): Promise<ComposedMail> {
  const language = mail.language === '' ? (settings.language ?? 'en') : mail.language;
  const { catalogue, problems } = await loadTexts(language, settings.texts);
  for (const problem of problems) app.log.warn({ problem }, "the provider's own texts of messages cannot be used");
  const recipient = await findPerson(app, mail);
  const kind = mail.kind as Kind;
  const { texts, values } = await loadValues(app, mail, language, catalogue);
  const message: Message = {
    kind,
    texts,
    values: { ...recipient, ...values, provider: settings.provider },
    override: mail.sequence === null ? undefined : overrideOf(values),
  };
  const unsubscribe = settings.url === undefined ? undefined : unsubscribeUrl(app, settings.url, mail);
  const logo = await readLogo(app, settings);
  const frame = { settings, language, catalogue, unsubscribe, hasLogo: logo !== undefined };
  const content = renderMessage(message, frame);
  return {
    ...content,
    shown: renderMessage(withoutSecrets(message, catalogue), { ...frame, unsubscribe: undefined, hasLogo: false }),
    invoice: kind === 'invoice.issued' ? Number(values['invoiceid']) : undefined,
    messageId: `<${app.secrets.digest(`mail ${mail.id}`).slice(0, 32)}@${domainOf(settings.from)}>`,
    from: { name: settings.provider, address: settings.from },
    replyTo: settings.replyTo,
    returnPath: settings.bounceAddress && returnPath(app, settings.bounceAddress, mail.id),
    to: mail.address,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    attachments: logo === undefined ? [] : [logo],
  };
}

/** Composes a kind of message with sample data. */
export async function previewMail(
  app: Pick<App, 'clock'>,
  settings: MailSettings,
  kind: Kind,
  language: string = settings.language ?? 'en',
): Promise<Content> {
  const { catalogue } = await loadTexts(language, settings.texts);
  const at = app.clock.now();
  const occasion = isEventMailKind(kind) ? sampleOccasion(kind, at) : undefined;
  const values =
    occasion === undefined
      ? directValues(directSamples[kind as DirectMailKind], at, language, catalogue)
      : occasionValues(occasion, language, catalogue);
  const person = { firstname: 'Ada', lastname: 'Lovelace' };
  const texts = occasion === undefined ? kind : textsName(occasion);
  const url = settings.url ?? 'https://panel.example.net';
  const isOptional = isEventMailKind(kind) && mailKind(kind).isRequired !== true;
  return renderMessage(
    { kind, texts, values: { ...values, ...person, provider: settings.provider }, override: undefined },
    {
      settings: { ...settings, url },
      language,
      catalogue,
      unsubscribe: isOptional ? `${url}/mail/unsubscribe/sample` : undefined,
      hasLogo: false,
    },
  );
}

async function findPerson({ store }: ComposeDeps, { account_id, contact_id }: Mail): Promise<Values> {
  const { queries } = store;
  const person =
    contact_id === null ? await accountFind(queries, account_id) : await contactFind(queries, account_id, contact_id);
  return { firstname: withoutLinks(person?.firstname ?? ''), lastname: withoutLinks(person?.lastname ?? '') };
}

async function loadValues(
  app: ComposeDeps,
  mail: Mail,
  language: string,
  catalogue: Catalogue,
): Promise<{ readonly texts: string; readonly values: Values }> {
  if (mail.details !== null) {
    const opened = app.secrets.open(mail.details, mailSealContext(mail.account_id, mail.address));
    return {
      texts: mail.kind,
      values: directValues(JSON.parse(opened) as Values, mail.created_at, language, catalogue),
    };
  }
  const { account_id, sequence } = mail;
  const range = { after: sequence! - 1, upTo: sequence!, limit: 1, types: undefined, service: undefined };
  const [event] = await eventList(app.store.queries, account_id, range);
  if (event === undefined) throw new Error('the event that it is about has been deleted');
  const occasion = await loadOccasion(app, app.store.queries, event);
  const { message } = occasion.data as { message?: { subject: string; text: string } };
  return {
    texts: textsName(occasion),
    values: {
      ...occasionValues(occasion, language, catalogue),
      ...(message !== undefined && { messagesubject: message.subject, messagetext: message.text }),
    },
  };
}

/** The provider's own text for this event, which the site file has under `messages`. */
function overrideOf({ messagesubject, messagetext }: Values): Message['override'] {
  return messagesubject === undefined || messagetext === undefined
    ? undefined
    : { subject: messagesubject, text: messagetext };
}

interface Message {
  readonly kind: Kind;
  /** The name of its texts in the catalogue. */
  readonly texts: string;
  readonly values: Values;
  readonly override: { readonly subject: string; readonly text: string } | undefined;
}
interface Surroundings {
  readonly settings: MailSettings;
  readonly language: string;
  readonly catalogue: Catalogue;
  readonly unsubscribe: string | undefined;
  readonly hasLogo: boolean;
}

function renderMessage(message: Message, surroundings: Surroundings): Content {
  const { settings, language, catalogue, hasLogo } = surroundings;
  const { kind, override } = message;
  const layout = layouts[kind];
  const values = mapValues(message.values, (value, name) =>
    name === layout.list || name === layout.quote ? value : cleanValue(value),
  );
  const texts = catalogue.messages[message.texts] ?? {};
  const fill = (text: string): string => fillText(text, values);
  const subject = cleanValue(override?.subject ?? fill(texts.subject ?? message.texts));
  const rows = (layout.facts ?? [])
    .filter((name) => (values[name] ?? '') !== '')
    .map((name) => [catalogue.labels[name] ?? name, values[name]!] as const);
  const code = values[layout.code ?? ''];
  const link = linkUrl(fill(layout.link ?? ''), settings.url);
  // Values were cleaned as single lines; this one keeps its line breaks.
  const quote = (values[layout.quote ?? ''] ?? '').slice(0, maxListLength).split('\n').map(cleanValue).join('\n');
  const items = (values[layout.list ?? ''] ?? '').slice(0, maxListLength).split('\n').map(cleanValue).filter(Boolean);
  const blocks: Block[] = [
    ...(override === undefined ? paragraphs(catalogue.common['greeting'] ?? '', (text) => tidy(fill(text))) : []),
    ...(override === undefined ? paragraphs(texts.text ?? '', fill) : verbatim(override.text)),
    ...verbatim(quote),
    ...(rows.length === 0 ? [] : [{ kind: 'facts', rows } as const]),
    ...(code ? [{ kind: 'code', text: code } as const] : []),
    ...(items.length === 0 ? [] : [{ kind: 'list', items } as const]),
    ...(link === undefined || texts.button === undefined
      ? []
      : [{ kind: 'button', label: fill(texts.button), url: link } as const]),
    ...(texts.note === undefined ? [] : [{ kind: 'note', text: fold(fill(texts.note)) } as const]),
  ];
  const frame: Frame = {
    language,
    subject,
    provider: settings.provider,
    colour: settings.colour ?? defaultColour,
    logo: hasLogo ? logoId : undefined,
    footer: footerOf(surroundings, layout),
  };
  return { subject, text: renderText(blocks, frame), html: renderHtml(blocks, frame) };
}

function footerOf({ settings, catalogue: { common }, unsubscribe }: Surroundings, layout: Layout): Frame['footer'] {
  const choosesKinds = layout.isForStaff !== true && layout.isForStranger !== true;
  const settingsPage = choosesKinds ? linkUrl('/panel/mail', settings.url) : undefined;
  return [
    ...(settings.footer === undefined ? [] : settings.footer.split('\n')),
    ...(settings.legal.length === 0 ? [settings.provider] : settings.legal),
    ...(unsubscribe === undefined ? [] : [{ label: common['unsubscribe'] ?? '', url: unsubscribe }]),
    ...(settingsPage === undefined ? [] : [{ label: common['settings'] ?? '', url: settingsPage }]),
  ];
}

/** Closes the gaps of unknown names, such as those of a person invited to sign up. */
function tidy(greeting: string): string {
  return greeting.split(' ').filter(Boolean).join(' ').replace(' ,', ',');
}

function paragraphs(text: string, fill: (text: string) => string): Block[] {
  return splitParagraphs(text).map((part) => ({ kind: 'paragraph', text: fill(fold(part)) }));
}

/** Keeps the line breaks. */
function verbatim(text: string): Block[] {
  return splitParagraphs(text).map((part) => ({ kind: 'paragraph', text: part }));
}

function splitParagraphs(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .join('\n')
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function fold(text: string): string {
  return text.trim().replaceAll('\n', ' ');
}

/** A path needs the URL of the panel; without it there is no link. */
function linkUrl(link: string, url: string | undefined): string | undefined {
  if (/^https?:\/\//.test(link)) return link;
  return link === '' || url === undefined ? undefined : `${url.replace(/\/$/, '')}${link}`;
}

/** One line of at most 500 characters, without control characters and those that change the direction of text. */
export function cleanValue(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, maxValueLength);
}

function withoutSecrets(message: Message, { common }: Catalogue): Message {
  const secrets = layouts[message.kind].secrets ?? [];
  const hide = (value: string, name: string): string => (secrets.includes(name) ? (common['hidden'] ?? '') : value);
  return { ...message, values: mapValues(message.values, hide) };
}

/** Returns true if messages of this kind cannot be sent again, because their secrets are forgotten once they were sent. */
export function hasSecrets(kind: string): boolean {
  return (layouts[kind as Kind].secrets ?? []).length > 0;
}

/** Returns the sealed values of a message that was sent, without those that only its recipient may have. */
export function forgetSecrets({ secrets: box }: Pick<App, 'secrets'>, mail: Mail): Pick<Mail, 'details'> {
  const { secrets = [] } = layouts[mail.kind as Kind];
  if (mail.details === null || secrets.length === 0) return { details: mail.details };
  const context = mailSealContext(mail.account_id, mail.address);
  const values = Object.entries(JSON.parse(box.open(mail.details, context)) as Values);
  return {
    details: box.seal(JSON.stringify(Object.fromEntries(values.filter(([name]) => !secrets.includes(name)))), context),
  };
}

function mapValues(values: Values, map: (value: string, name: string) => string): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Renders the documents of a message, which takes a while and is needed only when it is sent. */
export async function documentsOf(app: ComposeDeps, { invoice }: ComposedMail, mail: Mail): Promise<MailAttachment[]> {
  if (invoice === undefined) return [];
  const { name, bytes } = await renderInvoice(app, app.store.queries, mail.account_id, invoice);
  const electronic = await wantedElectronicInvoice(app, app.store.queries, mail.account_id, invoice);
  return [
    { filename: name, contentType: 'application/pdf', content: bytes },
    ...electronic.map((file) => ({ filename: file.name, contentType: 'application/xml', content: file.bytes })),
  ];
}

/** A logo that cannot be read must not stop an invoice. */
async function readLogo({ log }: ComposeDeps, { logo }: MailSettings): Promise<MailAttachment | undefined> {
  if (logo === undefined) return undefined;
  try {
    const contentType = /\.jpe?g$/i.test(logo) ? 'image/jpeg' : 'image/png';
    const filename = contentType === 'image/png' ? 'logo.png' : 'logo.jpg';
    return { filename, contentType, content: await readFile(logo), cid: logoId };
  } catch (error) {
    log.warn({ err: error }, 'the logo for messages cannot be read');
    return undefined;
  }
}
