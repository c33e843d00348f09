// What the process has, and what one call knows. Every function of this room takes one or the other as its first argument.
import type { Access } from '#contract/endpoint.ts';
import type { EventData, EventType } from '#contract/events.ts';
import type { Jobs } from '#jobs/jobs.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Dialling } from '#kernel/dialling.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import type { Nodes } from '#equipment/nodes.ts';
import type { Router } from '#equipment/router.ts';
import type { SerialLines } from '#equipment/serial-lines.ts';
import type { Switches } from '#equipment/switches.ts';
import type { Log } from '#kernel/log.ts';
import type { SecretBox } from '#kernel/secrets.ts';
import type { Queries, Store } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import type { Authentication } from './account/authentication.ts';
import type { Backups } from './backup/folder.ts';
import type { Caller, PageOrigin } from './caller.ts';
import type { FileCache } from './reload/file-cache.ts';
import type { NameService } from './dns/name-service.ts';
import type { Screens } from './machines/screen-doors.ts';

/** Made once, in the composition root. */
export interface Yard {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: SecretBox;
  readonly jobs: Jobs;
  readonly bmcs: Bmcs;
  readonly serialLines: SerialLines;
  readonly switches: Switches;
  /** Announces null-routes. */
  readonly router: Router;
  readonly nodes: Nodes;
  readonly screens: Screens;
  readonly authentication: Authentication;
  readonly nameService: NameService;
  /** Kernels, images and the like. */
  readonly files: FileCache;
  /** Taken through the API. */
  readonly backups: Backups;
  /** Where controllers fetch images; no address before the listener is there, or where there is none. */
  readonly media: { url: string | undefined };
  /** For every address that a customer can give. */
  readonly dialling: Dialling;
  /** This process among those on one database. */
  readonly node: string;
  /** Aborted when the process has been asked to stop: whoever holds an answer back gives it now. */
  readonly stopping: AbortSignal;
  stop(): void;
}

/** A call that needs no key, such as signing in. */
export interface Visitor {
  readonly yard: Yard;
  readonly address: string;
  readonly requestId: string;
  readonly origin?: PageOrigin;
}

/** One call under way. `queries` is a transaction where the endpoint's effect is `stored`. */
export interface Context {
  readonly yard: Yard;
  readonly caller: Caller;
  /** Interface and name, for example `v2.devicePowerSet`. */
  readonly operation: string;
  readonly queries: Queries;
  /** What the key needed for a call that changes something; undefined for one that only reads. */
  readonly changing?: Access;
  /** Collects the zones that the call changes, where they are published before the commit. */
  readonly zonesTouched?: ZonesTouched;
  /** The same call on behalf of a customer: what it tells and leaves in the audit log is that account's too. Operators only. */
  actFor(account: AccountId): Context;
  /** Runs once what was done is committed; not at all where it was not. */
  afterCommit(work: () => void): void;
  /** An event for the account, written in the transaction of what it tells; not at all where that fails. */
  tell<T extends EventType>(type: T, data: EventData<T>, service?: number): void;
}

/** Zone names to the revision that the call gave them. */
export type ZonesTouched = Map<string, { readonly revision: number }>;
