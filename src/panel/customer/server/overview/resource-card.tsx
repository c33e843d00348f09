// Memory, disk and traffic usage of a virtual machine.
import { Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../../data/operations.ts';
import { QueryResult } from '../../../parts/query-result.tsx';
import { SectionCard } from '../section-card.tsx';
import { UsageLine } from './usage-line.tsx';

const refetchMs = 60_000;

export function ResourceCard({ service }: { service: string }): JSX.Element {
  const stats = useRead('deviceStatsGet', { service }, { refetchMs });
  return (
    <SectionCard title="Resources">
      <QueryResult query={stats} lines={3}>
        {(value) =>
          'memory' in value ? (
            <Stack gap="sm">
              <UsageLine label="Memory" text={value.memory} />
              <UsageLine label="Disk" text={value.harddisk} />
              <UsageLine label="Traffic this month" text={value.bandwidth} />
            </Stack>
          ) : null
        }
      </QueryResult>
    </SectionCard>
  );
}
