// Loads attacks page by page.
import { useInfiniteQuery } from '@tanstack/react-query';
import { customerApi } from '../../data/session.ts';
import { listAttacks } from './attack.ts';

const pageLength = 25;
const ongoingRefetchMs = 15_000;

/** Loads the attacks on one service, or on all of them. */
export function useAttackPages(service: string | undefined) {
  return useInfiniteQuery({
    queryKey: ['customer', service === undefined ? 'anomalyList' : 'eventList', 'pages', service],
    queryFn: async ({ pageParam, signal }) => {
      const page = { limit: pageLength, ...(pageParam === '' ? {} : { before: pageParam }) };
      const events =
        service === undefined
          ? await customerApi().anomalyList(page, { signal })
          : await customerApi().eventList({ service, ...page }, { signal });
      return listAttacks(events);
    },
    // The strength of an attack changes without an event.
    refetchInterval: ({ state }) =>
      state.data?.pages.flat().some(({ end }) => end === undefined) === true ? ongoingRefetchMs : false,
    initialPageParam: '',
    // Pages are cut by attack ID, while each list is sorted by start time.
    getNextPageParam: (last) =>
      last.length < pageLength ? undefined : String(Math.min(...last.map(({ id }) => Number(id)))),
  });
}
