// What a virtual machine uses of what it has.
import { Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../data/read.ts';
import { Answer } from '../../parts/answer.tsx';
import { PartCard } from './part-card.tsx';
import { UsageLine } from './usage-line.tsx';

const everyMs = 60_000;

export function ResourceCard({ service }: { service: string }): JSX.Element {
  const stats = useRead('deviceStatsGet', { service }, { everyMs });
  return (
    <PartCard title="Resources">
      <Answer of={stats} lines={3}>
        {(value) =>
          'memory' in value ? (
            <Stack gap="sm">
              <UsageLine label="Memory" text={value.memory} />
              <UsageLine label="Disk" text={value.harddisk} />
              <UsageLine label="Traffic this month" text={value.bandwidth} />
            </Stack>
          ) : null
        }
      </Answer>
    </PartCard>
  );
}
