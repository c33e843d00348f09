// The months of several servers, each read by itself and shared with the page of its server.
import { useQueries } from '@tanstack/react-query';
import type { TrafficMonth } from '#sdk/v2.ts';
import { customer } from '../../data/session.ts';

/** Samples come every five minutes. */
const everyMs = 300_000;

/** By service; without those that are not known yet. */
export function useMonths(services: readonly string[]): ReadonlyMap<string, TrafficMonth> {
  return useQueries({
    queries: services.map((service) => ({
      queryKey: ['customer', 'monthGet', { service }],
      queryFn: ({ signal }: { signal: AbortSignal }) => customer().monthGet({ service }, { signal }),
      refetchInterval: everyMs,
    })),
    combine: (answers) =>
      new Map(answers.flatMap(({ data }, index) => (data === undefined ? [] : [[services[index]!, data] as const]))),
  });
}
