// Publishes changes of zones to an external name server. A change must be visible when its call returns, or not have
// happened; no transaction may stay open while another program responds; and the process may die at any time. So a
// change goes through four steps: rehearse it in a transaction that is rolled back, which yields the zones as they will
// be; commit a note that they are being published; publish them; and make the change in the transaction that deletes
// the note. An interruption in between leaves the database unchanged, and a note that makes the dns-sweep
// reconciler publish the unchanged zone again. See docs/decisions/dns-publishing.md.
import { randomBytes } from 'node:crypto';
import type { ZoneContent } from '#drivers/dns/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { runAndRollBack } from '#store/engine/rehearsal.ts';
import { waitForChange } from '#store/feed.ts';
import type { Queries } from '#store/store.ts';
import { leaseSubject } from '#store/work/leases.ts';
import * as store from '#store/dns/zone-publications.ts';
import type { App, ChangedZones } from '../app.ts';
import type { BeforeCommit } from '../operations/before-commit.ts';
import { desiredZone } from './desired-zone.ts';
import { callNameServer, type ExternalNameServer } from './name-service.ts';

/** Added to the name server's timeout, so that a lease expires only if its process is gone. */
const leaseMarginMs = 20_000;
const maxWaitMs = 15_000;

/** Lets calls that change zones publish them before they commit. For installations with an external name server. */
export const zonePublishing: BeforeCommit = {
  track: () => ({ changedZones: new Map() }),
  async prepare(app, rehearse) {
    const now = app.clock.now();
    const stoppedApp = { ...app, clock: { now: () => now } };
    const publication = await publishBeforeCommit(
      app,
      app.nameService.external!,
      async (queries) => (await rehearse(stoppedApp, queries)).changedZones!,
    );
    return {
      app: stoppedApp,
      settle: ({ queries, changedZones }) => publication.settle(queries, changedZones!),
      abandon: publication.abandon,
    };
  },
};

interface Publication {
  settle(queries: Queries, changed: ChangedZones): Promise<void>;
  abandon(): Promise<void>;
}

async function publishBeforeCommit(
  app: App,
  server: ExternalNameServer,
  rehearse: (queries: Queries) => Promise<ChangedZones>,
): Promise<Publication> {
  const holder = `${app.instanceId} ${randomBytes(8).toString('hex')}`;
  const zones = await claimZones(app, { holder, leaseMs: server.timeoutMs + leaseMarginMs }, rehearse);
  const names = zones.map(({ name }) => name);
  const abandon = async (): Promise<void> => {
    await app.store.transaction(async (queries) => {
      await store.publicationAbandon(queries, names, holder);
      await reconcilerSignal(queries, store.publicationSweep);
    });
  };
  try {
    await callNameServer(server, async (driver, signal) => {
      for (const { name, content } of zones)
        await (content === undefined ? driver.remove(name, signal) : driver.publish(content, signal));
    });
  } catch (error) {
    await abandon();
    throw error;
  }
  return {
    async settle(queries, changed) {
      const isAsPublished =
        changed.size === zones.length && zones.every(({ name, revision }) => changed.get(name)?.revision === revision);
      for (const name of names) {
        if (!isAsPublished || !(await store.publicationSettle(queries, name, holder)))
          throw new ApiError('overloaded', { internal: 'the zone was changed while it was being published' });
      }
    },
    abandon,
  };
}

interface ClaimedZone {
  readonly name: string;
  readonly revision: number;
  /** The zone as it will be; undefined if it is deleted. */
  readonly content: ZoneContent | undefined;
}

/** Claims the zones that the rehearsal changes, after waiting until no other change of them is in progress. */
async function claimZones(
  app: App,
  lease: { readonly holder: string; readonly leaseMs: number },
  rehearse: (queries: Queries) => Promise<ChangedZones>,
): Promise<ClaimedZone[]> {
  const end = AbortSignal.timeout(maxWaitMs);
  for (;;) {
    try {
      return await app.store.transaction(async (queries) => {
        const zones = await runAndRollBack(queries, async () => zonesAfterChange(queries, await rehearse(queries)));
        const now = app.clock.now();
        for (const { name } of zones) {
          const publication = { zone: name, holder: lease.holder, lease_until: now + lease.leaseMs };
          if (!(await store.publicationAcquire(queries, publication, now))) throw new HeldByAnother(name);
        }
        return zones;
      });
    } catch (error) {
      if (!(error instanceof HeldByAnother)) throw error;
      await waitUntilFree(app, error.zone, end);
      if (end.aborted) throw new ApiError('nameserver_unreachable', { internal: error.message });
    }
  }
}

async function waitUntilFree(app: App, zone: string, end: AbortSignal): Promise<void> {
  await waitForChange(app.leaseFeed, [leaseSubject({ kind: 'zone', name: zone })], end, async () =>
    (await store.publicationIsHeld(app.store.queries, zone, app.clock.now())) ? undefined : true,
  );
}

class HeldByAnother extends Error {
  readonly zone: string;
  constructor(zone: string) {
    super('another change of the zone is in progress');
    this.zone = zone;
  }
}

/** Sorted by name, so that two changes of the same zones never wait for each other. */
async function zonesAfterChange(queries: Queries, changed: ChangedZones): Promise<ClaimedZone[]> {
  const zones: ClaimedZone[] = [];
  for (const [name, { revision }] of changed) zones.push({ name, revision, content: await desiredZone(queries, name) });
  return zones.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
