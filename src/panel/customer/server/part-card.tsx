// A card of a server's page: its heading, a few words on what it is for, what stands at the right of them, and its content.
import { Card, Group, Text, Title } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

export interface PartCardProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly right?: ReactNode;
  readonly children?: ReactNode;
}

export function PartCard({ title, about, right, children }: PartCardProps): JSX.Element {
  return (
    <Card component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb={children === undefined ? 0 : 'sm'}>
        <div>
          <Title order={2} size="h5">
            {title}
          </Title>
          {about !== undefined && (
            <Text size="sm" c="dimmed" component="div" mt={2}>
              {about}
            </Text>
          )}
        </div>
        {right}
      </Group>
      {children}
    </Card>
  );
}
