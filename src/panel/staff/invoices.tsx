// The invoices of all customers, by number, status and date.
import { Anchor, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { useOpenItem } from '../parts/open-item.ts';
import { Day } from '../parts/money.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyCard } from '../parts/query-result.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { type Column } from '../parts/table-card.tsx';
import { InvoiceDrawer } from './money/invoice-drawer.tsx';
import { CustomerAmount, CustomerLink } from './parts/links.tsx';
import { SearchBar, StatusFilter } from './parts/search-bar.tsx';
import { PagedTable } from './parts/paged-table.tsx';
import { t } from '../text/text.ts';

const statuses = ['Unpaid', 'Overdue', 'Paid', 'Cancelled'] as const;
const statusLabels = {
  Unpaid: t('Unpaid'),
  Overdue: t('Overdue'),
  Paid: t('Paid'),
  Cancelled: t('Cancelled@@invoice'),
};

export function StaffInvoicesPage(): JSX.Element {
  const item = useOpenItem();
  const [number, setNumber] = useState('');
  const [status, setStatus] = useState<(typeof statuses)[number]>();
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const invoices = useStaffPages('invoiceList', {
    number: number || undefined,
    status,
    from: from || undefined,
    until: until || undefined,
  });
  const columns: readonly Column<Row<'invoiceList'>>[] = [
    {
      label: t('Number'),
      cell: ({ id, invoicenum }) => (
        <Anchor component="button" size="sm" ta="left" onClick={() => item.open(id)}>
          {invoicenum}
        </Anchor>
      ),
    },
    { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
    { label: t('Kind'), cell: ({ kind }) => (kind === 'CreditNote' ? t('Credit note') : t('Invoice')) },
    { label: t('Date'), cell: ({ date }) => <Day on={date} /> },
    { label: t('Due'), cell: ({ duedate }) => <Day on={duedate} /> },
    { label: t('Status'), cell: ({ status: state }) => <StateBadge state={state} of="invoice" /> },
    {
      label: t('Total'),
      isNumber: true,
      cell: ({ account, total }) => <CustomerAmount account={account} amount={total} />,
    },
    {
      label: t('Amount due'),
      isNumber: true,
      fw: 600,
      cell: ({ account, balance }) => <CustomerAmount account={account} amount={balance} />,
    },
  ];
  return (
    <Page title={t('Invoices')} description={t('Invoices and credit notes of all customers')}>
      <SearchBar label={t('Search invoices')} placeholder={t('Beginning of the number…')} onSearch={setNumber}>
        <StatusFilter options={statuses} labels={statusLabels} value={status} onChange={setStatus} />
        <TextInput
          type="date"
          aria-label={t('From')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          aria-label={t('Until')}
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </SearchBar>
      <PagedTable
        query={invoices}
        lines={8}
        label={t('Invoices')}
        columns={columns}
        minWidth={900}
        empty={<EmptyCard icon="invoice" title={t('No invoices found')} />}
      />
      <InvoiceDrawer item={item} />
    </Page>
  );
}
