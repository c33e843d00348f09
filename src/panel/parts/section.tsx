// A part of a page, with its heading and actions.
import { Group, Stack, Title } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

export interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, actions, children }: SectionProps): JSX.Element {
  return (
    <Stack gap="sm" component="section" className="section" aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
