// All invoices, the balance, and each invoice with its items and PDF.
import { Anchor, Badge, Group, SegmentedControl, SimpleGrid } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { InvoiceListItem } from '#sdk/v2.ts';
import { useRead } from '../data/operations.ts';
import { FigureCard } from '../parts/figure.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Day, Money } from '../parts/money.tsx';
import { useOpenItem } from '../parts/open-item.ts';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { t } from '../text/text.ts';
import { CreditLine } from './invoices/credit-line.tsx';
import { InvoiceDrawer } from './invoices/invoice-drawer.tsx';
import { InvoicePdfButtons } from './invoices/invoice-pdf-buttons.tsx';
import { NextInvoice } from './invoices/next-invoice.tsx';
import { isOpenInvoice } from './invoices/open-invoices.ts';

const filters = ['All', 'Unpaid', 'Overdue', 'Paid', 'Cancelled'] as const;
type Filter = (typeof filters)[number];

const filterNames: Readonly<Record<Filter, string>> = {
  All: t('All'),
  Unpaid: t('Unpaid'),
  Overdue: t('Overdue'),
  Paid: t('Paid'),
  Cancelled: t('Cancelled@@invoice'),
};
const noInvoices: Readonly<Record<Filter, string>> = {
  All: t('No invoices yet'),
  Unpaid: t('No unpaid invoices'),
  Overdue: t('No overdue invoices'),
  Paid: t('No paid invoices'),
  Cancelled: t('No cancelled invoices'),
};

const columns: readonly Column<InvoiceListItem>[] = [
  { label: t('Date'), cell: ({ date }) => <Day on={date} /> },
  { label: t('Due'), cell: ({ duedate }) => <Day on={duedate} /> },
  { label: t('Status'), cell: ({ status }) => <StateBadge state={status} of="invoice" /> },
  { label: t('Net'), isNumber: true, cell: ({ subtotal }) => <Money amount={subtotal} /> },
  { label: t('Tax'), isNumber: true, cell: ({ tax }) => <Money amount={tax} /> },
  { label: t('Total'), isNumber: true, fw: 600, cell: ({ total }) => <Money amount={total} /> },
  {
    label: t('Amount due'),
    isNumber: true,
    cell: ({ status, balance }) => (isOpenInvoice({ status }) ? <Money amount={balance} /> : '–'),
  },
  {
    label: 'PDF',
    width: 1,
    cell: ({ id, invoicenum }) => <InvoicePdfButtons invoice={id} number={invoicenum} size="compact-sm" />,
  },
];

export function InvoicesPage(): JSX.Element {
  const invoices = useRead('invoiceGet', {});
  return (
    <Page title={t('Invoices')} description={t('Open and paid invoices')}>
      <QueryResult query={invoices} lines={8} shape="table">
        {(all) => <Invoices invoices={(all as readonly InvoiceListItem[]).toReversed()} />}
      </QueryResult>
    </Page>
  );
}

function Invoices({ invoices }: { invoices: readonly InvoiceListItem[] }): JSX.Element {
  const item = useOpenItem();
  const [filter, setFilter] = useState<Filter>('All');
  const withStatus = (status: Filter): readonly InvoiceListItem[] =>
    status === 'All' ? invoices : invoices.filter((invoice) => invoice.status === status);
  const visible = withStatus(filter);
  const numberColumn: Column<InvoiceListItem> = {
    label: t('Number'),
    isOneLine: true,
    cell: ({ id, invoicenum }) => (
      <Anchor component="button" size="sm" fw={600} onClick={() => item.open(id)}>
        {invoicenum}
      </Anchor>
    ),
  };
  return (
    <>
      <InvoiceFigures invoices={invoices} />
      <div style={{ overflowX: 'auto' }}>
        <SegmentedControl
          value={filter}
          onChange={setFilter}
          data={filters.map((value) => ({ value, label: `${filterNames[value]} ${withStatus(value).length}` }))}
          aria-label={t('Invoice status')}
        />
      </div>
      {visible.length === 0 ? (
        <EmptyCard icon="invoice" title={noInvoices[filter]}>
          {filter === 'All'
            ? t('Your first invoice arrives with your first service.')
            : t('Choose another status above.')}
        </EmptyCard>
      ) : (
        <TableCard
          label={t('Invoices')}
          columns={[numberColumn, ...columns]}
          rows={visible}
          rowKey={({ id }) => id}
          minWidth={820}
        />
      )}
      <NextInvoice />
      <InvoiceDrawer item={item} number={invoices.find(({ id }) => id === item.openId)?.invoicenum} />
    </>
  );
}

function InvoiceFigures({ invoices }: { invoices: readonly InvoiceListItem[] }): JSX.Element {
  const balance = useRead('balanceGet', {});
  const countOf = (status: string): number => invoices.filter((invoice) => invoice.status === status).length;
  const overdue = countOf('Overdue');
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <FigureCard name={balance.data?.startsWith('-') === true ? t('Credit') : t('Balance due')}>
        {balance.data === undefined ? '…' : <Money amount={balance.data.replace(/^-/, '')} />}
        {balance.data !== undefined && <CreditLine invoices={invoices} balance={balance.data} />}
      </FigureCard>
      <FigureCard name={t('Open invoices')}>
        <Group gap="xs">
          {countOf('Unpaid') + overdue}
          {overdue > 0 && (
            <Badge color="red" variant="light">
              {t('{count} overdue', { count: overdue })}
            </Badge>
          )}
        </Group>
      </FigureCard>
      <FigureCard name={t('Paid')}>{countOf('Paid')}</FigureCard>
    </SimpleGrid>
  );
}
