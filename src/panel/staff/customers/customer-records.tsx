// What belongs to a customer: people, invoices, payments, requests, messages and events, each loaded page by page.
import { Anchor, Stack, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type JSX, type ReactNode } from 'react';
import type { Event } from '#sdk/v2.ts';
import { useStaffRead } from '../../data/operations.ts';
import type { PagedQuery } from '../../data/pages.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { eventText } from '../../parts/event-text.ts';
import { Facts } from '../../parts/facts.tsx';
import { ItemDrawer } from '../../parts/item-drawer.tsx';
import { moneyText } from '../../parts/money-text.ts';
import type { OpenItem } from '../../parts/open-item.ts';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { PlainTable, TableCard, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import type { IconName } from '../../shell/icons.tsx';
import { SentMessage } from '../mail/sent-message.tsx';
import { AuditTable } from '../parts/audit-table.tsx';
import { ServiceLink } from '../parts/links.tsx';
import { ShowMore } from '../parts/show-more.tsx';

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
      <QueryResult query={query} empty={<EmptyCard icon={icon} title={empty} />}>
        {(all) => <TableCard label={label} columns={columns} rows={all} rowKey={({ id }) => id} minWidth={minWidth} />}
      </QueryResult>
      <ShowMore query={query} />
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

function drawerTitle(text: string): JSX.Element {
  return <Title order={2} size="h4" component="span" children={text} />;
}

interface AccountProps {
  readonly account: string;
}

export function CustomerPeople({ account }: AccountProps): JSX.Element {
  const columns: readonly Column<Row<'contactList'>>[] = [
    { label: 'Name', cell: ({ firstname, lastname }) => `${firstname} ${lastname}` },
    { label: 'Email', className: 'wrap-anywhere', cell: ({ email }) => email },
    { label: 'Company', cell: ({ companyname }) => companyname },
    { label: 'Access', cell: ({ subaccount }) => (subaccount === '1' ? 'Can sign in' : 'Notifications only') },
    { label: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
    { label: 'Since', cell: ({ created }) => <Timestamp at={created} isRelative /> },
  ];
  return (
    <Stack gap="lg">
      <Section title="Contacts">
        <Records
          query={useStaffPages('contactList', { account })}
          label="Contacts"
          columns={columns}
          minWidth={760}
          icon="people"
          empty="No contacts"
        />
      </Section>
      <Section title="Sign-ins">
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
      label: 'Number',
      cell: ({ id, invoicenum }) => (
        <OpenButton item={item} id={id}>
          {invoicenum}
        </OpenButton>
      ),
    },
    { label: 'Kind', cell: ({ kind }) => (kind === 'CreditNote' ? 'Credit note' : 'Invoice') },
    { label: 'Date', isOneLine: true, cell: ({ date }) => date },
    { label: 'Due', isOneLine: true, cell: ({ duedate }) => duedate },
    { label: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
    { label: 'Total', isNumber: true, cell: ({ total }) => amount(total) },
    { label: 'Amount due', isNumber: true, cell: ({ balance }) => amount(balance) },
  ];
  const paymentColumns: readonly Column<Row<'paymentList'>>[] = [
    { label: 'Received', isOneLine: true, cell: ({ paid }) => <Timestamp at={paid} /> },
    { label: 'Invoice', cell: ({ invoicenum }) => invoicenum },
    { label: 'Method', cell: ({ method }) => method },
    { label: 'Reference', className: 'wrap-anywhere', cell: ({ reference }) => reference },
    { label: 'Amount', isNumber: true, cell: (payment) => amount(payment.amount) },
  ];
  return (
    <Stack gap="lg">
      <Section title="Invoices">
        <Records
          query={useStaffPages('invoiceList', { account })}
          label="Invoices"
          columns={invoiceColumns}
          minWidth={760}
          icon="invoice"
          empty="No invoices yet"
        />
      </Section>
      <Section title="Payments">
        <Records
          query={useStaffPages('paymentList', { account })}
          label="Payments"
          columns={paymentColumns}
          minWidth={620}
          icon="money"
          empty="No payments yet"
        />
      </Section>
      <ItemDrawer item={item} title={drawerTitle('Invoice')}>
        {(id) => <InvoiceDetail id={id} amount={amount} />}
      </ItemDrawer>
    </Stack>
  );
}

function InvoiceDetail({ id, amount }: { id: string; amount: (text: string) => string }): JSX.Element {
  const query = useStaffRead('invoiceGet', { id });
  return (
    <QueryResult query={query} lines={8}>
      {(invoice) => (
        <Stack>
          <Facts
            facts={[
              ['Number', invoice.invoicenum],
              ['Status', <StateBadge key="status" state={invoice.status} />],
              ['Date', invoice.date],
              ['Due', invoice.duedate],
              ['Subtotal', amount(invoice.subtotal)],
              ['Tax', amount(invoice.tax)],
              ['Total', amount(invoice.total)],
              ['Amount due', amount(invoice.balance)],
              ['Notes', invoice.notes],
            ]}
          />
          <PlainTable
            label="Lines"
            columns={[
              { label: 'Description', className: 'wrap-anywhere', cell: ({ description }) => description },
              { label: 'Amount', isNumber: true, cell: (line) => amount(line.amount) },
            ]}
            rows={invoice.items.item}
            rowKey={(line) => line.id}
            minWidth={360}
          />
        </Stack>
      )}
    </QueryResult>
  );
}

export function CustomerRequests({ account }: AccountProps): JSX.Element {
  const columns: readonly Column<Row<'requestList'>>[] = [
    { label: 'Request', cell: ({ family, size }) => `${family === 'ipv4' ? 'IPv4' : 'IPv6'} ${size}` },
    { label: 'Service', cell: ({ service }) => <ServiceLink service={service} /> },
    { label: 'Requested', cell: ({ created }) => <Timestamp at={created} isRelative /> },
    { label: 'Status', cell: ({ status }) => <StateBadge state={status === 'Refused' ? 'Rejected' : status} /> },
    { label: 'Result', className: 'wrap-anywhere', cell: ({ netblock, reason }) => netblock || reason },
  ];
  return (
    <Records
      query={useStaffPages('requestList', { account })}
      label="Requests"
      columns={columns}
      minWidth={680}
      icon="request"
      empty="No requests"
    />
  );
}

export function CustomerMail({ account }: AccountProps): JSX.Element {
  const item = useLocalItem();
  const columns: readonly Column<Row<'mailList'>>[] = [
    { label: 'Time', isOneLine: true, cell: ({ created }) => <Timestamp at={created} /> },
    { label: 'Recipient', className: 'wrap-anywhere', cell: ({ address }) => address },
    {
      label: 'Subject',
      className: 'wrap-anywhere',
      cell: ({ id, subject, kind }) => (
        <OpenButton item={item} id={id}>
          {subject || kind}
        </OpenButton>
      ),
    },
    { label: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
  ];
  return (
    <>
      <Records
        query={useStaffPages('mailList', { account })}
        label="Messages"
        columns={columns}
        minWidth={720}
        icon="mail"
        empty="No messages yet"
      />
      <ItemDrawer item={item} size="xl" title={drawerTitle('Message')}>
        {(id) => <SentMessage id={id} />}
      </ItemDrawer>
    </>
  );
}

export function CustomerEvents({ account }: AccountProps): JSX.Element {
  const columns: readonly Column<Row<'eventList'>>[] = [
    { label: 'Time', isOneLine: true, cell: ({ timestamp }) => <Timestamp at={timestamp} /> },
    { label: 'Event', className: 'wrap-anywhere', cell: (event) => eventText(event as unknown as Event) },
    { label: 'Service', cell: ({ service }) => <ServiceLink service={service} /> },
  ];
  return (
    <Records
      query={useStaffPages('eventList', { account })}
      label="Events"
      columns={columns}
      minWidth={620}
      icon="work"
      empty="No activity yet"
    />
  );
}
