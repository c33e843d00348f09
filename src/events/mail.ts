// Enqueues the messages about events, in the transaction of the events: a message exists exactly if its cause does.
import { mayConcernService } from '#contract/events/service-events.ts';
import { isEventMailKind, mailKind, type EventMailKind, type MailKind } from '#contract/mail/kinds.ts';
import type { Clock } from '#lib/clock.ts';
import { hourMs } from '#lib/time.ts';
import type { JobKind, Queue } from '#queue/queue.ts';
import {
  mailsCountByAddress,
  mailsCountRecent,
  mailsInsert,
  mailsRecent,
  type NewMail,
  type RecentMail,
} from '#store/mail/mails.ts';
import { recipientList, type Recipient } from '#store/mail/recipients.ts';
import type { Queries } from '#store/store.ts';
import { eventData, type StoredEvent } from '#store/work/events.ts';

/** Sends one message, or summarizes those that wait with it. */
export const mailJob: JobKind<MailWork> = {
  name: 'mail',
  deadlineSeconds: 600,
  // Retries of messages are counted by the messages; these are for an unavailable database.
  retries: 100,
  firstRetrySeconds: 2,
  maxRetrySeconds: 300,
  concurrency: 4,
};
interface MailParts {
  readonly queue: Pick<Queue, 'enqueue'>;
  readonly clock: Clock;
}

export interface MailWork {
  readonly mail: number;
  /** The attempt that this job is for: a job for an earlier one does nothing. */
  readonly attempt: number;
}

const minuteMs = 60_000;
/** How long the second and later messages of a group wait for a summary. */
const groupMs = 15 * minuteMs;
/**
 * Messages per hour to one address, whichever account causes them; those beyond wait for a summary. Anyone can be a contact,
 * so for the account itself only its own count: another must not delay or replace the notice of a changed password.
 */
const hourlyPerAddress = 30;
/** Of those that one account causes, those beyond are not even summarized. */
const hourlyMaximum = 300;
/** Messages per hour that one account causes. Beyond that its contacts receive none, because anyone can be a contact. */
const hourlyPerAccount = 300;

export async function enqueueMails(parts: MailParts, queries: Queries, events: readonly StoredEvent[]): Promise<void> {
  const wanted = events.filter(isWorthMail);
  if (wanted.length === 0) return;
  const { account_id } = wanted[0]!;
  const kinds = wanted.map(({ type }) => mailKind(type as EventMailKind));
  const recipients = await recipientList(
    queries,
    account_id,
    [...new Set(kinds.map(({ flag }) => flag))],
    wanted.flatMap((event) => concernedContact(event) ?? []),
  );
  if (recipients.length === 0) return;
  const now = parts.clock.now();
  const addresses = [...new Set(recipients.map(({ address }) => address))];
  const since = now - hourMs;
  const own = await mailsRecent(queries, addresses, since, addresses.length * hourlyMaximum, account_id);
  const counts = await mailsCountByAddress(queries, addresses, since);
  const accountTotal = await mailsCountRecent(queries, account_id, since);
  const mails: NewMail[] = [];
  for (const event of wanted)
    for (const recipient of recipients) {
      if (!isFor(recipient, event)) continue;
      if (recipient.contact !== null && accountTotal + mails.length >= hourlyPerAccount) continue;
      const count = counts.get(recipient.address) ?? 0;
      const mail = plan(recipient, event, { own: [...own, ...mails], count }, now);
      if (mail === undefined) continue;
      mails.push(mail);
      counts.set(mail.address, count + 1);
    }
  if (mails.length === 0) return;
  const ids = await mailsInsert(queries, mails);
  for (const [index, id] of ids.entries()) await enqueueMail(parts, queries, id, 0, mails[index]!.next_at ?? now);
}

/** Enqueues the attempt after the given number of earlier ones. */
export async function enqueueMail(
  { queue }: Pick<MailParts, 'queue'>,
  queries: Queries,
  mail: number,
  attempt: number,
  runAt: number,
): Promise<void> {
  await queue.enqueue(queries, mailJob, { mail, attempt }, { runAt });
}

function isWorthMail({ type, data }: StoredEvent): boolean {
  if (!isEventMailKind(type)) return false;
  const { onlyIf } = mailKind(type);
  if (onlyIf === undefined) return true;
  const values = eventData.decode(data) as Readonly<Record<string, unknown>>;
  return Object.entries(onlyIf).every(([name, value]) => values[name] === value);
}

function concernedContact({ type, data }: StoredEvent): number | undefined {
  if (mailKind(type as EventMailKind).isPersonal !== true) return undefined;
  const { contactid } = eventData.decode(data) as { contactid?: string };
  return contactid === undefined || contactid === '' ? undefined : Number(contactid);
}

/** Decides by limits, flags and choices. */
function isFor(recipient: Recipient, event: StoredEvent): boolean {
  const kind: MailKind = mailKind(event.type as EventMailKind);
  const isOwner = recipient.contact === null;
  if (recipient.services !== undefined && !isWithin(recipient.services, event)) return false;
  if (recipient.off.includes(event.type) && !(isOwner && kind.isRequired === true)) return false;
  return kind.isPersonal === true
    ? isOwner || recipient.contact === concernedContact(event)
    : recipient.flags.has(kind.flag);
}

/** Returns true if a person who is limited to these services may see the event. */
export function isWithin(
  services: ReadonlySet<number>,
  { service_id, type }: Pick<StoredEvent, 'service_id' | 'type'>,
): boolean {
  return service_id === null ? !mayConcernService(type) : services.has(service_id);
}

/** Returns the message, which is held if there have been many, or undefined if there have been far too many. */
function plan(
  { contact, address, language }: Recipient,
  { account_id, type, sequence }: StoredEvent,
  recent: { readonly own: readonly RecentMail[]; readonly count: number },
  now: number,
): NewMail | undefined {
  const { group } = mailKind(type as EventMailKind);
  const own = recent.own.filter((mail) => mail.address === address);
  if (own.length >= hourlyMaximum) return undefined;
  const isFollowing =
    group !== undefined &&
    own.some(
      ({ kind, created_at }) => created_at > now - groupMs && isEventMailKind(kind) && mailKind(kind).group === group,
    );
  const count = contact === null ? own.length : recent.count;
  const isHeld = isFollowing || count >= hourlyPerAddress;
  return {
    account_id,
    contact_id: contact,
    address,
    kind: type,
    sequence,
    language,
    created_at: now,
    ...(isHeld && { status: 'Held', next_at: now + groupMs }),
  };
}
