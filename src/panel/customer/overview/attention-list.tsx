// The items that need attention, at the top of the overview.
import { Card, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { Icon } from '../../shell/icons.tsx';
import type { AttentionItem, LinkTarget } from './attention.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { t } from '../../text/text.ts';

const colours = {
  now: 'light-dark(var(--mantine-color-red-8), var(--mantine-color-red-5))',
  soon: 'light-dark(#b3450a, var(--mantine-color-orange-5))',
} as const;

export function AttentionList({ items }: { items: readonly AttentionItem[] }): JSX.Element {
  if (items.length === 0)
    return (
      <Group gap="xs" role="status">
        <Text span c="light-dark(var(--mantine-color-teal-8), var(--mantine-color-teal-5))" lh={0}>
          <Icon name="check" />
        </Text>
        <Text size="sm">{t('Nothing needs your attention.')}</Text>
      </Group>
    );
  return (
    <Card padding={0} component="section" aria-label={t('Needs attention')}>
      <Stack gap={0} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {items.map((item, index) => (
          <li
            key={item.id}
            style={
              index === 0
                ? {}
                : { borderTopWidth: 1, borderTopStyle: 'solid', borderTopColor: 'var(--mantine-color-default-border)' }
            }
          >
            <ItemLink link={item.link}>
              <Group gap="sm" wrap="nowrap" px="md" py="sm" align="flex-start">
                <Text span c={colours[item.urgency]} lh={0} mt={2}>
                  <Icon name="warning" />
                </Text>
                <div style={{ flex: 1, minWidth: 0 }}>
                  <Text size="sm" fw={600} className="wrap-anywhere">
                    {item.title}
                  </Text>
                  <Dimmed className="wrap-anywhere">{item.detail}</Dimmed>
                </div>
                <Text span c="dimmed" lh={0} mt={2}>
                  <Icon name="forward" size={16} />
                </Text>
              </Group>
            </ItemLink>
          </li>
        ))}
      </Stack>
    </Card>
  );
}

function ItemLink({ link, children }: { link: LinkTarget; children: ReactNode }): JSX.Element {
  if (link.page === 'server')
    return (
      <Link to="/servers/$service" params={{ service: link.service }} className="plain">
        {children}
      </Link>
    );
  const to = link.page === 'invoice' ? ({ to: '/invoices', hash: link.invoice } as const) : { to: link.page };
  return (
    <Link {...to} className="plain">
      {children}
    </Link>
  );
}
