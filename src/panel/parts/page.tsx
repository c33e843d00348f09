// The frame of every page: title, description, actions and content.
import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { JSX, ReactNode } from 'react';

export interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, description, actions, children }: PageProps): JSX.Element {
  useDocumentTitle(`${title} · Hostyard`);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={1} size="h2">
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" component="div">
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
