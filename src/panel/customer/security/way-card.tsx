// One way to sign in: what it is, how it stands, and what can be done about it.
import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

export interface WayCardProps {
  readonly title: string;
  readonly about: string;
  readonly state?: ReactNode;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

export function WayCard({ title, about, state, action, children }: WayCardProps): JSX.Element {
  return (
    <Card component="section" aria-label={title}>
      <Stack>
        <Group justify="space-between" align="flex-start" gap="sm">
          <div style={{ flex: '1 1 280px' }}>
            <Group gap="xs">
              <Title order={2} size="h4">
                {title}
              </Title>
              {state}
            </Group>
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          </div>
          {action}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
