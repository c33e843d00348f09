// What a virtual machine uses of what it has.
import { Group, Progress, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../data/read.ts';
import { Answer } from '../../parts/answer.tsx';
import { PartCard } from './part-card.tsx';
import { shareOf } from './usage.ts';

const everyMs = 60_000;

export function ResourceCard({ service }: { service: string }): JSX.Element {
  const stats = useRead('deviceStatsGet', { service }, { everyMs });
  return (
    <PartCard title="Resources">
      <Answer of={stats} lines={3}>
        {(value) =>
          'memory' in value ? (
            <Stack gap="sm">
              <Usage label="Memory" text={value.memory} />
              <Usage label="Disk" text={value.harddisk} />
              <Usage label="Traffic this month" text={value.bandwidth} />
            </Stack>
          ) : null
        }
      </Answer>
    </PartCard>
  );
}

function Usage({ label, text }: { label: string; text: string }): JSX.Element {
  const percent = shareOf(text);
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm">{label}</Text>
        <Text size="sm" className="numbers" c="dimmed">
          {text}
        </Text>
      </Group>
      {percent !== undefined && (
        <Progress.Root size="sm">
          <Progress.Section
            value={percent}
            color={percent >= 90 ? 'red.7' : 'yard.6'}
            aria-label={`${label}: ${text}`}
          />
        </Progress.Root>
      )}
    </div>
  );
}
