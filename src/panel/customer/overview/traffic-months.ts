// Loads this month's traffic of several servers, in queries shared with the pages of these servers.
import { useQueries } from '@tanstack/react-query';
import type { TrafficMonth } from '#sdk/v2.ts';
import { customerApi } from '../../data/session.ts';

/** A new sample arrives every five minutes. */
const refetchMs = 300_000;

/** Returns the months by service, without those still loading. */
export function useTrafficMonths(services: readonly string[]): ReadonlyMap<string, TrafficMonth> {
  return useQueries({
    queries: services.map((service) => ({
      queryKey: ['customer', 'monthGet', { service }],
      queryFn: ({ signal }: { signal: AbortSignal }) => customerApi().monthGet({ service }, { signal }),
      refetchInterval: refetchMs,
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }, index) => (data === undefined ? [] : [[services[index]!, data] as const]))),
  });
}
