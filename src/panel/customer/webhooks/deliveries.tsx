// Webhook deliveries with their state and response. Each can be sent again.
import { Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Delivery, Webhook } from '#sdk/v2.ts';
import { usePages } from '../../data/pages.ts';
import { useChange } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { LoadOlder } from '../../parts/load-older.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';

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
    { label: 'Time', isOneLine: true, cell: ({ created }) => <Timestamp at={created} /> },
    { label: 'Event', cell: (delivery) => <EventName delivery={delivery} /> },
    {
      label: 'Destination',
      isOneLine: true,
      cell: (delivery) => {
        const url = webhookOf(delivery)?.url;
        return <span title={url}>{hostOfUrl(url) ?? delivery.webhook}</span>;
      },
    },
    { label: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
    { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
    {
      label: 'Last response',
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
    { label: 'Next attempt', cell: ({ next }) => <Timestamp at={next} isRelative /> },
    {
      label: 'Actions',
      width: 1,
      cell: (delivery) => <SendAgainButton delivery={delivery} webhook={webhookOf(delivery)} />,
    },
  ];
  return (
    <Section
      title="Deliveries"
      actions={
        <Group gap="xs">
          {webhooks.length > 1 && (
            <Select
              aria-label="Webhook"
              placeholder="All webhooks"
              data={webhooks.map(({ id, url }) => ({ value: id, label: url }))}
              value={webhook}
              onChange={setWebhook}
              clearable
              clearButtonProps={{ 'aria-label': 'All webhooks' }}
            />
          )}
          <SegmentedControl value={state} onChange={setState} data={[...states]} aria-label="Delivery status" />
        </Group>
      }
    >
      <QueryResult
        query={deliveries}
        lines={6}
        empty={
          <EmptyCard icon="webhook" title="No deliveries">
            {state === 'All' ? 'Deliveries appear here with the next event.' : 'Choose another status.'}
          </EmptyCard>
        }
      >
        {(all) => (
          <>
            <TableCard label="Deliveries" columns={columns} rows={all} rowKey={({ id }) => id} minWidth={980} />
            <LoadOlder query={deliveries} />
          </>
        )}
      </QueryResult>
    </Section>
  );
}

function EventName({ delivery: { type, service, replayof } }: { delivery: Delivery }): JSX.Element {
  const details = [service === '' ? '' : `service ${service}`, replayof === '' ? '' : `replay of ${replayof}`];
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
  const replay = useChange('deliveryReplay', { successMessage: 'Delivery queued again', invalidates: ['deliveryGet'] });
  const disabledReason = webhook?.status === 'Off' ? 'The webhook is disabled.' : undefined;
  const pendingReason = delivery.status === 'Pending' ? 'The delivery is still pending.' : undefined;
  return (
    <ActionButton
      size="compact-sm"
      variant="default"
      disabledReason={scopeDenial('webhook:write') ?? pendingReason ?? disabledReason}
      loading={replay.isPending}
      onClick={() => replay.mutate({ id: delivery.id })}
      aria-label={`Send again: ${delivery.type}`}
    >
      Send again
    </ActionButton>
  );
}

function hostOfUrl(url: string | undefined): string | undefined {
  return url === undefined || !URL.canParse(url) ? undefined : new URL(url).host;
}
