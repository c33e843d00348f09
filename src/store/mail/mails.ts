// Messages sent by email. Each has a row from the transaction of its cause on, and a job that sends it.
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { MailStatus } from '#contract/shapes/mail.ts';
import { affectsRows, batches, countRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { MailTable } from './tables.ts';

export type Mail = Selectable<MailTable>;
type Given = 'account_id' | 'contact_id' | 'address' | 'kind' | 'language' | 'created_at';
export type NewMail = Pick<Mail, Given> & Partial<Omit<Insertable<MailTable>, Given>>;

const unsent = { attempts: 0, sent_at: null, relay: '', error: '', subject: '', body: '' } as const;

export async function mailsInsert(queries: Queries, mails: readonly NewMail[]): Promise<number[]> {
  const rows = mails.map((mail) => ({
    ...unsent,
    status: 'Queued' as const,
    sequence: null,
    details: null,
    resend_of: null,
    summary_id: null,
    next_at: mail.created_at,
    ...mail,
  }));
  const inserted = await queries.insertInto('mails').values(rows).returning('id').execute();
  return inserted.map(({ id }) => id);
}

export async function mailFind(queries: Queries, id: number): Promise<Mail | undefined> {
  return selectWhere(queries, 'mails', { id }).selectAll().executeTakeFirst();
}

export async function mailUpdate(queries: Queries, id: number, change: Updateable<MailTable>): Promise<void> {
  await updateWhere(queries, 'mails', { id }).set(change).execute();
}

/** Marks a message that was sent. Returns false if its bounce is recorded already. */
export async function mailBounce(queries: Queries, id: number, error: string): Promise<boolean> {
  const sent = updateWhere(queries, 'mails', { id, status: 'Sent' });
  return affectsRows(sent.set({ status: 'Bounced', error }).returning('id'));
}

export interface MailPage {
  readonly account?: AccountId | undefined;
  /** Null for those to the account itself. */
  readonly contact?: number | null | undefined;
  readonly id?: number | undefined;
  readonly status?: MailStatus | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
  /** Only messages about these services, and those about none that are not of the kinds. */
  readonly within?: { readonly services: ReadonlySet<number>; readonly unlessKinds: readonly string[] } | undefined;
}
/** Newest first. */
export async function mailList(queries: Queries, page: MailPage): Promise<Mail[]> {
  const { account, contact, id, status, within } = page;
  let query = selectWhere(queries, 'mails', {
    ...(account !== undefined && { account_id: account }),
    ...(contact !== undefined && { contact_id: contact }),
    ...(id !== undefined && { id }),
    ...(status !== undefined && { status }),
  }).selectAll();
  if (page.before !== undefined) query = query.where('id', '<', page.before);
  if (within !== undefined)
    query = query.where(({ eb, and, or, not, exists, selectFrom }) => {
      const event = selectFrom('events')
        .select('sequence')
        .whereRef('events.account_id', '=', 'mails.account_id')
        .whereRef('events.sequence', '=', 'mails.sequence');
      return or([
        ...(within.services.size === 0 ? [] : [exists(event.where('events.service_id', 'in', [...within.services]))]),
        and([eb('kind', 'not in', within.unlessKinds), not(exists(event.where('events.service_id', 'is not', null)))]),
      ]);
    });
  return query.orderBy('id', 'desc').limit(page.limit).execute();
}

export interface RecentMail {
  readonly account_id: AccountId;
  readonly address: string;
  readonly kind: string;
  readonly created_at: number;
}
/** Returns the messages to these addresses since then, of all accounts or one, up to the number that limits need. */
export async function mailsRecent(
  queries: Queries,
  addresses: readonly string[],
  since: number,
  atMost: number,
  account?: AccountId,
): Promise<RecentMail[]> {
  return selectWhere(queries, 'mails', account === undefined ? {} : { account_id: account })
    .select(['account_id', 'address', 'kind', 'created_at'])
    .where('address', 'in', addresses)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .limit(atMost)
    .execute();
}

/** Returns the number of messages to each of these addresses since then, of all accounts. */
export async function mailsCountByAddress(
  queries: Queries,
  addresses: readonly string[],
  since: number,
): Promise<Map<string, number>> {
  const rows = await queries
    .selectFrom('mails')
    .select(['address', (select) => select.fn.countAll().as('count')])
    .where('address', 'in', addresses)
    .where('created_at', '>', since)
    .groupBy('address')
    .execute();
  return new Map(rows.map(({ address, count }) => [address, Number(count)]));
}

/** Of one kind, or of all. */
export async function mailsCountRecent(
  queries: Queries,
  account: AccountId,
  since: number,
  kind?: string,
): Promise<number> {
  const match = { account_id: account, ...(kind !== undefined && { kind }) };
  return countRows(selectWhere(queries, 'mails', match).where('created_at', '>', since));
}

/** Returns what waits for a summary to this address, oldest first. */
export async function mailsHeld(queries: Queries, { account_id, address }: Mail, atMost: number): Promise<Mail[]> {
  return selectWhere(queries, 'mails', { account_id, address, status: 'Held' })
    .selectAll()
    .orderBy('id')
    .limit(atMost)
    .execute();
}

/** Marks everything that waits for a summary to this address, and returns it, oldest first. */
export async function mailsTakeHeld(queries: Queries, { account_id, address }: Mail): Promise<Mail[]> {
  const taken = await updateWhere(queries, 'mails', { account_id, address, status: 'Held' })
    .set({ status: 'Summarized' })
    .returningAll()
    .execute();
  return taken.toSorted((left, right) => left.id - right.id);
}

export async function mailsLinkSummary(queries: Queries, ids: readonly number[], summary: number): Promise<void> {
  for (const batch of batches(ids))
    await queries.updateTable('mails').set({ summary_id: summary }).where('id', 'in', batch).execute();
}

/** Deletes up to the given number of the oldest messages, if they are from before this time, and returns how many. */
export async function mailsRemoveBefore(queries: Queries, at: number, atMost: number): Promise<number> {
  const oldest = await queries.selectFrom('mails').select(['id', 'created_at']).orderBy('id').limit(atMost).execute();
  const old = oldest.filter(({ created_at }) => created_at < at).map(({ id }) => id);
  for (const ids of batches(old)) await queries.deleteFrom('mails').where('id', 'in', ids).execute();
  return old.length;
}

export interface MailBacklog {
  readonly queued: number;
  readonly held: number;
  /** When the oldest queued message was created. */
  readonly oldestAt: number | null;
}
export async function mailBacklog(queries: Queries): Promise<MailBacklog> {
  const { rows } = await sql<{ status: MailStatus; count: number; oldest: number }>`
    select status, count(*) as count, min(created_at) as oldest from mails
    where status in ('Queued', 'Held') group by status`.execute(queries);
  const of = (status: MailStatus) => rows.find((row) => row.status === status);
  const oldest = of('Queued')?.oldest;
  return {
    queued: Number(of('Queued')?.count ?? 0),
    held: Number(of('Held')?.count ?? 0),
    oldestAt: oldest === undefined ? null : Number(oldest),
  };
}
