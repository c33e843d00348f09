// One thing that a virtual machine has so much of, and how much of it is used.
import { Group, Progress, Text } from '@mantine/core';
import type { JSX } from 'react';
import { shareOf } from './usage.ts';

const nearlyAllPercent = 90;

export interface UsageLineProps {
  readonly label: string;
  /** `<used> / <total>`, as the interface writes it. */
  readonly text: string;
  readonly size?: 'xs' | 'sm';
}

export function UsageLine({ label, text, size = 'sm' }: UsageLineProps): JSX.Element {
  const percent = shareOf(text);
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size={size}>{label}</Text>
        <Text size={size} className="numbers" c="dimmed">
          {text}
        </Text>
      </Group>
      {percent !== undefined && (
        <Progress.Root size={size}>
          <Progress.Section
            value={percent}
            color={percent >= nearlyAllPercent ? 'red.7' : 'yard.6'}
            aria-label={`${label}: ${text}`}
          />
        </Progress.Root>
      )}
    </div>
  );
}
