// Makes a name server elsewhere show what the database has: at once the zones whose publication broke off or was asked for,
// and over time every other, since somebody may have changed it by hand. Zones that the database does not have and nobody
// asked to remove are left alone: they are the operator's.
import type { Clock } from '#kernel/clock.ts';
import type { DnsDriver, WantedZone } from '#drivers/dns/driver.ts';
import type { Queries, Store } from '#store/store.ts';
import {
  publicationAbandon,
  publicationSettle,
  publicationSweep,
  publicationTake,
  publicationsWaiting,
} from '#store/dns/zone-publications.ts';
import { zonesAfter } from '#store/dns/zones.ts';
import type { Reconciler } from './reconciler.ts';

export interface DnsSweepParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly node: string;
  readonly driver: DnsDriver;
  readonly wantedZone: (queries: Queries, name: string) => Promise<WantedZone | undefined>;
}

const leaseMs = 30_000;
const publishMs = 20_000;
const waitingAtOnce = 500;
const lookedAtPerRun = 500;

export function dnsSweep(parts: DnsSweepParts): Reconciler {
  const { store, clock } = parts;
  const holder = `${parts.node} ${publicationSweep}`;
  let lookedAt = 0;

  return {
    name: publicationSweep,
    everySeconds: 60,
    deadlineSeconds: 600,
    async run(signal) {
      for (const zone of await publicationsWaiting(store.queries, clock.now(), waitingAtOnce)) {
        signal.throwIfAborted();
        await publish(zone);
      }
      const zones = await zonesAfter(store.queries, lookedAt, lookedAtPerRun);
      for (const { name } of zones) {
        signal.throwIfAborted();
        await publish(name);
      }
      lookedAt = zones.length < lookedAtPerRun ? 0 : zones.at(-1)!.id;
      return { backlog: (await publicationsWaiting(store.queries, clock.now(), waitingAtOnce)).length };
    },
  };

  /** Reads, compares, and changes what differs; nothing where a request is at it. */
  async function publish(zone: string): Promise<void> {
    const now = clock.now();
    if (!(await publicationTake(store.queries, { zone, holder, lease_until: now + leaseMs }, now))) return;
    try {
      const wanted = await parts.wantedZone(store.queries, zone);
      const limit = AbortSignal.timeout(publishMs);
      await (wanted === undefined ? parts.driver.remove(zone, limit) : parts.driver.publish(wanted, limit));
    } catch (error) {
      await publicationAbandon(store.queries, [zone], holder);
      throw error;
    }
    await publicationSettle(store.queries, zone, holder);
  }
}
