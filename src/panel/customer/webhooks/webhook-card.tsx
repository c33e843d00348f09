// One webhook: its URL, events, state and actions.
import { Alert, Card, Group, Stack, Text, Tooltip } from '@mantine/core';
import type { JSX } from 'react';
import type { Webhook } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorAlert } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import type { SecretDialogControl } from '../../parts/secret-dialog.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { rich } from '../../text/rich.ts';
import { t, tData } from '../../text/text.ts';

export interface WebhookCardProps {
  readonly webhook: Webhook;
  readonly dialog: SecretDialogControl<Webhook>;
}

export function WebhookCard({ webhook, dialog }: WebhookCardProps): JSX.Element {
  const disabledReason = useScopeDenial()('webhook:write');
  const isOn = webhook.status === 'Active';
  const invalidates = ['webhookGet', 'deliveryGet'];
  const common = { size: 'compact-sm', variant: 'default', disabledReason };
  const change = useChange('webhookUpdate', {
    successMessage: isOn ? t('Webhook disabled') : t('Webhook enabled'),
    invalidates,
  });
  const remove = useChange('webhookDelete', { successMessage: t('Webhook removed'), invalidates });
  return (
    <Card component="section" aria-label={t('Webhook {url}', { url: webhook.url })}>
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
            {' · '}
            {rich('created {time}', { time: <Timestamp at={webhook.created} isRelative /> })}
            {webhook.overlapends !== '' && (
              <>
                {' · '}
                {rich('old secret also signs until {time}', { time: <Timestamp at={webhook.overlapends} /> })}
              </>
            )}
          </Text>
        </div>
        <Group gap={6}>
          <ActionButton {...common} onClick={() => dialog.edit(webhook)}>
            {t('Edit')}
          </ActionButton>
          <ActionButton
            {...common}
            loading={change.isPending}
            onClick={() => change.mutate({ id: webhook.id, status: isOn ? 'Off' : 'Active' })}
          >
            {isOn ? t('Disable') : t('Enable')}
          </ActionButton>
          <ActionButton {...common} onClick={() => dialog.rotate(webhook)}>
            {t('Rotate secret')}
          </ActionButton>
          <ConfirmButton
            {...common}
            variant="light"
            color="red"
            question={t('Remove this webhook?')}
            consequence={
              <>
                {rich('No more events are sent to {url}, and its delivery log is deleted.', {
                  url: <b className="wrap-anywhere">{webhook.url}</b>,
                })}
              </>
            }
            confirmLabel={t('Remove')}
            onConfirm={() => remove.mutateAsync({ id: webhook.id })}
          />
        </Group>
      </Group>
      {!isOn && webhook.reason !== '' && (
        <Alert color="yellow" variant="light" mt="sm" py="xs">
          {t('Disabled: {reason}', { reason: tData(webhook.reason) })}
        </Alert>
      )}
      {change.isError && (
        <Stack mt="sm">
          <ErrorAlert error={change.error} />
        </Stack>
      )}
    </Card>
  );
}

function eventsText(events: readonly string[]): string {
  if (events.length === 0) return t('All events');
  return events.length <= 3 ? events.join(', ') : t('{count} event types', { count: events.length });
}
