// What was sent to the webhooks, or is to be sent, and what they answered; each can be sent once more.
import { Card, Group, SegmentedControl, Select, Table, Text, Title } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Delivery, Webhook } from '#sdk/v2.ts';
import { usePages } from '../../data/pages.ts';
import { useChange } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';
import { Act } from '../../parts/act.tsx';
import { Awaited, Empty, Failed } from '../../parts/answer.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ReadOn } from '../../parts/read-on.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { TableCard } from '../../parts/table-card.tsx';

const columns = [
  'When',
  'Event',
  'To',
  'State',
  { label: 'Attempts', isNumber: true },
  'Last answer',
  'Next',
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
    { everyMs: 5000, isMoving: ({ status }) => status === 'Pending' },
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
              aria-label="Of which webhook"
              placeholder="Of all webhooks"
              data={webhooks.map(({ id, url }) => ({ value: id, label: url }))}
              value={webhook}
              onChange={setWebhook}
              clearable
              clearButtonProps={{ 'aria-label': 'Of all webhooks' }}
            />
          )}
          <SegmentedControl value={state} onChange={setState} data={[...states]} aria-label="In which state" />
        </Group>
      </Group>
      {pages.isError && <Failed error={pages.error} again={() => void pages.refetch()} />}
      {pages.isPending && <Awaited lines={6} />}
      {pages.data !== undefined && deliveries.length === 0 && (
        <Card>
          <Empty icon="webhook" title="Nothing here">
            {state === 'All' ? 'The next event of the account is the first that is sent.' : 'Choose another state.'}
          </Empty>
        </Card>
      )}
      {deliveries.length > 0 && (
        <>
          <TableCard label="Deliveries" columns={columns} minWidth={980}>
            {deliveries.map((delivery) => (
              <Row key={delivery.id} of={delivery} to={webhooks.find(({ id }) => id === delivery.webhook)} />
            ))}
          </TableCard>
          <ReadOn of={pages} />
        </>
      )}
    </>
  );
}

function Row({ of: delivery, to }: { of: Delivery; to: Webhook | undefined }): JSX.Element {
  const refusal = useRefusal();
  const replay = useChange('deliveryReplay', { done: 'It will be sent once more.', changes: ['deliveryGet'] });
  const off = to?.status === 'Off' ? 'The webhook is off.' : undefined;
  const pending = delivery.status === 'Pending' ? 'It is still to be sent.' : undefined;
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <Moment at={delivery.created} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" ff="monospace">
          {delivery.type}
        </Text>
        <Text size="xs" c="dimmed">
          {[
            delivery.service === '' ? '' : `service ${delivery.service}`,
            delivery.replayof === '' ? '' : `repeats ${delivery.replayof}`,
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm" style={{ whiteSpace: 'nowrap' }} title={to?.url}>
          {hostOf(to?.url) ?? delivery.webhook}
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
          {delivery.error !== '' ? delivery.error : delivery.answer !== '' ? `answered ${delivery.answer}` : '—'}
        </Text>
        {delivery.last !== '' && (
          <Text size="xs" c="dimmed" component="div">
            <Moment at={delivery.last} ago />
          </Text>
        )}
      </Table.Td>
      <Table.Td>{delivery.next === '' ? '—' : <Moment at={delivery.next} ago />}</Table.Td>
      <Table.Td>
        <Act
          size="compact-sm"
          variant="default"
          reason={refusal('webhook:write') ?? pending ?? off}
          loading={replay.isPending}
          onClick={() => replay.mutate({ id: delivery.id })}
          aria-label={`Send again: ${delivery.type}`}
        >
          Send again
        </Act>
      </Table.Td>
    </Table.Tr>
  );
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined || !URL.canParse(url) ? undefined : new URL(url).host;
}
