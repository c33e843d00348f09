// Attacks of one service or of all, read on as far back as somebody looks.
import { useInfiniteQuery } from '@tanstack/react-query';
import { customer } from '../../data/session.ts';
import { attacksOf } from './attack.ts';

const pageLength = 25;
const underWayEveryMs = 15_000;

/** Of all services where none is given. */
export function useAttackPages(service: string | undefined) {
  return useInfiniteQuery({
    queryKey: ['customer', service === undefined ? 'anomalyList' : 'eventList', 'pages', service],
    queryFn: async ({ pageParam, signal }) => {
      const page = { limit: pageLength, ...(pageParam === '' ? {} : { before: pageParam }) };
      const events =
        service === undefined
          ? await customer().anomalyList(page, { signal })
          : await customer().eventList({ service, ...page }, { signal });
      return attacksOf(events);
    },
    // How strong it is changes without an event.
    refetchInterval: ({ state }) =>
      state.data?.pages.flat().some(({ end }) => end === undefined) === true ? underWayEveryMs : false,
    initialPageParam: '',
    // Pages go by the number of an attack, lists by its beginning.
    getNextPageParam: (last) =>
      last.length < pageLength ? undefined : String(Math.min(...last.map(({ id }) => Number(id)))),
  });
}
