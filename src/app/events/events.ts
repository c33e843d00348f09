// The account reads its event log. A cursor is the number of the last event read, under a keyed digest: it works for the
// account and the installation that gave it, and cannot be made up.
import type { EventData, EventType } from '#contract/events.ts';
import type { EventValue } from '#contract/shapes/event.ts';
import { eventAppend } from '#jobs/event-append.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { sameSecret } from '#kernel/secrets.ts';
import * as store from '#store/work/events.ts';
import { serviceFind } from '#store/devices/services.ts';
import type { AccountId } from '#store/tables.ts';
import type { Context, Yard } from '../yard.ts';

const digestLength = 24;
const defaultLimit = 100;

/** Tells of a service in a transaction that is not the call's own; what belongs to that goes through `context.tell`. */
export async function tellOf<T extends EventType>(
  context: Context,
  service: { readonly id: number; readonly account_id: AccountId },
  type: T,
  data: EventData<T>,
): Promise<void> {
  await eventAppend(context.yard, context.queries, { account: service.account_id, service: service.id, type, data });
}

export interface EventFilter {
  readonly type?: readonly EventType[];
  readonly service?: number;
}

export async function eventLogGet(
  context: Context,
  query: EventFilter & { readonly after?: string; readonly limit?: number; readonly newest?: boolean },
): Promise<{ events: EventValue[]; cursor: string }> {
  const { yard, caller } = context;
  await checkService(yard, caller.account, query);
  if (query.newest === true) {
    if (query.after !== undefined) throw invalid({ newest: 'must not be given together with after' });
    return newestEvents(context, query);
  }
  const after = query.after === undefined ? 0 : readCursor(yard, caller.account, query.after, 'after');
  const page = await eventPage(yard, caller.account, after, query.limit ?? defaultLimit, query);
  return { events: page.events.map(({ event }) => event), cursor: cursorText(yard, caller.account, page.position) };
}

async function newestEvents(
  { yard, caller }: Context,
  query: EventFilter & { readonly limit?: number },
): Promise<{ events: EventValue[]; cursor: string }> {
  const upTo = await store.eventTip(yard.store.queries, caller.account);
  const rows = await store.eventList(
    yard.store.queries,
    caller.account,
    { after: 0, upTo, limit: query.limit ?? defaultLimit, types: typesOf(query), service: query.service },
    'newest',
  );
  return { events: rows.map(eventValue), cursor: cursorText(yard, caller.account, upTo) };
}

function typesOf({ type }: EventFilter): readonly EventType[] | undefined {
  return type === undefined || type.length === 0 ? undefined : type;
}

export async function checkService(yard: Yard, account: AccountId, { service }: EventFilter): Promise<void> {
  if (service === undefined) return;
  if ((await serviceFind(yard.store.queries, account, service)) === undefined) throw new Fault('not_found');
}

export interface EventPage {
  readonly events: readonly { readonly sequence: number; readonly event: EventValue }[];
  /** Everything up to here has been seen, whether the filter let it through or not. */
  readonly position: number;
}
export async function eventPage(
  yard: Yard,
  account: AccountId,
  after: number,
  limit: number,
  filter: EventFilter,
): Promise<EventPage> {
  // Read first: all that it counts is committed, so the list below misses none of it.
  const upTo = await store.eventTip(yard.store.queries, account);
  // The database is older than the cursor, as after going back to a copy: its numbers will be given to other events.
  if (after > upTo) throw cursorFault('after');
  if (after === upTo) return { events: [], position: upTo };
  const rows = await store.eventList(yard.store.queries, account, {
    after,
    upTo,
    limit,
    types: typesOf(filter),
    service: filter.service,
  });
  const position = rows.length < limit ? upTo : rows.at(-1)!.sequence;
  return { events: rows.map((row) => ({ sequence: row.sequence, event: eventValue(row) })), position };
}

/** An event as it is told, wherever it is told. */
export function eventValue(event: store.StoredEvent): EventValue {
  return {
    id: eventId(event.account_id, event.sequence),
    type: event.type as EventType,
    version: event.version,
    timestamp: new Date(event.at).toISOString(),
    service: event.service_id === null ? '' : String(event.service_id),
    data: JSON.parse(event.data) as object,
  };
}

export function eventId(account: AccountId, sequence: number): string {
  return `evt_${account}_${sequence}`;
}

export function cursorText(yard: Pick<Yard, 'secrets'>, account: AccountId, sequence: number): string {
  const digest = yard.secrets.digest(`event cursor ${account} ${sequence}`).slice(0, digestLength);
  return Buffer.from(`${sequence}.${digest}`).toString('base64url');
}

/** The number inside; a Fault that names the field where the text is not a cursor of this account and installation. */
export function readCursor(yard: Pick<Yard, 'secrets'>, account: AccountId, text: string, field: string): number {
  const sequence = Number(Buffer.from(text, 'base64url').toString('latin1').split('.')[0]);
  if (!Number.isSafeInteger(sequence) || sequence < 0) throw cursorFault(field);
  const own = cursorText(yard, account, sequence);
  if (!sameSecret(Buffer.from(own), Buffer.from(text))) throw cursorFault(field);
  return sequence;
}

function cursorFault(field: string): Fault {
  return invalid({ [field]: 'must be a cursor that this account got here' });
}
