// Memory, disk and traffic usage of a virtual machine, in compact form.
import { Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../data/operations.ts';
import { UsageLine } from '../server/overview/usage-line.tsx';

const refetchMs = 120_000;

/** Renders nothing if the hypervisor does not respond: the health indicator already says so. */
export function VmUsage({ service }: { service: string }): JSX.Element | null {
  const { data } = useRead('deviceStatsGet', { service }, { refetchMs });
  if (data === undefined || !('memory' in data)) return null;
  return (
    <Stack gap={8} mt="auto">
      <UsageLine size="xs" label="Memory" text={data.memory} />
      <UsageLine size="xs" label="Disk" text={data.harddisk} />
      <UsageLine size="xs" label="Traffic this month" text={data.bandwidth} />
    </Stack>
  );
}
