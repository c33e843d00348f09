// The traffic of a virtual machine: its node counts what passed in a month, and nothing finer.
import { Card, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../data/read.ts';
import { Answer } from '../../parts/answer.tsx';
import { UsageLine } from './usage-line.tsx';

const everyMs = 60_000;

export function MachineTraffic({ service }: { service: string }): JSX.Element {
  const stats = useRead('deviceStatsGet', { service }, { everyMs });
  return (
    <Card>
      <Answer of={stats} lines={2}>
        {(value) => 'bandwidth' in value && <UsageLine label="Traffic this month" text={value.bandwidth} />}
      </Answer>
      <Text size="xs" c="dimmed" mt="xs">
        A virtual machine’s traffic is counted by the month. Graphs are drawn of dedicated servers.
      </Text>
    </Card>
  );
}
