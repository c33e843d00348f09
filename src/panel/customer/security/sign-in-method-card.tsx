// A card for one sign-in method: description, state and actions.
import { Card, Group, Stack, Title } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { Dimmed } from '../../parts/dimmed.tsx';

export interface SignInMethodCardProps {
  readonly title: string;
  readonly description: string;
  readonly state?: ReactNode;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

export function SignInMethodCard({ title, description, state, action, children }: SignInMethodCardProps): JSX.Element {
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
            <Dimmed>{description}</Dimmed>
          </div>
          {action}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
