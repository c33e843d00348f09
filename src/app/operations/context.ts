// The context a call runs in, and the effects that are applied once its work is done.
import type { NewEvent } from '#store/work/events.ts';
import type { Queries } from '#store/store.ts';
import { eventRow } from '#events/append.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Caller } from '../caller.ts';
import type { Context, App } from '../app.ts';
import type { Operation } from './call.ts';

export interface Effects {
  readonly afterCommit: (() => void)[];
  readonly events: NewEvent[];
  /** Customers for whom an operator acted: the call appears in their audit logs too. */
  readonly affectedAccounts: Set<AccountId>;
}
export function noEffects(): Effects {
  return { afterCommit: [], events: [], affectedAccounts: new Set() };
}

/** Creates the context of a call that only reads, so has no commit to wait for and emits nothing. */
export function readContext(app: App, caller: Caller, operation: string, readsHistory = false): Context {
  return {
    app,
    caller,
    operation,
    queries: app.store.queries,
    readsHistory,
    onBehalfOf: (account) => readContext(app, { ...caller, account }, operation, readsHistory),
    afterCommit: () => {},
    emit: () => {},
  };
}

/** Creates the context of a call that changes something, and collects its effects. */
export function createContext(
  app: App,
  caller: Caller,
  operation: Operation,
  queries: Queries,
  effects: Effects,
): Context {
  const tracked = operation.beforeCommit?.track() ?? {};
  const contextFor = (callerOrCustomer: Caller): Context => ({
    app,
    caller: callerOrCustomer,
    operation: operation.name,
    queries,
    changing: operation.access,
    ignoresHold: operation.ignoresHold === true,
    ...tracked,
    onBehalfOf: (account) => {
      effects.affectedAccounts.add(account);
      return contextFor({ ...callerOrCustomer, account });
    },
    afterCommit: (act) => void effects.afterCommit.push(act),
    emit: (type, data, service) =>
      void effects.events.push(
        eventRow(app.clock, {
          account: callerOrCustomer.account,
          type,
          data,
          ...(service === undefined ? {} : { service }),
        }),
      ),
  });
  return contextFor(caller);
}
