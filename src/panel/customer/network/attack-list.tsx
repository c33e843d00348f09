// Attacks in a list, or the word that there was none.
import { Card, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { Empty } from '../../parts/answer.tsx';
import { AttackCard } from './attack-card.tsx';
import type { Attack } from './attack.ts';

export interface AttackListProps {
  readonly attacks: readonly Attack[];
  /** Host names by service; left out on a server's own page. */
  readonly names?: ReadonlyMap<string, string>;
}

/** The first one is open where it is alone or goes on. */
export function AttackList({ attacks, names }: AttackListProps): JSX.Element {
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
    </Stack>
  );
}
