// The frame of every page: title, description, actions and content.
import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { t } from '../text/text.ts';

/** A page above this one, as the way back to it. */
export interface Breadcrumb {
  readonly label: string;
  readonly to: string;
}

export interface PageProps {
  readonly breadcrumbs?: readonly Breadcrumb[];
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ breadcrumbs, title, description, actions, children }: PageProps): JSX.Element {
  useDocumentTitle(`${title} · Hostyard`);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          {breadcrumbs !== undefined && <Breadcrumbs pages={breadcrumbs} title={title} />}
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

function Breadcrumbs({ pages, title }: { pages: readonly Breadcrumb[]; title: string }): JSX.Element {
  return (
    <Group component="nav" aria-label={t('Breadcrumb')} gap={6} className="small">
      {pages.map(({ label, to }) => (
        <Text key={to} span inherit c="dimmed">
          <Anchor component={Link} to={to} inherit c="dimmed" underline="always">
            {label}
          </Anchor>{' '}
          /
        </Text>
      ))}
      <Text span inherit aria-current="page">
        {title}
      </Text>
    </Group>
  );
}
