// The name server's counters. They are in shared memory: the name server's thread writes them, the API's thread
// reads them for its metrics, and they survive a restart of the thread.

const counterNames = [
  'udpQueries',
  'tcpQueries',
  'truncatedByLimit',
  'droppedByLimit',
  'evictedConnections',
  'refusedConnections',
] as const;
export type CounterName = (typeof counterNames)[number];

/** Floating point, because a 32-bit count would overflow within days; only one thread writes it. */
export type Counters = Float64Array<SharedArrayBuffer>;

export function createCounters(): Counters {
  return new Float64Array(new SharedArrayBuffer(counterNames.length * Float64Array.BYTES_PER_ELEMENT));
}

export function count(counters: Counters, name: CounterName): void {
  counters[counterNames.indexOf(name)]! += 1;
}

export function readCounters(counters: Counters): Record<CounterName, number> {
  return Object.fromEntries(counterNames.map((name, index) => [name, counters[index]])) as Record<CounterName, number>;
}
