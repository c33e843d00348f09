// Running and recent operations of a server, with live progress.
import { Group, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type JSX } from 'react';
import type { Action } from '#sdk/v2.ts';
import { useDeviceApi, useRead } from '../../../data/operations.ts';
import { Dimmed } from '../../../parts/dimmed.tsx';
import { QueryResult } from '../../../parts/query-result.tsx';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { StateBadge } from '../../../parts/state-badge.tsx';
import { actionLabel, isInProgress, stepLabel } from '#text/operation-labels.ts';
import { SectionCard } from '../section-card.tsx';
import { t, tError } from '../../../text/text.ts';

const maxActions = 5;
const listRefetchMs = 5000;
/** The request itself blocks until the next step; this is only the pause between two requests. */
const liveRefetchMs = 300;
const waitSeconds = 20;

export function ActivityCard({ service }: { service: string }): JSX.Element {
  const actions = useRead('actionList', { service, limit: maxActions }, { refetchMs: listRefetchMs });
  return (
    <SectionCard title={t('Activity')}>
      <QueryResult query={actions} lines={3}>
        {(all) =>
          all.length === 0 ? (
            <Dimmed>{t('No recent activity')}</Dimmed>
          ) : (
            <Stack gap="sm">
              {all.map((action) =>
                isInProgress(action) ? (
                  <LiveAction key={action.id} initial={action} />
                ) : (
                  <ActionLine key={action.id} action={action} />
                ),
              )}
            </Stack>
          )
        }
      </QueryResult>
    </SectionCard>
  );
}

export function LiveAction({ initial }: { initial: Action }): JSX.Element {
  const cache = useQueryClient();
  const { portal } = useDeviceApi();
  const live = useRead('actionGet', { id: initial.id, wait: waitSeconds }, { refetchMs: liveRefetchMs });
  const action = live.data ?? initial;
  const hasEnded = !isInProgress(action);
  useEffect(() => {
    if (hasEnded) void cache.invalidateQueries({ queryKey: [portal, 'actionList'] });
  }, [hasEnded, cache, portal]);
  return (
    <div aria-live="polite">
      <ActionLine action={action} />
      <Progress
        value={Number(action.progress)}
        size="sm"
        mt={6}
        animated
        aria-label={t('Progress: {action}', { action: actionLabel(action.operation) })}
      />
      <Dimmed size="xs" mt={4}>
        {stepLabel(action.step)}
      </Dimmed>
    </div>
  );
}

function ActionLine({ action }: { action: Action }): JSX.Element {
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{actionLabel(action.operation)}</Text>
        <Group gap="sm">
          <Dimmed size="xs">
            <Timestamp at={action.ended === '' ? action.started : action.ended} isRelative />
          </Dimmed>
          <StateBadge state={action.status} />
        </Group>
      </Group>
      {action.error !== '' && <Dimmed size="xs">{tError(action.code, action.error)}</Dimmed>}
    </div>
  );
}
