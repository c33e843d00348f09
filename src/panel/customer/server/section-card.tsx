// A card with a heading, an optional description and controls at the right of the heading.
import { Card, Group, Text, Title } from '@mantine/core';
import type { JSX, ReactNode } from 'react';

export interface SectionCardProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly controls?: ReactNode;
  readonly children?: ReactNode;
}

export function SectionCard({ title, description, controls, children }: SectionCardProps): JSX.Element {
  return (
    <Card component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb={children === undefined ? 0 : 'sm'}>
        <div>
          <Title order={2} size="h5">
            {title}
          </Title>
          {description !== undefined && (
            <Text size="sm" c="dimmed" component="div" mt={2}>
              {description}
            </Text>
          )}
        </div>
        {controls}
      </Group>
      {children}
    </Card>
  );
}
