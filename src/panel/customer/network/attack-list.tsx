// The attacks on one server or on all servers, loaded page by page.
import { Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { joinPages } from '../../data/pages.ts';
import { customerApi } from '../../data/session.ts';
import { LoadOlder } from '../../parts/load-older.tsx';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { AttackCard } from './attack-card.tsx';
import { listAttacks, type Attack } from './attack.ts';
import { t } from '../../text/text.ts';

export interface AttackListProps {
  /** All services if undefined. */
  readonly service?: string | undefined;
  /** Hostnames by service; left out on a server's own page. */
  readonly names?: ReadonlyMap<string, string>;
}

const noAttacks = (
  <EmptyCard icon="shield" title={t('No attacks detected')}>
    {t('Attacks appear here while they are ongoing and afterwards.')}
  </EmptyCard>
);

/** Expands ongoing attacks, and an attack that is the only one. */
export function AttackList({ service, names }: AttackListProps): JSX.Element {
  const attacks = useAttacks(service);
  return (
    <QueryResult query={attacks} empty={noAttacks}>
      {(all) => (
        <Stack gap="sm">
          {all.map((attack) => (
            <AttackCard
              key={attack.id}
              attack={attack}
              server={names === undefined ? undefined : (names.get(attack.service) ?? attack.device)}
              isOpen={attack.end === undefined || all.length === 1}
            />
          ))}
          {attacks.hasNextPage && <LoadOlder query={attacks} />}
        </Stack>
      )}
    </QueryResult>
  );
}

const pageLength = 25;
const ongoingRefetchMs = 15_000;

function useAttacks(service: string | undefined) {
  return useInfiniteQuery({
    queryKey: ['customer', service === undefined ? 'anomalyList' : 'eventList', 'pages', service],
    queryFn: async ({ pageParam, signal }) => {
      const page = { limit: pageLength, before: pageParam || undefined };
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
    select: joinPages<Attack>,
  });
}
