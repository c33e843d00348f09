// What belongs to a customer: people, invoices, payments, requests, messages and events, each loaded page by page.
import { Anchor, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type JSX, type ReactNode } from 'react';
import type { Event } from '#sdk/v2.ts';
import { describeEvent, type EventNames } from '#text/event-sentences.ts';
import type { PagedQuery } from '../../data/pages.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { EventSentenceText } from '../../parts/event-sentence.tsx';
import { ItemDrawer } from '../../parts/item-drawer.tsx';
import { Day } from '../../parts/money.tsx';
import { moneyText } from '../../parts/money-text.ts';
import type { OpenItem } from '../../parts/open-item.ts';
import { methodText } from '../../parts/method-text.ts';
import { EmptyCard } from '../../parts/query-result.tsx';
import { RawDetails } from '../../parts/raw-details.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import type { IconName } from '../../shell/icons.tsx';
import { SentMessage } from '../mail/sent-message.tsx';
import { InvoiceDrawer } from '../money/invoice-drawer.tsx';
import { AuditTable } from '../parts/audit-table.tsx';
import { ServiceLink } from '../parts/links.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { t } from '../../text/text.ts';

interface RecordsProps<Item> {
  readonly query: UseQueryResult<readonly Item[]> & PagedQuery;
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly minWidth: number;
  readonly icon: IconName;
  /** If there are none. */
  readonly empty: string;
}

function Records<Item extends { readonly id: string }>(props: RecordsProps<Item>): JSX.Element {
  const { query, label, columns, minWidth, icon, empty } = props;
  return (
    <Stack>
      <PagedTable
        query={query}
        label={label}
        columns={columns}
        minWidth={minWidth}
        empty={<EmptyCard icon={icon} title={empty} />}
      />
    </Stack>
  );
}

/** Not in the URL, whose hash is the tab. */
function useLocalItem(): OpenItem {
  const [openId, open] = useState<string>();
  return { openId, open, close: () => open(undefined) };
}

function OpenButton({ item, id, children }: { item: OpenItem; id: string; children: ReactNode }): JSX.Element {
  return (
    <Anchor component="button" size="sm" ta="left" onClick={() => item.open(id)}>
      {children}
    </Anchor>
  );
}

interface AccountProps {
  readonly account: string;
}

