// What a call knows while it is carried out, and what it leaves to be done when that is over.
import type { NewEvent } from '#store/work/events.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { eventRow } from '#jobs/event-append.ts';
import type { Caller } from '../caller.ts';
import type { Context, Yard } from '../yard.ts';
import type { Operation } from './call.ts';

/** What a call leaves to be done after its work. */
export interface Aftermath {
  readonly afterCommit: (() => void)[];
  readonly told: NewEvent[];
  /** Customers for whom an operator acted: it stands in their logs too. */
  readonly actedFor: Set<AccountId>;
}
export function nothingYet(): Aftermath {
  return { afterCommit: [], told: [], actedFor: new Set() };
}

/** For what leaves nothing behind, and so has no commit to wait for and nothing to tell. */
export function readContext(yard: Yard, caller: Caller, operation: string): Context {
  return {
    yard,
    caller,
    operation,
    queries: yard.store.queries,
    actFor: (account) => readContext(yard, { ...caller, account }, operation),
    afterCommit: () => {},
    tell: () => {},
  };
}

export function contextOf(
  yard: Yard,
  caller: Caller,
  operation: Operation,
  queries: Queries,
  aftermath: Aftermath,
): Context {
  return {
    yard,
    caller,
    operation: operation.name,
    queries,
    changing: operation.access,
    ...(operation.publishes === true && { zonesTouched: new Map() }),
    actFor: (account) => {
      aftermath.actedFor.add(account);
      return contextOf(yard, { ...caller, account }, operation, queries, aftermath);
    },
    afterCommit: (act) => void aftermath.afterCommit.push(act),
    tell: (type, data, service) =>
      void aftermath.told.push(
        eventRow(yard.clock, { account: caller.account, type, data, ...(service === undefined ? {} : { service }) }),
      ),
  };
}
