// What a virtual machine uses of what it has, in a few lines.
import { Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../data/read.ts';
import { UsageLine } from '../server/usage-line.tsx';

const everyMs = 120_000;

/** Nothing where its node does not answer: the health says so already. */
export function MachineUse({ service }: { service: string }): JSX.Element | null {
  const { data } = useRead('deviceStatsGet', { service }, { everyMs });
  if (data === undefined || !('memory' in data)) return null;
  return (
    <Stack gap={8} mt="auto">
      <UsageLine size="xs" label="Memory" text={data.memory} />
      <UsageLine size="xs" label="Disk" text={data.harddisk} />
      <UsageLine size="xs" label="Traffic this month" text={data.bandwidth} />
    </Stack>
  );
}
