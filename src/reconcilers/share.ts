// Divides devices among the instances of a cluster, so that each device is polled by one of them. Each device goes to the
// instance with the highest hash of both names: if an instance joins or leaves, only the devices that it gets or had move.
import type { Clock } from '#lib/clock.ts';
import { pollerRemove, pollersForget, pollersRenew } from '#store/work/pollers.ts';
import type { Queries } from '#store/store.ts';

export interface Share {
  /** The instances that divide the devices; another list after each change. */
  readonly instances: readonly string[];
  /** Returns whether this instance polls the device. */
  has(device: string): boolean;
}

export const wholeShare: Share = { instances: [], has: () => true };

const liveMs = 10_000;
const renewMs = 2000;
const forgottenMs = 86_400_000;

export interface Sharing extends Share {
  /** Renews the membership of this instance and reads the others, if it is time. `leaders` ran each reconciler last. */
  refresh(leaders: ReadonlyMap<string, string | null>): Promise<void>;
  /**
   * Returns whether another instance leads the polling and expects this one to poll its share. A leader of a release that does
   * not share polls everything.
   */
  follows(reconciler: string): boolean;
  leave(): Promise<void>;
}

export async function joinPollers(queries: Queries, clock: Clock, instanceId: string): Promise<Sharing> {
  let instances: readonly string[] = [instanceId];
  let known: ReadonlySet<string> = new Set();
  let leaders: ReadonlyMap<string, string | null> = new Map();
  let renewedAt = -Infinity;
  const owners = new Map<string, string>();

  async function refresh(currentLeaders: ReadonlyMap<string, string | null>): Promise<void> {
    leaders = currentLeaders;
    if (performance.now() - renewedAt < renewMs) return;
    const startedAt = performance.now();
    const pollers = await pollersRenew(queries, instanceId, clock.now() + liveMs);
    const now = clock.now();
    const live = pollers.filter(({ live_until }) => live_until > now).map(({ instance }) => instance);
    if (live.join('\n') !== instances.join('\n')) {
      instances = live;
      owners.clear();
    }
    known = new Set(pollers.map(({ instance }) => instance));
    renewedAt = startedAt;
  }

  await pollersForget(queries, clock.now() - forgottenMs);
  await refresh(leaders);
  return {
    get instances() {
      return instances;
    },
    has(device) {
      // Others have taken over what an instance without a database polled.
      if (performance.now() - renewedAt > liveMs) return false;
      const owner = owners.get(device) ?? findOwner(device, instances);
      owners.set(device, owner);
      return owner === instanceId;
    },
    refresh,
    follows(reconciler) {
      const leader = leaders.get(reconciler) ?? instanceId;
      return leader !== instanceId && known.has(leader);
    },
    leave: () => pollerRemove(queries, instanceId),
  };
}

export function findOwner(device: string, instances: readonly string[]): string {
  let owner = '';
  let highest = -1;
  for (const instance of instances) {
    const weight = hash(`${instance} ${device}`);
    if (weight > highest) [owner, highest] = [instance, weight];
  }
  return owner;
}

/** FNV-1a with the final mixing of MurmurHash3: names of devices differ little. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
