// How another part of the app takes part in a stored call whose change must be visible elsewhere before it may be committed.
// DNS publishing is such a participant.
import type { Queries } from '#store/store.ts';
import type { App, Context } from '../app.ts';

/** Runs the work of the call once, in a transaction that the participant rolls back, and returns the context it ran in. */
export type Rehearsal = (app: App, queries: Queries) => Promise<Context>;

export interface BeforeCommit {
  /** Returns what the context of the call carries in addition, to record what the work changes. */
  track(): Partial<Context>;
  /** Makes the change visible before it exists. */
  prepare(app: App, rehearse: Rehearsal): Promise<PreparedChange>;
}

export interface PreparedChange {
  /** The app with a stopped clock, so that the change made is exactly the one rehearsed. */
  readonly app: App;
  /** Called in the transaction that makes the change. Throws if the change is not the one that was prepared. */
  settle(context: Context): Promise<void>;
  /** Called if the change was not made. */
  abandon(): Promise<void>;
}
