// A log that can be streamed: pages from a position on, and a notification when there may be more. How it is sent, and
// to whom, is decided elsewhere.
import { invalid } from '#lib/api-error.ts';
import { eventTips } from '#store/work/events.ts';
import { createFeed, type Feed } from '#store/feed.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Context, App } from '../app.ts';
import { checkService, cursorText, eventPage, readCursor, type EventFilter } from './events.ts';

export interface LogStream {
  /** The first page follows this position. */
  readonly start: number;
  page(after: number): Promise<LogStreamPage>;
  /** Returns what a reader sends to continue after this position. */
  cursor(position: number): string;
  /** Calls the listener when there may be more. Returns a function that ends the subscription. */
  listen(listener: () => void): () => void;
}
export interface LogStreamPage {
  readonly entries: readonly { readonly position: number; readonly value: object }[];
  /** Everything up to here has been seen, whether or not this reader gets it. */
  readonly position: number;
  /** Nothing will ever follow. */
  readonly isLast: boolean;
}

/** Small, because streams that catch up take a turn of the event loop for each page. */
export const streamPageSize = 20;

export function eventFeed(app: App): Feed<AccountId> {
  return createFeed(app, eventTips, (commit) => commit.eventTips);
}

/** Returns the account's event log, which has no end. */
export async function eventStream(
  { app, caller }: Context,
  input: EventFilter & { readonly after?: string; readonly limit?: number },
  resumedAfter: string | undefined,
  feed: Feed<AccountId>,
): Promise<LogStream> {
  const { account } = caller;
  if (input.limit !== undefined) throw invalid({ limit: 'applies only to pages, not to a stream' });
  await checkService(app, caller, input);
  // A reader that reconnects sends its first URL again, and with it the original cursor.
  const [field, cursor] = resumedAfter === undefined ? ['after', input.after] : ['Last-Event-ID', resumedAfter];
  return {
    start: cursor === undefined ? 0 : readCursor(app, account, cursor, field),
    async page(after) {
      const { events, position } = await eventPage(app, caller, after, streamPageSize, input);
      const entries = events.map(({ sequence, event }) => ({ position: sequence, value: event }));
      return { entries, position, isLast: false };
    },
    cursor: (position) => cursorText(app, account, position),
    listen: (listener) => feed.listen(account, listener),
  };
}
