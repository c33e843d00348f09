// The usage of one resource of a virtual machine.
import { Group, Progress, Text } from '@mantine/core';
import type { JSX } from 'react';
import { usagePercent, usageText } from './usage.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';

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
        <Dimmed size={size} className="numbers">
          {usageText(text)}
        </Dimmed>
      </Group>
      {percent !== undefined && (
        <Progress.Root size={size}>
          <Progress.Section
            value={percent}
            color={percent >= nearlyFullPercent ? 'red.7' : 'brand.6'}
            aria-label={`${label}: ${usageText(text)}`}
          />
        </Progress.Root>
      )}
    </div>
  );
}
