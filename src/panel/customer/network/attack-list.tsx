// Attacks on one server or on all of them, or the word that there was none.
import { Card, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { Awaited, Empty, Failed } from '../../parts/answer.tsx';
import { ReadOn } from '../../parts/read-on.tsx';
import { AttackCard } from './attack-card.tsx';
import { useAttackPages } from './attack-pages.ts';

export interface AttackListProps {
  /** All of them unless given. */
  readonly service?: string | undefined;
  /** Host names by service; left out on a server's own page. */
  readonly names?: ReadonlyMap<string, string>;
}

/** One that goes on is open, and so is one that is alone. */
export function AttackList({ service, names }: AttackListProps): JSX.Element {
  const pages = useAttackPages(service);
  if (pages.isPending) return <Awaited lines={4} />;
  if (pages.data === undefined) return <Failed error={pages.error} again={() => void pages.refetch()} />;
  const attacks = pages.data.pages.flat();
  if (attacks.length === 0)
    return (
      <Card>
        <Empty icon="shield" title="No attack was seen">
          When one is, its course stands here while it goes on, and afterwards.
        </Empty>
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
      {pages.hasNextPage && <ReadOn of={pages} />}
    </Stack>
  );
}
