// Sends messages: composes each when it is due, hands it to a relay, and records what became of it. A message that could
// not be handed over is retried over three days. A process that dies between the relay's acceptance and our commit sends
// it again, under the same Message-ID, by which mailboxes recognize a repetition.
import { enqueueMail, mailJob, type MailWork } from '#events/mail.ts';
import { jobWorker, type JobAttempt, type JobWorker } from '#queue/queue.ts';
import type { DirectMailKind } from '#contract/mail/kinds.ts';
import type { AccountId } from '#store/account-id.ts';
import {
  mailFind,
  mailsHeld,
  mailsInsert,
  mailsLinkSummary,
  mailsTakeHeld,
  mailUpdate,
  type Mail,
} from '#store/mail/mails.ts';
import { undeliverableFind } from '#store/mail/bounces.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { composeMail, documentsOf, forgetSecrets, mailSealContext } from './compose.ts';
import type { MailOutcome } from './mailer.ts';
import type { MailSettings } from './settings.ts';

const minute = 60;
const hour = 60 * minute;
/** Delays before the second, third, … attempt. Greylisting usually accepts after a few minutes. */
const retryAfterSeconds = [
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
  20 * hour,
  24 * hour,
];
/** A delay is up to this much longer, so that messages that failed together are not retried together. */
const jitter = 0.2;
const maxSummaryLines = 50;
const maxErrorLength = 500;

type SendDeps = Pick<App, 'store' | 'queue' | 'clock' | 'secrets' | 'log' | 'mailer'>;

export function mailWorker(app: SendDeps, delaysSeconds: readonly number[] = retryAfterSeconds): JobWorker {
  return jobWorker(mailJob, async (job) => {
    const mail = await mailFind(app.store.queries, job.payload.mail);
    if (mail === undefined || mail.attempts !== job.payload.attempt) return;
    if (mail.status === 'Held') await summarize(app, job, mail);
    else if (mail.status === 'Queued') await sendMail(app, job, mail, delaysSeconds);
  });
}

async function sendMail(
  app: SendDeps,
  job: JobAttempt<MailWork>,
  mail: Mail,
  delaysSeconds: readonly number[],
): Promise<void> {
  const settings = await app.mailer.settings();
  const { outcome, shown } = await attempt(app, settings, mail);
  const now = app.clock.now();
  const attempts = mail.attempts + 1;
  const common = { attempts, ...(shown !== undefined && { subject: shown.subject, body: shown.text }) };
  await job.complete(async (queries) => {
    const ended = { ...common, ...forgetSecrets(app, mail) };
    if (outcome.how === 'accepted')
      return mailUpdate(queries, mail.id, { ...ended, status: 'Sent', sent_at: now, relay: outcome.relay, error: '' });
    const error = outcome.error.slice(0, maxErrorLength);
    const delaySeconds = delaysSeconds[attempts - 1];
    if (outcome.how === 'rejected' || delaySeconds === undefined)
      return mailUpdate(queries, mail.id, { ...ended, status: 'Failed', error });
    const next = Math.ceil(now + delaySeconds * 1000 * (1 + jitter * Math.random()));
    await mailUpdate(queries, mail.id, { ...common, next_at: next, error });
    await enqueueMail(app, queries, mail.id, attempts, next);
  });
}

interface Attempt {
  readonly outcome: MailOutcome;
  /** Undefined if it could not be composed. */
  readonly shown?: { readonly subject: string; readonly text: string };
}

async function attempt(app: SendDeps, settings: MailSettings | undefined, mail: Mail): Promise<Attempt> {
  const bounce = await undeliverableFind(app.store.queries, mail);
  if (bounce !== undefined)
    return { outcome: { how: 'rejected', error: `the address is undeliverable: ${bounce.diagnostic}` } };
  if (settings === undefined) return { outcome: { how: 'deferred', error: 'the site file has no mail section' } };
  try {
    const message = await composeMail(app, settings, mail);
    const attachments = [...message.attachments, ...(await documentsOf(app, message, mail))];
    return { outcome: await app.mailer.send({ ...message, attachments }), shown: message.shown };
  } catch (error) {
    app.log.error({ err: error, mail: mail.id }, 'a message cannot be composed');
    return { outcome: { how: 'deferred', error: `it cannot be composed: ${(error as Error).message}` } };
  }
}

/** Puts the subjects of all messages that wait for this address into one; a single one is sent unchanged. */
async function summarize(app: SendDeps, job: JobAttempt<MailWork>, held: Mail): Promise<void> {
  const settings = await app.mailer.settings();
  const subjects = new Map<number, string>();
  // Before the transaction, which must not take long.
  for (const mail of await mailsHeld(app.store.queries, held, maxSummaryLines))
    subjects.set(mail.id, await subjectOf(app, settings, mail));
  await job.complete(async (queries) => {
    const mails = await mailsTakeHeld(queries, held);
    const now = app.clock.now();
    if (mails.length === 0) return undefined;
    if (mails.length === 1) {
      await mailUpdate(queries, mails[0]!.id, { status: 'Queued', next_at: now });
      return enqueueMail(app, queries, mails[0]!.id, mails[0]!.attempts, now);
    }
    const lines = mails.slice(0, maxSummaryLines).map(({ id, kind, created_at }) => {
      const time = new Date(created_at).toISOString().slice(11, 16);
      return `${time} UTC: ${subjects.get(id) ?? kind}`;
    });
    if (mails.length > maxSummaryLines) lines.push(`… (${mails.length - maxSummaryLines})`);
    const { account_id: account, contact_id: contact, address, language } = held;
    const values = { count: String(mails.length), messages: lines.join('\n') };
    const summary = await queueMail(app, queries, { account, contact, address, language, kind: 'summary', values });
    return mailsLinkSummary(
      queries,
      mails.map(({ id }) => id),
      summary,
    );
  });
}

async function subjectOf(app: SendDeps, settings: MailSettings | undefined, mail: Mail): Promise<string> {
  if (settings === undefined) return mail.kind;
  return composeMail(app, settings, mail).then(
    ({ shown }) => shown.subject,
    () => mail.kind,
  );
}

export interface DirectMail {
  readonly account: AccountId;
  /** Null for the account itself. */
  readonly contact: number | null;
  readonly address: string;
  /** Empty for the provider's default. */
  readonly language: string;
  readonly kind: DirectMailKind;
  readonly values: Readonly<Record<string, string>>;
}

/** Queues a message that is not about an event, in the caller's transaction. The values are sealed. */
export async function queueMail(
  app: Pick<App, 'queue' | 'clock' | 'secrets'>,
  queries: Queries,
  { account, contact, address, language, kind, values }: DirectMail,
): Promise<number> {
  const now = app.clock.now();
  const details = app.secrets.seal(JSON.stringify(values), mailSealContext(account, address));
  const row = { account_id: account, contact_id: contact, address, language, kind, details, created_at: now };
  const [id] = await mailsInsert(queries, [row]);
  await enqueueMail(app, queries, id!, 0, now);
  return id!;
}
