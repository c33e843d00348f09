// Beside the servers: what is owed, the newest attacks, and what happened last.
import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import type { Event, InvoiceListItem } from '#sdk/v2.ts';
import { useRead } from '../../data/read.ts';
import { rateText } from '../../parts/amounts.ts';
import { Answer } from '../../parts/answer.tsx';
import { eventText } from '../../parts/event-text.ts';
import { Moment } from '../../parts/moment.tsx';
import { Day, Money } from '../../parts/money.tsx';
import { StateBadge } from '../../parts/state.tsx';
import type { Attack } from '../network/attack.ts';

interface SideCardProps {
  readonly title: string;
  readonly to?: '/invoices' | '/network' | '/audit';
  readonly children: ReactNode;
}

function SideCard({ title, to, children }: SideCardProps): JSX.Element {
  return (
    <Card component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            {title}
          </Title>
          {to !== undefined && (
            <Anchor size="sm" aria-label={`${title}: all`} renderRoot={(props) => <Link to={to} {...props} />}>
              All
            </Anchor>
          )}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}

function Quiet({ children }: { children: ReactNode }): JSX.Element {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

const shownInvoices = 4;

export function MoneyCard({ invoices }: { invoices: readonly InvoiceListItem[] | undefined }): JSX.Element {
  const balance = useRead('balanceGet', {});
  const open = (invoices ?? []).filter(({ status }) => status === 'Unpaid' || status === 'Overdue');
  return (
    <SideCard title="Invoices" to="/invoices">
      <Answer of={balance} lines={2}>
        {(amount) => (
          <div>
            <Text size="xs" c="dimmed">
              {amount.startsWith('-') ? 'In credit' : 'Balance due'}
            </Text>
            <Text size="xl" fw={650} component="div">
              <Money amount={amount.replace(/^-/, '')} />
            </Text>
          </div>
        )}
      </Answer>
      {invoices !== undefined && open.length === 0 && <Quiet>No open invoice.</Quiet>}
      {open.slice(0, shownInvoices).map((invoice) => (
        <Group key={invoice.id} justify="space-between" gap="xs" wrap="nowrap">
          <div>
            <Text size="sm" fw={600}>
              {invoice.invoicenum}
            </Text>
            <Text size="xs" c="dimmed">
              due <Day on={invoice.duedate} />
            </Text>
          </div>
          <Stack gap={2} align="flex-end">
            <Text size="sm" component="span">
              <Money amount={invoice.total} />
            </Text>
            <StateBadge state={invoice.status} />
          </Stack>
        </Group>
      ))}
    </SideCard>
  );
}

const shownAttacks = 3;

export function AttacksCard({ attacks }: { attacks: readonly Attack[] }): JSX.Element {
  return (
    <SideCard title="Attacks" to="/network">
      {attacks.length === 0 && <Quiet>None was seen.</Quiet>}
      {attacks.slice(0, shownAttacks).map((attack) => (
        <Group key={attack.id} justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={600}>
              {attack.kind}
            </Text>
            <Text size="xs" c="dimmed" className="wrap-anywhere" component="div">
              <Text span inherit ff="monospace">
                {attack.address}
              </Text>
              , <Moment at={attack.start} ago />, {rateText(attack.bits.value)}
            </Text>
          </div>
          <StateBadge state={attack.end === undefined ? 'Under way' : 'Over'} />
        </Group>
      ))}
    </SideCard>
  );
}

const shownEvents = 8;

export function EventsCard({ nameOf }: { nameOf: (service: string) => string }): JSX.Element {
  const log = useRead('eventLogGet', { newest: true, limit: shownEvents });
  return (
    <SideCard title="Recent events">
      <Answer of={log} lines={4}>
        {({ events }) =>
          events.length === 0 ? (
            <Quiet>Nothing has happened yet. What does stands here at once.</Quiet>
          ) : (
            [...events].reverse().map((event) => <EventLine key={event.id} event={event} nameOf={nameOf} />)
          )
        }
      </Answer>
    </SideCard>
  );
}

function EventLine({ event, nameOf }: { event: Event; nameOf: (service: string) => string }): JSX.Element {
  return (
    <div>
      <Text size="sm" className="wrap-anywhere">
        {event.service !== '' && (
          <Text span inherit fw={600}>
            {nameOf(event.service)}:{' '}
          </Text>
        )}
        {eventText(event)}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        <Moment at={event.timestamp} ago />
      </Text>
    </div>
  );
}
