// The usage of one resource of a virtual machine.
import { Group, Progress, Text } from '@mantine/core';
import type { JSX } from 'react';
import { usagePercent, usageText } from './usage.ts';

const nearlyFullPercent = 90;

export interface UsageLineProps {
  readonly label: string;
  /** `<used> / <total>`, as the API formats it. */
  readonly text: string;
  readonly size?: 'xs' | 'sm';
}

export function UsageLine({ label, text, size = 'sm' }: UsageLineProps): JSX.Element {
  const percent = usagePercent(text);
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size={size}>{label}</Text>
        <Text size={size} className="numbers" c="dimmed">
          {usageText(text)}
        </Text>
      </Group>
      {percent !== undefined && (
        <Progress.Root size={size}>
          <Progress.Section
            value={percent}
            color={percent >= nearlyFullPercent ? 'red.7' : 'brand.6'}
            aria-label={`${label}: ${text}`}
          />
        </Progress.Root>
      )}
    </div>
  );
}
