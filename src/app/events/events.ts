// The event log of an account. A cursor is the number of the last event read, with a keyed digest, so that it is valid
// only for the account and installation that issued it and cannot be forged.
import type { EventData, EventType } from '#contract/events/events.ts';
import type { EventValue } from '#contract/shapes/event.ts';
import { appendEvent } from '#events/append.ts';
import { invalid, requireFound, type ApiError } from '#lib/api-error.ts';
import { sameSecret } from '#lib/secrets.ts';
import * as store from '#store/work/events.ts';
import { serviceFind } from '#store/devices/services.ts';
import type { AccountId } from '#store/account-id.ts';
import { pauseWork } from '#lib/slices.ts';
import type { Context, App } from '../app.ts';
import { isStock } from '../services/stock.ts';
import { isServiceVisible } from '../services/limits.ts';
import { visibleEvents, type EventReader } from './visible-events.ts';

const digestLength = 24;
const defaultLimit = 100;
/** A caller with limits gets those of this number of newest events that are within the limits. */
const newestForLimitedCallers = 1000;

/**
 * Emits an event of a service in another transaction than the call's own; events of the call go through
 * `context.emit`.
 */
export async function emitForService<T extends EventType>(
  context: Context,
  service: { readonly id: number; readonly account_id: AccountId },
  type: T,
  data: EventData<T>,
): Promise<void> {
  // A server in stock has no customer.
  if (isStock(service)) return;
  await appendEvent(context.app, context.queries, { account: service.account_id, service: service.id, type, data });
}

export interface EventFilter {
  readonly type?: readonly EventType[];
  readonly service?: number;
}

export async function eventLogGet(
  context: Context,
  query: EventFilter & { readonly after?: string; readonly limit?: number; readonly newest?: boolean },
): Promise<{ events: EventValue[]; cursor: string }> {
  const { app, caller } = context;
  await checkService(app, caller, query);
  if (query.newest === true) {
    if (query.after !== undefined) throw invalid({ newest: 'cannot be combined with after' });
    return newestEvents(context, query);
  }
  const after = query.after === undefined ? 0 : readCursor(app, caller.account, query.after, 'after');
  const page = await eventPage(app, caller, after, query.limit ?? defaultLimit, query);
  return { events: page.events.map(({ event }) => event), cursor: cursorText(app, caller.account, page.position) };
}

async function newestEvents(
  { app, caller }: Context,
  query: EventFilter & { readonly limit?: number },
): Promise<{ events: EventValue[]; cursor: string }> {
  const { queries } = app.store;
  const upTo = await store.eventTip(queries, caller.account);
  const { limit = defaultLimit, service } = query;
  const rows = await store.eventList(
    queries,
    caller.account,
    {
      after: 0,
      upTo,
      limit: caller.dnsLimits === undefined && caller.services === undefined ? limit : newestForLimitedCallers,
      types: typesOf(query),
      service,
      services: caller.services,
    },
    'newest',
  );
  const events = (await visibleEvents(queries, caller, rows)).slice(-limit);
  return { events: events.map(eventValue), cursor: cursorText(app, caller.account, upTo) };
}

function typesOf({ type }: EventFilter): readonly EventType[] | undefined {
  return type === undefined || type.length === 0 ? undefined : type;
}

export async function checkService(
  app: App,
  { account, services }: EventReader,
  { service }: EventFilter,
): Promise<void> {
  if (service === undefined) return;
  const found = await serviceFind(app.store.queries, account, service);
  requireFound(isServiceVisible(services, service) ? found : undefined);
}

export interface EventPage {
  readonly events: readonly { readonly sequence: number; readonly event: EventValue }[];
  /** Everything up to here has been seen, whether or not the filter matched it. */
  readonly position: number;
}
/** Returns no events only if there are none that this caller may see. */
export async function eventPage(
  app: App,
  caller: EventReader,
  after: number,
  limit: number,
  filter: EventFilter,
): Promise<EventPage> {
  const { queries } = app.store;
  const { account, services } = caller;
  // Read first: everything that it counts is committed, so the list below misses none of it.
  const upTo = await store.eventTip(queries, account);
  // The database is older than the cursor, for example restored from a backup: its numbers will be reused for other
  // events.
  if (after > upTo) throw invalidCursor('after');
  const { service } = filter;
  for (let position = after; position < upTo; await pauseWork('outside a transaction')) {
    const rows = await store.eventList(queries, account, {
      after: position,
      upTo,
      limit,
      types: typesOf(filter),
      service,
      services,
    });
    position = rows.length < limit ? upTo : rows.at(-1)!.sequence;
    const visible = await visibleEvents(queries, caller, rows);
    if (visible.length > 0)
      return { events: visible.map((row) => ({ sequence: row.sequence, event: eventValue(row) })), position };
  }
  return { events: [], position: upTo };
}

/** Returns the event as it appears everywhere. */
export function eventValue(event: store.StoredEvent): EventValue {
  return {
    id: eventId(event.account_id, event.sequence),
    type: event.type as EventType,
    version: event.version,
    timestamp: new Date(event.at).toISOString(),
    service: event.service_id === null ? '' : String(event.service_id),
    data: store.eventData.decode(event.data),
  };
}

export function eventId(account: AccountId, sequence: number): string {
  return `evt_${account}_${sequence}`;
}

export function cursorText(app: Pick<App, 'secrets'>, account: AccountId, sequence: number): string {
  const digest = app.secrets.digest(`event cursor ${account} ${sequence}`).slice(0, digestLength);
  return Buffer.from(`${sequence}.${digest}`).toString('base64url');
}

/**
 * Returns the number in the cursor. Throws an ApiError that names the field if the cursor is not from this account and
 * installation.
 */
export function readCursor(app: Pick<App, 'secrets'>, account: AccountId, text: string, field: string): number {
  const sequence = Number(Buffer.from(text, 'base64url').toString('latin1').split('.')[0]);
  if (!Number.isSafeInteger(sequence) || sequence < 0) throw invalidCursor(field);
  const expected = cursorText(app, account, sequence);
  if (!sameSecret(Buffer.from(expected), Buffer.from(text))) throw invalidCursor(field);
  return sequence;
}

function invalidCursor(field: string): ApiError {
  return invalid({ [field]: 'must be a cursor that this account received from this installation' });
}
