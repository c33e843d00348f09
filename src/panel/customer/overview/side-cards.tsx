// The side column of the overview: invoices, recent attacks and recent events.
import { Anchor, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import type { Event, InvoiceListItem } from '#sdk/v2.ts';
import { describeEvent } from '#text/event-sentences.ts';
import { useRead } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { rateText } from '../../parts/traffic-units.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { EventSentenceText } from '../../parts/event-sentence.tsx';
import { pageOf } from '../../parts/event-pages.ts';
import { Timestamp } from '../../parts/timestamp.tsx';
import { Day, Money } from '../../parts/money.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { CreditLine } from '../invoices/credit-line.tsx';
import { isOpenInvoice } from '../invoices/open-invoices.ts';
import { useEventNames } from '../names.ts';
import type { Attack } from '../network/attack.ts';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';

interface SideCardProps {
  readonly title: string;
  readonly to?: '/invoices' | '/network' | '/events';
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
            <Anchor
              size="sm"
              aria-label={t('View all: {title}', { title })}
              renderRoot={(props) => <Link to={to} {...props} />}
            >
              {t('View all')}
            </Anchor>
          )}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}

const maxInvoices = 4;

export function InvoicesCard({ invoices }: { invoices: readonly InvoiceListItem[] | undefined }): JSX.Element {
  const balance = useRead('balanceGet', {});
  const open = (invoices ?? []).filter(isOpenInvoice);
  return (
    <SideCard title={t('Invoices')} to="/invoices">
      <QueryResult query={balance} lines={2}>
        {(amount) => (
          <div>
            <Dimmed size="xs">{amount.startsWith('-') ? t('Credit') : t('Balance due')}</Dimmed>
            <Text size="xl" fw={650} component="div">
              <Money amount={amount.replace(/^-/, '')} />
            </Text>
            {invoices !== undefined && <CreditLine invoices={invoices} balance={amount} />}
          </div>
        )}
      </QueryResult>
      {invoices !== undefined && open.length === 0 && <Dimmed>{t('No open invoices')}</Dimmed>}
      {open.slice(0, maxInvoices).map((invoice) => (
        <Group key={invoice.id} justify="space-between" gap="xs" wrap="nowrap">
          <div>
            <Anchor size="sm" fw={600} renderRoot={(props) => <Link to="/invoices" hash={invoice.id} {...props} />}>
              {invoice.invoicenum}
            </Anchor>
            <Dimmed size="xs">{rich('Due {day}', { day: <Day on={invoice.duedate} /> })}</Dimmed>
          </div>
          <Stack gap={2} align="flex-end">
            <Text size="sm" component="span">
              <Money amount={invoice.balance} />
            </Text>
            <StateBadge state={invoice.status} of="invoice" />
          </Stack>
        </Group>
      ))}
    </SideCard>
  );
}

const maxAttacks = 3;

export function AttacksCard({ attacks }: { attacks: readonly Attack[] }): JSX.Element {
  return (
    <SideCard title={t('Attacks')} to="/network">
      {attacks.length === 0 && <Dimmed>{t('No attacks detected')}</Dimmed>}
      {attacks.slice(0, maxAttacks).map((attack) => (
        <Group key={attack.id} justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={600}>
              {attack.kind}
            </Text>
            <Text size="xs" c="dimmed" className="wrap-anywhere" component="div">
              <Text span inherit ff="monospace">
                {attack.address}
              </Text>
              , <Timestamp at={attack.start} isRelative />, {rateText(attack.bits.value)}
            </Text>
          </div>
          <StateBadge state={attack.end === undefined ? 'Ongoing' : 'Ended'} />
        </Group>
      ))}
    </SideCard>
  );
}

const maxEvents = 8;

export function EventsCard(): JSX.Element {
  const log = useRead('eventLogGet', { newest: true, limit: maxEvents });
  return (
    <SideCard title={t('Recent events')} to="/events">
      <QueryResult query={log} lines={4}>
        {({ events }) =>
          events.length === 0 ? <Dimmed>{t('No activity yet')}</Dimmed> : <EventLines events={events.toReversed()} />
        }
      </QueryResult>
    </SideCard>
  );
}

function EventLines({ events }: { events: readonly Event[] }): JSX.Element[] {
  const nameOf = useEventNames(events);
  return events.map((event) => (
    <div key={event.id}>
      <Text size="sm" className="wrap-anywhere" component="div">
        <EventSentenceText described={describeEvent(event, nameOf)} page={pageOf(event)} />
      </Text>
      <Text size="xs" c="dimmed" component="div">
        <Timestamp at={event.timestamp} isRelative />
      </Text>
    </div>
  ));
}
