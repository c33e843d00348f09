// Traffic of a virtual machine. Its hypervisor reports monthly totals only.
import { Card, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../../data/operations.ts';
import { QueryResult } from '../../../parts/query-result.tsx';
import { UsageLine } from '../overview/usage-line.tsx';

const refetchMs = 60_000;

export function VmTraffic({ service }: { service: string }): JSX.Element {
  const stats = useRead('deviceStatsGet', { service }, { refetchMs });
  return (
    <Card>
      <QueryResult query={stats} lines={2}>
        {(value) => 'bandwidth' in value && <UsageLine label="Traffic this month" text={value.bandwidth} />}
      </QueryResult>
      <Text size="xs" c="dimmed" mt="xs">
        Traffic of virtual machines is metered monthly. Graphs are available for dedicated servers only.
      </Text>
    </Card>
  );
}
