// One webhook: where it leads, what it is sent, whether it is on, and what can be done with it.
import { Alert, Card, Group, Text, Tooltip } from '@mantine/core';
import type { JSX } from 'react';
import type { Webhook } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StateBadge } from '../../parts/state.tsx';

export interface WebhookCardProps {
  readonly of: Webhook;
  readonly edit: () => void;
  readonly rotate: () => void;
}

export function WebhookCard({ of: webhook, edit, rotate }: WebhookCardProps): JSX.Element {
  const reason = useRefusal()('webhook:write');
  const isOn = webhook.status === 'Active';
  const changes = ['webhookGet', 'deliveryGet'];
  const change = useChange('webhookUpdate', { done: `The webhook is ${isOn ? 'off' : 'on'}.`, changes });
  const remove = useChange('webhookDelete', { done: 'The webhook is removed.', changes });
  return (
    <Card component="section" aria-label={`Webhook ${webhook.url}`}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 320px' }}>
          <Group gap="xs" wrap="nowrap" align="flex-start">
            <Text ff="monospace" size="sm" fw={600} className="wrap-anywhere">
              {webhook.url}
            </Text>
            <StateBadge state={webhook.status} />
          </Group>
          {webhook.description !== '' && <Text size="sm">{webhook.description}</Text>}
          <Text size="sm" c="dimmed" component="div">
            <Tooltip label={webhook.events.join(', ')} disabled={webhook.events.length === 0}>
              <span>{eventsText(webhook.events)}</span>
            </Tooltip>
            {' · made '}
            <Moment at={webhook.created} ago />
            {webhook.overlapends !== '' && (
              <>
                {' · the old secret signs too until '}
                <Moment at={webhook.overlapends} />
              </>
            )}
          </Text>
        </div>
        <Group gap={6}>
          <Act size="compact-sm" variant="default" reason={reason} onClick={edit}>
            Change
          </Act>
          <Act
            size="compact-sm"
            variant="default"
            reason={reason}
            loading={change.isPending}
            onClick={() => change.mutate({ id: webhook.id, status: isOn ? 'Off' : 'Active' })}
          >
            {isOn ? 'Switch off' : 'Switch on'}
          </Act>
          <Act size="compact-sm" variant="default" reason={reason} onClick={rotate}>
            Rotate the secret
          </Act>
          <AskFirst
            size="compact-sm"
            variant="light"
            color="red"
            reason={reason}
            question="Remove this webhook?"
            consequence={
              <>
                Nothing more is sent to <b className="wrap-anywhere">{webhook.url}</b>, and the log of what was sent
                goes with it.
              </>
            }
            yes="Remove"
            act={() => remove.mutateAsync({ id: webhook.id })}
          >
            Remove
          </AskFirst>
        </Group>
      </Group>
      {!isOn && webhook.reason !== '' && (
        <Alert color="yellow" variant="light" mt="sm" py="xs">
          It is off: {webhook.reason}
        </Alert>
      )}
      {change.isError && (
        <Alert color="red" variant="light" mt="sm" py="xs" role="alert">
          {change.error.message}
        </Alert>
      )}
    </Card>
  );
}

function eventsText(events: readonly string[]): string {
  if (events.length === 0) return 'All events';
  return events.length <= 3 ? events.join(', ') : `${events.length} kinds of events`;
}
