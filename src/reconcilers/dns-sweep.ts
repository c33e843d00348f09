// Makes an external name server match the database: first the zones whose publication was interrupted or requested, then over
// time all others, in case someone changed them by hand. Zones that are not in the database belong to the operator and stay.
import { NameServerError, type DnsDriver, type ZoneContent } from '#drivers/dns/driver.ts';
import type { Queries } from '#store/store.ts';
import {
  publicationAbandon,
  publicationSettle,
  publicationSweep,
  publicationAcquire,
  publicationsWaiting,
} from '#store/dns/zone-publications.ts';
import { zonesAfter } from '#store/dns/zones.ts';
import type { Reconciler, ReconcilerParts } from './reconciler.ts';

export interface DnsSweepParts extends ReconcilerParts {
  readonly driver: DnsDriver;
  readonly desiredZone: (queries: Queries, name: string) => Promise<ZoneContent | undefined>;
}

const leaseMs = 30_000;
const publishMs = 20_000;
const requestedPerRun = 500;
const checkedPerRun = 500;

export function dnsSweep(parts: DnsSweepParts): Reconciler {
  const { store, clock } = parts;
  const holder = `${parts.instanceId} ${publicationSweep}`;
  let lastChecked = 0;
  /** Zones for which the name server took too long, the last one last. */
  const slow = new Set<string>();

  return {
    name: publicationSweep,
    everySeconds: 60,
    deadlineSeconds: 600,
    async run(signal) {
      const publishAll = async (zones: Iterable<string>): Promise<void> => {
        for (const zone of zones) {
          signal.throwIfAborted();
          await publish(zone);
        }
      };
      const waiting = await publicationsWaiting(store.queries, clock.now(), requestedPerRun + slow.size);
      await publishAll(waiting.filter((zone) => !slow.has(zone)));
      const zones = await zonesAfter(store.queries, lastChecked, checkedPerRun);
      await publishAll(zones.map(({ name }) => name).filter((zone) => !slow.has(zone)));
      lastChecked = zones.length < checkedPerRun ? 0 : zones.at(-1)!.id;
      // Last, because a run ends when the name server does not respond: one large zone must not keep it from all others.
      await publishAll([...slow]);
      return { backlog: (await publicationsWaiting(store.queries, clock.now(), requestedPerRun)).length };
    },
  };

  /** Publishes what differs, unless a request is publishing the zone. */
  async function publish(zone: string): Promise<void> {
    const now = clock.now();
    if (!(await publicationAcquire(store.queries, { zone, holder, lease_until: now + leaseMs }, now))) return;
    slow.delete(zone);
    try {
      const wanted = await parts.desiredZone(store.queries, zone);
      const limit = AbortSignal.timeout(publishMs);
      await (wanted === undefined ? parts.driver.remove(zone, limit) : parts.driver.publish(wanted, limit));
    } catch (error) {
      await publicationAbandon(store.queries, [zone], holder);
      // Customers decide what a zone contains, so nobody else's waits for one that is refused.
      if (!(error instanceof NameServerError) || error.code === 'nameserver_unreachable') {
        slow.add(zone);
        throw error;
      }
      parts.log.warn({ err: error, zone }, 'the name server does not accept a zone; trying again later');
      return;
    }
    // If publication was requested meanwhile, the next run publishes the zone again.
    if (!(await publicationSettle(store.queries, zone, holder)))
      await publicationAbandon(store.queries, [zone], holder);
  }
}
