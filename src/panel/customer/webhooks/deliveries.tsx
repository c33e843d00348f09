// Webhook deliveries with their state and response. Each can be sent again.
import { Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Delivery, Webhook } from '#sdk/v2.ts';
import { usePages } from '../../data/pages.ts';
import { useChange } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { notifyError } from '../../parts/notify-error.ts';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { LoadOlder } from '../../parts/load-older.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { t, tData } from '../../text/text.ts';

const states = ['All', 'Pending', 'Delivered', 'Failed'] as const;
type State = (typeof states)[number];

export function Deliveries({ webhooks }: { webhooks: readonly Webhook[] }): JSX.Element {
  const [state, setState] = useState<State>('All');
  const [webhook, setWebhook] = useState<string | null>(null);
  const deliveries = usePages(
    'deliveryGet',
    { ...(state === 'All' ? {} : { status: state }), ...(webhook === null ? {} : { webhook }) },
    { refetchMs: 5000, isInProgress: ({ status }) => status === 'Pending' },
  );
  const webhookOf = (delivery: Delivery): Webhook | undefined => webhooks.find(({ id }) => id === delivery.webhook);
  const columns: readonly Column<Delivery>[] = [
    { label: t('Time'), isOneLine: true, cell: ({ created }) => <Timestamp at={created} /> },
    { label: t('Event'), cell: (delivery) => <EventName delivery={delivery} /> },
    {
      label: t('Destination'),
      isOneLine: true,
      cell: (delivery) => {
        const url = webhookOf(delivery)?.url;
        return <span title={url}>{hostOfUrl(url) ?? delivery.webhook}</span>;
      },
    },
    { label: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
    { label: t('Attempts'), isNumber: true, cell: ({ attempts }) => attempts },
    {
      label: t('Last response'),
      className: 'wrap-anywhere',
      cell: ({ error, answer, last }) => (
        <>
          {error !== '' ? error : answer !== '' ? `HTTP ${answer}` : '—'}
          {last !== '' && (
            <Dimmed size="xs">
              <Timestamp at={last} isRelative />
            </Dimmed>
          )}
        </>
      ),
    },
    { label: t('Next attempt'), cell: ({ next }) => <Timestamp at={next} isRelative /> },
    {
      label: t('Actions'),
      width: 1,
      cell: (delivery) => <SendAgainButton delivery={delivery} webhook={webhookOf(delivery)} />,
    },
  ];
  return (
    <Section
      title={t('Deliveries')}
      actions={
        <Group gap="xs">
          {webhooks.length > 1 && (
            <Select
              aria-label={t('Webhook')}
              placeholder={t('All webhooks')}
              data={webhooks.map(({ id, url }) => ({ value: id, label: url }))}
              value={webhook}
              onChange={setWebhook}
              clearable
              clearButtonProps={{ 'aria-label': t('All webhooks') }}
            />
          )}
          <SegmentedControl
            value={state}
            onChange={setState}
            data={states.map((value) => ({ value, label: tData(value) }))}
            aria-label={t('Delivery status')}
          />
        </Group>
      }
    >
      <QueryResult
        query={deliveries}
        lines={6}
        empty={
          <EmptyCard icon="webhook" title={t('No deliveries')}>
            {state === 'All' ? t('Deliveries appear here after the next event.') : t('Choose another status.')}
          </EmptyCard>
        }
      >
        {(all) => (
          <>
            <TableCard label={t('Deliveries')} columns={columns} rows={all} rowKey={({ id }) => id} minWidth={980} />
            <LoadOlder query={deliveries} />
          </>
        )}
      </QueryResult>
    </Section>
  );
}

function EventName({ delivery: { type, service, replayof } }: { delivery: Delivery }): JSX.Element {
  const details = [
    service === '' ? '' : t('service {service}', { service }),
    replayof === '' ? '' : t('replay of {delivery}', { delivery: replayof }),
  ];
  return (
    <>
      <Text size="sm" ff="monospace">
        {type}
      </Text>
      <Dimmed size="xs">{details.filter((part) => part !== '').join(' · ')}</Dimmed>
    </>
  );
}

interface SendAgainButtonProps {
  readonly delivery: Delivery;
  readonly webhook: Webhook | undefined;
}

function SendAgainButton({ delivery, webhook }: SendAgainButtonProps): JSX.Element {
  const scopeDenial = useScopeDenial();
  const replay = useChange('deliveryReplay', {
    successMessage: t('Delivery queued again'),
    invalidates: ['deliveryGet'],
  });
  const disabledReason = webhook?.status === 'Off' ? t('The webhook is disabled.') : undefined;
  const pendingReason = delivery.status === 'Pending' ? t('The delivery is still pending.') : undefined;
  return (
    <ActionButton
      isInRow
      disabledReason={scopeDenial('webhook:write') ?? pendingReason ?? disabledReason}
      loading={replay.isPending}
      onClick={() => replay.mutate({ id: delivery.id }, { onError: notifyError })}
      aria-label={t('Send again: {type}', { type: delivery.type })}
    >
      {t('Send again')}
    </ActionButton>
  );
}

function hostOfUrl(url: string | undefined): string | undefined {
  return url === undefined || !URL.canParse(url) ? undefined : new URL(url).host;
}
