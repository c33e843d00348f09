// What is read as a stream: a log in pages, from a position on, and somebody who says when there may be more. How it is sent, and
// to whom, is not its business.
import { invalid } from '#kernel/fault.ts';
import { eventTips } from '#store/work/events.ts';
import type { AccountId } from '#store/tables.ts';
import { checkService, cursorText, eventPage, readCursor, type EventFilter } from './events.ts';
import { feedOf, type Feed } from './feed.ts';
import type { Context, Yard } from '../yard.ts';

export interface Streamed {
  /** The first page is what follows this position. */
  readonly start: number;
  page(after: number): Promise<StreamedPage>;
  /** What a reader sends to go on after this position. */
  cursor(position: number): string;
  /** Calls the listener when there may be more; what it answers ends that. */
  listen(listener: () => void): () => void;
}
export interface StreamedPage {
  readonly entries: readonly { readonly position: number; readonly value: object }[];
  /** Everything up to here has been seen, whether it was for this reader or not. */
  readonly position: number;
  /** Nothing will ever follow. */
  readonly isLast: boolean;
}

export const streamPageSize = 100;

export function eventFeed(yard: Yard): Feed<AccountId> {
  return feedOf(yard, eventTips);
}

/** The account's event log, which has no end. */
export async function eventsStreamed(
  { yard, caller: { account } }: Context,
  input: EventFilter & { readonly after?: string; readonly limit?: number },
  resumedAfter: string | undefined,
  feed: Feed<AccountId>,
): Promise<Streamed> {
  if (input.limit !== undefined) throw invalid({ limit: 'is for pages, not for a stream' });
  await checkService(yard, account, input);
  // A reader that comes back sends its first URL again, and with it the cursor of then.
  const [field, cursor] = resumedAfter === undefined ? ['after', input.after] : ['Last-Event-ID', resumedAfter];
  return {
    start: cursor === undefined ? 0 : readCursor(yard, account, cursor, field),
    async page(after) {
      const { events, position } = await eventPage(yard, account, after, streamPageSize, input);
      const entries = events.map(({ sequence, event }) => ({ position: sequence, value: event }));
      return { entries, position, isLast: false };
    },
    cursor: (position) => cursorText(yard, account, position),
    listen: (listener) => feed.listen(account, listener),
  };
}
