// Leases that others wait for: locks of devices, and zones that are being published.
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { createFeed, type Feed } from '../feed.ts';
import type { Queries, Store } from '../store.ts';

export interface Lease {
  readonly kind: 'device' | 'zone';
  readonly name: string;
}

/** The subject of a lease in the feed. */
export function leaseSubject({ kind, name }: Lease): string {
  return `${kind} ${name}`;
}

/** Wakes whoever waits for a lease: at once if a transaction of this process releases it, within a second otherwise. */
export function openLeaseFeed(parts: {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
}): Feed<string> {
  return createFeed(parts, (queries, subjects) => leaseEnds(queries, subjects, parts.clock.now()));
}

async function leaseEnds(queries: Queries, subjects: readonly string[], now: number): Promise<Map<string, number>> {
  const namesOf = (kind: Lease['kind']): string[] =>
    subjects.filter((subject) => subject.startsWith(`${kind} `)).map((subject) => subject.slice(kind.length + 1));
  // NaN differs from itself: a lease that is free always counts as changed, since it may have been held and released again
  // since the last check.
  const ends = new Map(subjects.map((subject) => [subject, Number.NaN]));
  const [devices, zones] = [namesOf('device'), namesOf('zone')];
  const held = [
    ...(devices.length === 0 ? [] : await heldDevices(queries, devices, now)),
    ...(zones.length === 0 ? [] : await heldZones(queries, zones, now)),
  ];
  for (const { end, ...lease } of held) ends.set(leaseSubject(lease), end);
  return ends;
}

type HeldLease = Lease & { readonly end: number };

async function heldDevices(queries: Queries, names: readonly string[], now: number): Promise<HeldLease[]> {
  const locks = queries.selectFrom('device_locks').select(['device as name', 'held_until as end']);
  const rows = await locks.where('device', 'in', names).where('held_until', '>=', now).execute();
  return rows.map((row) => ({ kind: 'device', ...row }));
}

async function heldZones(queries: Queries, names: readonly string[], now: number): Promise<HeldLease[]> {
  const publications = queries.selectFrom('zone_publications').select(['zone as name', 'lease_until as end']);
  const rows = await publications.where('zone', 'in', names).where('lease_until', '>=', now).execute();
  return rows.map((row) => ({ kind: 'zone', ...row }));
}
