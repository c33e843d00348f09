// Webhook deliveries with their state and response. Each can be sent again.
import { Card, Group, SegmentedControl, Select, Table, Text, Title } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Delivery, Webhook } from '#sdk/v2.ts';
import { usePages } from '../../data/pages.ts';
import { useChange } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { LoadingLines, EmptyState, ErrorAlert } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { LoadOlder } from '../../parts/load-older.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard } from '../../parts/table-card.tsx';

const columns = [
  'Time',
  'Event',
  'Destination',
  'Status',
  { label: 'Attempts', isNumber: true },
  'Last response',
  'Next attempt',
  { label: 'Actions', width: 1 },
];
const states = ['All', 'Pending', 'Delivered', 'Failed'] as const;
type State = (typeof states)[number];

export function Deliveries({ webhooks }: { webhooks: readonly Webhook[] }): JSX.Element {
  const [state, setState] = useState<State>('All');
  const [webhook, setWebhook] = useState<string | null>(null);
  const pages = usePages(
    'deliveryGet',
    { ...(state === 'All' ? {} : { status: state }), ...(webhook === null ? {} : { webhook }) },
    { refetchMs: 5000, isInProgress: ({ status }) => status === 'Pending' },
  );
  const deliveries = pages.data?.pages.flat() ?? [];
  return (
    <>
      <Group justify="space-between" mt="sm">
        <Title order={2} size="h4">
          Deliveries
        </Title>
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
      </Group>
      {pages.isError && <ErrorAlert error={pages.error} retry={() => void pages.refetch()} />}
      {pages.isPending && <LoadingLines lines={6} />}
      {pages.data !== undefined && deliveries.length === 0 && (
        <Card>
          <EmptyState icon="webhook" title="No deliveries">
            {state === 'All' ? 'Deliveries appear here with the next event.' : 'Choose another status.'}
          </EmptyState>
        </Card>
      )}
      {deliveries.length > 0 && (
        <>
          <TableCard label="Deliveries" columns={columns} minWidth={980}>
            {deliveries.map((delivery) => (
              <Row key={delivery.id} delivery={delivery} webhook={webhooks.find(({ id }) => id === delivery.webhook)} />
            ))}
          </TableCard>
          <LoadOlder query={pages} />
        </>
      )}
    </>
  );
}

function Row({ delivery, webhook }: { delivery: Delivery; webhook: Webhook | undefined }): JSX.Element {
  const scopeDenial = useScopeDenial();
  const replay = useChange('deliveryReplay', { successMessage: 'Delivery queued again', invalidates: ['deliveryGet'] });
  const disabledReason = webhook?.status === 'Off' ? 'The webhook is disabled.' : undefined;
  const pendingReason = delivery.status === 'Pending' ? 'The delivery is still pending.' : undefined;
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <Timestamp at={delivery.created} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" ff="monospace">
          {delivery.type}
        </Text>
        <Text size="xs" c="dimmed">
          {[
            delivery.service === '' ? '' : `service ${delivery.service}`,
            delivery.replayof === '' ? '' : `replay of ${delivery.replayof}`,
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm" style={{ whiteSpace: 'nowrap' }} title={webhook?.url}>
          {hostOfUrl(webhook?.url) ?? delivery.webhook}
        </Text>
      </Table.Td>
      <Table.Td>
        <StateBadge state={delivery.status} />
      </Table.Td>
      <Table.Td ta="right" className="numbers">
        {delivery.attempts}
      </Table.Td>
      <Table.Td>
        <Text size="sm" className="wrap-anywhere">
          {delivery.error !== '' ? delivery.error : delivery.answer !== '' ? `HTTP ${delivery.answer}` : '—'}
        </Text>
        {delivery.last !== '' && (
          <Text size="xs" c="dimmed" component="div">
            <Timestamp at={delivery.last} isRelative />
          </Text>
        )}
      </Table.Td>
      <Table.Td>{delivery.next === '' ? '—' : <Timestamp at={delivery.next} isRelative />}</Table.Td>
      <Table.Td>
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
      </Table.Td>
    </Table.Tr>
  );
}

function hostOfUrl(url: string | undefined): string | undefined {
  return url === undefined || !URL.canParse(url) ? undefined : new URL(url).host;
}
