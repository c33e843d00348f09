// What runs on a server now, step by step as it happens, and what ran last.
import { Group, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type JSX } from 'react';
import type { Action } from '#sdk/v2.ts';
import { useRead } from '../../data/read.ts';
import { Answer } from '../../parts/answer.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { actionWords, isUnderWay, stepWords } from './action-words.ts';
import { PartCard } from './part-card.tsx';

const shownActions = 5;
const listEveryMs = 5000;
/** The answer itself waits for the next step; this is only the breath between two of them. */
const followEveryMs = 300;
const waitSeconds = 20;

export function ActionsCard({ service }: { service: string }): JSX.Element {
  const actions = useRead('actionList', { service, limit: shownActions }, { everyMs: listEveryMs });
  return (
    <PartCard title="Activity">
      <Answer of={actions} lines={3}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing has run on it yet.
            </Text>
          ) : (
            <Stack gap="sm">
              {all.map((action) =>
                isUnderWay(action) ? (
                  <Followed key={action.id} first={action} />
                ) : (
                  <ActionLine key={action.id} action={action} />
                ),
              )}
            </Stack>
          )
        }
      </Answer>
    </PartCard>
  );
}

export function Followed({ first }: { first: Action }): JSX.Element {
  const cache = useQueryClient();
  const followed = useRead('actionGet', { id: first.id, wait: waitSeconds }, { everyMs: followEveryMs });
  const action = followed.data ?? first;
  const hasEnded = !isUnderWay(action);
  useEffect(() => {
    if (hasEnded) void cache.invalidateQueries({ queryKey: ['customer', 'actionList'] });
  }, [hasEnded, cache]);
  return (
    <div aria-live="polite">
      <ActionLine action={action} />
      <Progress
        value={Number(action.progress)}
        size="sm"
        mt={6}
        animated
        aria-label={`Progress of ${actionWords(action.operation)}`}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {stepWords(action.step)}
      </Text>
    </div>
  );
}

function ActionLine({ action }: { action: Action }): JSX.Element {
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{actionWords(action.operation)}</Text>
        <Group gap="sm">
          <Text size="xs" c="dimmed">
            <Moment at={action.ended === '' ? action.started : action.ended} ago />
          </Text>
          <StateBadge state={action.status} />
        </Group>
      </Group>
      {action.error !== '' && (
        <Text size="xs" c="dimmed">
          {action.error}
        </Text>
      )}
    </div>
  );
}
