// What a virtual machine uses of what it has, in a few lines.
import { Group, Progress, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../data/read.ts';
import { shareOf } from '../server/usage.ts';

/** Shares in percent. */
const nearlyAll = 90;
const everyMs = 120_000;

/** Nothing where its node does not answer: the health says so already. */
export function MachineUse({ service }: { service: string }): JSX.Element | null {
  const { data } = useRead('deviceStatsGet', { service }, { everyMs });
  if (data === undefined || !('memory' in data)) return null;
  const rows = [
    ['Memory', data.memory],
    ['Disk', data.harddisk],
    ['Traffic this month', data.bandwidth],
  ] as const;
  return (
    <Stack gap={8} mt="auto">
      {rows.map(([name, text]) => {
        const percent = shareOf(text);
        return (
          <div key={name}>
            <Group justify="space-between" gap="xs">
              <Text size="xs" c="dimmed">
                {name}
              </Text>
              <Text size="xs" className="numbers">
                {text}
              </Text>
            </Group>
            {percent !== undefined && (
              <Progress
                mt={3}
                size={4}
                value={percent}
                color={percent >= nearlyAll ? 'red' : 'teal'}
                aria-label={`${name}: ${text}`}
              />
            )}
          </div>
        );
      })}
    </Stack>
  );
}
