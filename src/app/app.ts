// The services of the process (`App`) and the context of one call (`Context`). Every function of this module takes one
// of them as its first argument.
import type { Access } from '#contract/endpoint.ts';
import type { EventData, EventType } from '#contract/events/events.ts';
import type { Queue } from '#queue/queue.ts';
import type { Clock } from '#lib/clock.ts';
import type { EgressGuard } from '#lib/egress.ts';
import type { RunTransfer } from '#drivers/backup/transfer.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import type { Router } from '#equipment/router.ts';
import type { SerialLines } from '#equipment/serial-lines.ts';
import type { Switches } from '#equipment/switches.ts';
import type { Feed } from '#store/feed.ts';
import type { Log } from '#lib/log.ts';
import type { SecretBox } from '#lib/secrets.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries, Store } from '#store/store.ts';
import type { Authentication } from './account/authentication.ts';
import type { Backups } from './backup/backup-folder.ts';
import type { Caller, PageOrigin, ReadProxyHeader } from './caller.ts';
import type { Mailer } from './mail/mailer.ts';
import type { FileCache } from './reload/file-cache.ts';
import type { NameService } from './dns/name-service.ts';
import type { VncListeners } from './machines/vnc-listeners.ts';
import type { ConsoleGateway } from './servers/console-gateway.ts';
import type { AccountId } from '#store/account-id.ts';

/** Created once, in the composition root. */
export interface App {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: SecretBox;
  readonly queue: Queue;
  /** Wakes callers that wait for a workflow to change, by its id. */
  readonly workflowFeed: Feed<string>;
  /** Wakes calls that wait for the lock of a device or the lease of a zone. */
  readonly leaseFeed: Feed<string>;
  readonly bmcs: Bmcs;
  readonly serialLines: SerialLines;
  readonly switches: Switches;
  /** Announces null routes. */
  readonly router: Router;
  readonly hypervisors: Hypervisors;
  /** Moves the content of machines to and from their backup repositories. */
  readonly runTransfer: RunTransfer;
  readonly vncListeners: VncListeners;
  readonly consoleGateway: ConsoleGateway;
  readonly authentication: Authentication;
  readonly nameService: NameService;
  /** Hands email to the relays. */
  readonly mailer: Mailer;
  /** Kernels, images and the like. */
  readonly files: FileCache;
  /** Backups made through the API. */
  readonly backups: Backups;
  /** Where BMCs fetch images; undefined until the listener runs, or if there is none. */
  readonly media: { url: string | undefined };
  /** Guards requests to URLs that customers choose. */
  readonly egress: EgressGuard;
  /** Identifies this process among those on one database. */
  readonly instanceId: string;
  /** Aborted when the process is asked to stop, so that waiting responses are sent at once. */
  readonly stopping: AbortSignal;
  stop(): void;
}

/** A call that needs no key, such as signing in. */
export interface Visitor {
  readonly app: App;
  readonly address: string;
  readonly requestId: string;
  readonly origin?: PageOrigin;
  /** The name that the browser or program gives itself. */
  readonly userAgent?: string | undefined;
  readonly proxyHeader?: ReadProxyHeader | undefined;
}

/** A running call. `queries` is a transaction if the endpoint's effect is `stored`. */
export interface Context {
  readonly app: App;
  readonly caller: Caller;
  /** API and operation, for example `v2.devicePowerSet`. */
  readonly operation: string;
  readonly queries: Queries;
  /** The scope or permission that a changing call needed; undefined for one that only reads. */
  readonly changing?: Access;
  /** The call does not touch the device, so that it works although the provider restricts the device. */
  readonly ignoresHold?: boolean;
  /** The call reads what was recorded, so that it works for a terminated service too. */
  readonly readsHistory?: boolean;
  /** The server in stock that staff act on, in place of a service. */
  readonly stock?: Service;
  /** Collects the zones that the call changes, if they are published before the commit. */
  readonly changedZones?: ChangedZones;
  /**
   * Returns the same call on behalf of a customer: its events and audit entries are that account's too. Operators
   * only.
   */
  onBehalfOf(account: AccountId): Context;
  /** Runs the work after the commit, and not at all if there is none. */
  afterCommit(work: () => void): void;
  /** Emits an event of the account, written in the same transaction as the change. */
  emit<T extends EventType>(type: T, data: EventData<T>, service?: number): void;
}

/** Names of zones, with the revision that the call gave them. */
export type ChangedZones = Map<string, { readonly revision: number }>;
