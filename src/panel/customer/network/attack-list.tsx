// The attacks on one server or on all servers.
import { Card, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { LoadingLines, EmptyState, ErrorAlert } from '../../parts/query-result.tsx';
import { LoadOlder } from '../../parts/load-older.tsx';
import { AttackCard } from './attack-card.tsx';
import { useAttackPages } from './attack-pages.ts';

export interface AttackListProps {
  /** All services if undefined. */
  readonly service?: string | undefined;
  /** Hostnames by service; left out on a server's own page. */
  readonly names?: ReadonlyMap<string, string>;
}

/** Expands ongoing attacks, and an attack that is the only one. */
export function AttackList({ service, names }: AttackListProps): JSX.Element {
  const pages = useAttackPages(service);
  if (pages.isPending) return <LoadingLines lines={4} />;
  if (pages.data === undefined) return <ErrorAlert error={pages.error} retry={() => void pages.refetch()} />;
  const attacks = pages.data.pages.flat();
  if (attacks.length === 0)
    return (
      <Card>
        <EmptyState icon="shield" title="No attacks detected">
          Attacks appear here while they are ongoing and afterwards.
        </EmptyState>
      </Card>
    );
  return (
    <Stack gap="sm">
      {attacks.map((attack) => (
        <AttackCard
          key={attack.id}
          attack={attack}
          server={names === undefined ? undefined : (names.get(attack.service) ?? attack.device)}
          isOpen={attack.end === undefined || attacks.length === 1}
        />
      ))}
      {pages.hasNextPage && <LoadOlder query={pages} />}
    </Stack>
  );
}