export function CustomerPeople({ account }: AccountProps): JSX.Element {
  const columns: readonly Column<Row<'contactList'>>[] = [
    { label: t('Name'), cell: ({ firstname, lastname }) => `${firstname} ${lastname}` },
    { label: t('Email'), className: 'wrap-anywhere', cell: ({ email }) => email },
    { label: t('Company'), cell: ({ companyname }) => companyname },
    { label: t('Access'), cell: ({ subaccount }) => (subaccount === '1' ? t('Can sign in') : t('Notifications only')) },
    { label: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
    { label: t('Since'), cell: ({ created }) => <Timestamp at={created} isRelative /> },
  ];
  return (
    <Stack gap="lg">
      <Section title={t('Contacts')}>
        <Records
          query={useStaffPages('contactList', { account })}
          label={t('Contacts')}
          columns={columns}
          minWidth={760}
          icon="people"
          empty={t('No contacts')}
        />
      </Section>
      <Section title={t('Sign-ins')}>
        <AuditTable filter={{ account, operation: 'v2.sessionCreate' }} />
      </Section>
    </Stack>
  );
}

export function CustomerInvoices({ account, currency }: AccountProps & { currency: string }): JSX.Element {
  const item = useLocalItem();
  const amount = (text: string): string => `${moneyText(text, '')} ${currency}`;
  const invoiceColumns: readonly Column<Row<'invoiceList'>>[] = [
    {
      label: t('Number'),
      cell: ({ id, invoicenum }) => (
        <OpenButton item={item} id={id}>
          {invoicenum}
        </OpenButton>
      ),
    },
    { label: t('Kind'), cell: ({ kind }) => (kind === 'CreditNote' ? t('Credit note') : t('Invoice')) },
    { label: t('Date'), cell: ({ date }) => <Day on={date} /> },
    { label: t('Due'), cell: ({ duedate }) => <Day on={duedate} /> },
    { label: t('Status'), cell: ({ status }) => <StateBadge state={status} of="invoice" /> },
    { label: t('Total'), isNumber: true, cell: ({ total }) => amount(total) },
    { label: t('Amount due'), isNumber: true, cell: ({ balance }) => amount(balance) },
  ];
  const paymentColumns: readonly Column<Row<'paymentList'>>[] = [
    { label: t('Received'), isOneLine: true, cell: ({ paid }) => <Timestamp at={paid} /> },
    { label: t('Invoice'), cell: ({ invoicenum }) => invoicenum },
    { label: t('Method@@payment'), cell: ({ method }) => methodText(method) },
    { label: t('Reference'), className: 'wrap-anywhere', cell: ({ reference }) => reference },
    { label: t('Amount'), isNumber: true, cell: (payment) => amount(payment.amount) },
  ];
  return (
    <Stack gap="lg">
      <Section title={t('Invoices')}>
        <Records
          query={useStaffPages('invoiceList', { account })}
          label={t('Invoices')}
          columns={invoiceColumns}
          minWidth={760}
          icon="invoice"
          empty={t('No invoices yet')}
        />
      </Section>
      <Section title={t('Payments')}>
        <Records
          query={useStaffPages('paymentList', { account })}
          label={t('Payments')}
          columns={paymentColumns}
          minWidth={620}
          icon="money"
          empty={t('No payments yet')}
        />
      </Section>
      <InvoiceDrawer item={item} />
    </Stack>
  );
}

export function CustomerRequests({ account }: AccountProps): JSX.Element {
  const columns: readonly Column<Row<'requestList'>>[] = [
    { label: t('Request'), cell: ({ family, size }) => `${family === 'ipv4' ? 'IPv4' : 'IPv6'} ${size}` },
    { label: t('Service'), cell: ({ service }) => <ServiceLink service={service} /> },
    { label: t('Requested'), cell: ({ created }) => <Timestamp at={created} isRelative /> },
    { label: t('Status'), cell: ({ status }) => <StateBadge state={status === 'Refused' ? 'Rejected' : status} /> },
    { label: t('Result'), className: 'wrap-anywhere', cell: ({ netblock, reason }) => netblock || reason },
  ];
  return (
    <Records
      query={useStaffPages('requestList', { account })}
      label={t('Requests')}
      columns={columns}
      minWidth={680}
      icon="request"
      empty={t('No requests')}
    />
  );
}

export function CustomerMail({ account }: AccountProps): JSX.Element {
  const item = useLocalItem();
  const columns: readonly Column<Row<'mailList'>>[] = [
    { label: t('Time'), isOneLine: true, cell: ({ created }) => <Timestamp at={created} /> },
    { label: t('Recipient'), className: 'wrap-anywhere', cell: ({ address }) => address },
    {
      label: t('Subject'),
      className: 'wrap-anywhere',
      cell: ({ id, subject, kind }) => (
        <OpenButton item={item} id={id}>
          {subject || kind}
        </OpenButton>
      ),
    },
    { label: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
  ];
  return (
    <>
      <Records
        query={useStaffPages('mailList', { account })}
        label={t('Messages')}
        columns={columns}
        minWidth={720}
        icon="mail"
        empty={t('No messages yet')}
      />
      <ItemDrawer item={item} size="xl" title={t('Message')}>
        {(id) => <SentMessage id={id} />}
      </ItemDrawer>
    </>
  );
}

export function CustomerEvents({ account }: AccountProps): JSX.Element {
  const nameOf = useNames(account);
  const columns: readonly Column<Row<'eventList'>>[] = [
    { label: t('Time'), isOneLine: true, width: 200, cell: ({ timestamp }) => <Timestamp at={timestamp} /> },
    {
      label: t('What happened'),
      className: 'wrap-anywhere',
      cell: (event) => (
        <EventSentenceText
          described={describeEvent(event as unknown as Event, nameOf)}
          page={event.service === '' ? undefined : { to: '/staff/services', hash: event.service }}
        />
      ),
    },
    {
      label: t('More'),
      width: 1,
      cell: (event) => <RawDetails title={describeEvent(event as unknown as Event, nameOf).sentence} details={event} />,
    },
  ];
  return (
    <Records
      query={useStaffPages('eventList', { account })}
      label={t('Events')}
      columns={columns}
      minWidth={620}
      icon="work"
      empty={t('No activity yet')}
    />
  );
}

/** Names of the customer's services and contacts, as far as their first pages have them. */
function useNames(account: string): EventNames {
  const services = useStaffPages('serviceList', { account }).data;
  const contacts = useStaffPages('contactList', { account }).data;
  return (thing, id) => {
    if (thing === 'service') return services?.find((service) => service.id === id)?.hostname;
    const person = contacts?.find((contact) => contact.id === id);
    return person && `${person.firstname} ${person.lastname}`;
  };
}
