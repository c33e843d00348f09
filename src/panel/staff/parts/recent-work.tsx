// The latest work on a service, each with its state.
import { Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffPages } from '../../data/staff-pages.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { WorkflowLink } from './links.tsx';
import { workflowTitle } from './workflow-steps.tsx';
import { t } from '../../text/text.ts';

export function RecentWork({ service, limit }: { service: string; limit: number }): JSX.Element {
  const workflows = useStaffPages('workflowList', { service }, { length: limit });
  return (
    <QueryResult query={workflows} lines={2} empty={<Dimmed>{t('No recent activity')}</Dimmed>}>
      {(all) => (
        <Stack gap={6}>
          {all.map(({ id, name, status, started }) => (
            <Group key={id} gap="xs" justify="space-between" wrap="nowrap">
              <Text size="sm" truncate>
                <WorkflowLink id={id}>{workflowTitle(name)}</WorkflowLink>
              </Text>
              <Group gap="xs" wrap="nowrap">
                <Dimmed size="xs">
                  <Timestamp at={started} isRelative />
                </Dimmed>
                <StateBadge state={status} />
              </Group>
            </Group>
          ))}
        </Stack>
      )}
    </QueryResult>
  );
}
