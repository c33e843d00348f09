// Changes of zones where the name server is elsewhere. A change must be visible when its call returns, or not have happened;
// no transaction may stay open while another program is asked; and the process may die at any moment. So: the change is
// rehearsed in a transaction and taken back, which tells what the zones would be; that the zones are being published is
// written down and committed; they are published; and only then the change is made, in the transaction that strikes out
// what was written down. Whatever breaks off in between leaves the database as it was and a note by which the sweep
// publishes that again. (docs/decisions/dns-publishing.md)
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { WantedZone } from '#drivers/dns/driver.ts';
import { Fault } from '#kernel/fault.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { rehearsed } from '#store/engine/rehearsal.ts';
import type { Queries } from '#store/store.ts';
import {
  publicationAbandon,
  publicationSettle,
  publicationSweep,
  publicationTake,
} from '#store/dns/zone-publications.ts';
import { wantedZone } from './source.ts';
import { atNameServer, type Elsewhere } from './name-service.ts';
import type { Yard, ZonesTouched } from '../yard.ts';

/** Beyond the wait for the name server, so that a lease lapses only when its process is gone. */
const leaseBeyondMs = 20_000;
const turnMs = 15_000;
const lookAgainMs = 25;

export interface Publication {
  /** In the transaction that makes the change: it is the one that was published. */
  settle(queries: Queries, touched: ZonesTouched): Promise<void>;
  /** The change was not made: the name server must be led back. */
  abandon(): Promise<void>;
}

/** `rehearse` does the change on the queries it is given and tells which zones it touched. */
export async function publishAhead(
  yard: Yard,
  elsewhere: Elsewhere,
  rehearse: (queries: Queries) => Promise<ZonesTouched>,
): Promise<Publication> {
  const holder = `${yard.node} ${randomBytes(8).toString('hex')}`;
  const zones = await claim(yard, { holder, leaseMs: elsewhere.timeoutMs + leaseBeyondMs }, rehearse);
  const names = zones.map(({ name }) => name);
  const abandon = async (): Promise<void> => {
    await yard.store.transaction(async (queries) => {
      await publicationAbandon(queries, names, holder);
      await reconcilerSignal(queries, publicationSweep);
    });
  };
  try {
    await atNameServer(elsewhere, async (driver, signal) => {
      for (const { name, wanted } of zones)
        await (wanted === undefined ? driver.remove(name, signal) : driver.publish(wanted, signal));
    });
  } catch (error) {
    await abandon();
    throw error;
  }
  return {
    async settle(queries, touched) {
      const asPublished =
        touched.size === zones.length && zones.every(({ name, revision }) => touched.get(name)?.revision === revision);
      for (const name of names) {
        if (!asPublished || !(await publicationSettle(queries, name, holder)))
          throw new Fault('overloaded', { internal: 'the zone was changed while it was published' });
      }
    },
    abandon,
  };
}

interface ClaimedZone {
  readonly name: string;
  readonly revision: number;
  /** Undefined where the zone is to go. */
  readonly wanted: WantedZone | undefined;
}

/** Waits until no other change of these zones is under way. */
async function claim(
  yard: Yard,
  lease: { readonly holder: string; readonly leaseMs: number },
  rehearse: (queries: Queries) => Promise<ZonesTouched>,
): Promise<ClaimedZone[]> {
  const until = performance.now() + turnMs;
  for (;;) {
    try {
      return await yard.store.transaction(async (queries) => {
        const zones = await rehearsed(queries, async () => claimedZones(queries, await rehearse(queries)));
        const now = yard.clock.now();
        for (const { name } of zones) {
          const taken = { zone: name, holder: lease.holder, lease_until: now + lease.leaseMs };
          if (!(await publicationTake(queries, taken, now))) throw new HeldByAnother();
        }
        return zones;
      });
    } catch (error) {
      if (!(error instanceof HeldByAnother)) throw error;
      if (performance.now() >= until) throw new Fault('nameserver_unreachable', { internal: error.message });
    }
    await pause(lookAgainMs);
  }
}

class HeldByAnother extends Error {
  constructor() {
    super('another change of the zone is under way');
  }
}

/** In one order, so that two changes of the same zones never wait for each other. */
async function claimedZones(queries: Queries, touched: ZonesTouched): Promise<ClaimedZone[]> {
  const zones: ClaimedZone[] = [];
  for (const [name, { revision }] of touched) zones.push({ name, revision, wanted: await wantedZone(queries, name) });
  return zones.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
