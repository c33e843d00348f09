// All invoices, the balance, and each invoice with its items and PDF.
import { Anchor, Badge, Card, Group, SegmentedControl, SimpleGrid, Table, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { InvoiceListItem } from '#sdk/v2.ts';
import { useRead } from '../data/operations.ts';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { Day, Money } from '../parts/money.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { InvoiceDrawer } from './invoices/invoice-drawer.tsx';
import { PdfButtons } from './invoices/pdf-buttons.tsx';

const filters = ['All', 'Unpaid', 'Overdue', 'Paid', 'Cancelled'] as const;
type Filter = (typeof filters)[number];

const columns = [
  'Number',
  'Date',
  'Due',
  'Status',
  { label: 'Net', isNumber: true },
  { label: 'Tax', isNumber: true },
  { label: 'Total', isNumber: true },
  { label: 'PDF', width: 1 },
];

export function InvoicesPage(): JSX.Element {
  const invoices = useRead('invoiceGet', {});
  const [opened, setOpened] = useState<InvoiceListItem>();
  return (
    <Page title="Invoices" description="Open and paid invoices">
      <QueryResult query={invoices} lines={8}>
        {(all) => <Invoices invoices={[...(all as readonly InvoiceListItem[])].reverse()} open={setOpened} />}
      </QueryResult>
      <InvoiceDrawer invoice={opened} close={() => setOpened(undefined)} />
    </Page>
  );
}

interface InvoicesProps {
  readonly invoices: readonly InvoiceListItem[];
  readonly open: (invoice: InvoiceListItem) => void;
}

function Invoices({ invoices, open }: InvoicesProps): JSX.Element {
  const [filter, setFilter] = useState<Filter>('All');
  const withStatus = (status: Filter): readonly InvoiceListItem[] =>
    status === 'All' ? invoices : invoices.filter((invoice) => invoice.status === status);
  const visible = withStatus(filter);
  return (
    <>
      <InvoiceFigures invoices={invoices} />
      <div style={{ overflowX: 'auto' }}>
        <SegmentedControl
          value={filter}
          onChange={setFilter}
          data={filters.map((value) => ({ value, label: `${value} ${withStatus(value).length}` }))}
          aria-label="Invoice status"
        />
      </div>
      {visible.length === 0 ? (
        <Card>
          <EmptyState
            icon="invoice"
            title={filter === 'All' ? 'No invoices yet' : `No ${filter.toLowerCase()} invoices`}
          >
            {filter === 'All' ? 'Your first invoice arrives with your first service.' : 'Choose another status above.'}
          </EmptyState>
        </Card>
      ) : (
        <TableCard label="Invoices" columns={columns} minWidth={720}>
          {visible.map((invoice) => (
            <Table.Tr key={invoice.id}>
              <Table.Td>
                <Anchor
                  component="button"
                  size="sm"
                  fw={600}
                  style={{ whiteSpace: 'nowrap' }}
                  onClick={() => open(invoice)}
                >
                  {invoice.invoicenum}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Day on={invoice.date} />
              </Table.Td>
              <Table.Td>
                <Day on={invoice.duedate} />
              </Table.Td>
              <Table.Td>
                <StateBadge state={invoice.status} />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={invoice.subtotal} />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={invoice.tax} />
              </Table.Td>
              <Table.Td ta="right" fw={600}>
                <Money amount={invoice.total} />
              </Table.Td>
              <Table.Td>
                <PdfButtons invoice={invoice.id} number={invoice.invoicenum} size="compact-sm" />
              </Table.Td>
            </Table.Tr>
          ))}
        </TableCard>
      )}
    </>
  );
}

function InvoiceFigures({ invoices }: { invoices: readonly InvoiceListItem[] }): JSX.Element {
  const balance = useRead('balanceGet', {});
  const countOf = (status: string): number => invoices.filter((invoice) => invoice.status === status).length;
  const overdue = countOf('Overdue');
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <Card>
        <Text size="sm" c="dimmed">
          {balance.data?.startsWith('-') === true ? 'Credit' : 'Balance due'}
        </Text>
        <Text size="xl" fw={650} component="div">
          {balance.data === undefined ? '…' : <Money amount={balance.data.replace(/^-/, '')} />}
        </Text>
      </Card>
      <Card>
        <Text size="sm" c="dimmed">
          Open invoices
        </Text>
        <Group gap="xs">
          <Text size="xl" fw={650} className="numbers">
            {countOf('Unpaid') + overdue}
          </Text>
          {overdue > 0 && (
            <Badge color="red" variant="light" tt="none">
              {overdue} overdue
            </Badge>
          )}
        </Group>
      </Card>
      <Card>
        <Text size="sm" c="dimmed">
          Paid
        </Text>
        <Text size="xl" fw={650} className="numbers">
          {countOf('Paid')}
        </Text>
      </Card>
    </SimpleGrid>
  );
}
