// One invoice: its items, totals and payments.
import { Divider, Group, Stack, Table, Text } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import type { InvoiceDetail } from '#sdk/v2.ts';
import { useRead } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { ItemDrawer } from '../../parts/item-drawer.tsx';
import { lineLabels } from '../../parts/line-labels.ts';
import type { OpenItem } from '../../parts/open-item.ts';
import { PaymentLines } from '../../parts/payment-lines.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { Day, Money } from '../../parts/money.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { percentText } from '../../parts/traffic-units.ts';
import { t } from '../../text/text.ts';
import { PayButton } from '../payments/pay-button.tsx';
import { InvoicePdfButtons } from './invoice-pdf-buttons.tsx';
import { isOpenInvoice } from './open-invoices.ts';

export interface InvoiceDrawerProps {
  readonly item: OpenItem;
  /** Of the open invoice; undefined if the account has no such invoice. */
  readonly number: string | undefined;
}

export function InvoiceDrawer({ item, number }: InvoiceDrawerProps): JSX.Element {
  return (
    <ItemDrawer item={item} title={number === undefined ? t('Invoice') : t('Invoice {number}', { number })}>
      {(id) => (number === undefined ? <Dimmed>{t('This invoice does not exist.')}</Dimmed> : <Invoice id={id} />)}
    </ItemDrawer>
  );
}

function Invoice({ id }: { id: string }): JSX.Element {
  const invoice = useRead('invoiceGet', { invoice: Number(id) });
  return (
    <QueryResult query={invoice} lines={6}>
      {(detail) => <Detail invoice={detail as InvoiceDetail} />}
    </QueryResult>
  );
}

function Detail({ invoice }: { invoice: InvoiceDetail }): JSX.Element {
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Group gap="lg">
          <Fact label={t('Status')}>
            <StateBadge state={invoice.status} of="invoice" />
          </Fact>
          <Fact label={t('Date')}>
            <Day on={invoice.date} />
          </Fact>
          <Fact label={t('Due')}>
            <Day on={invoice.duedate} />
          </Fact>
          {invoice.status === 'Paid' && (
            <Fact label={t('Paid')}>
              <Timestamp at={invoice.datepaid} />
            </Fact>
          )}
        </Group>
        <Group gap="xs">
          {isOpenInvoice(invoice) && <PayButton invoice={invoice} />}
          <InvoicePdfButtons invoice={invoice.invoiceid} number={invoice.invoicenum} size="xs" />
        </Group>
      </Group>
      <Table aria-label={t('Items')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Description')}</Table.Th>
            <Table.Th ta="right">{t('Amount')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invoice.items.item.map((line) => (
            <Table.Tr key={line.id}>
              <Table.Td className="wrap-anywhere">
                {line.description}
                <Dimmed size="xs">
                  {[
                    lineLabels[line.type],
                    line.relid === '' ? '' : t('service {service}', { service: line.relid }),
                    line.taxed === '0' ? t('not taxed') : '',
                  ]
                    .filter((word) => word !== '')
                    .join(' · ')}
                </Dimmed>
              </Table.Td>
              <Table.Td ta="right" valign="top">
                <Money amount={line.amount} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Stack gap={4} ml="auto" w="100%" maw={300}>
        <Sum label={t('Net')} amount={invoice.subtotal} />
        {invoice.credit !== '0.00' && <Sum label={t('Credit used')} amount={`-${invoice.credit}`} />}
        <Sum label={t('Tax {rate}', { rate: percentText(invoice.taxrate) })} amount={invoice.tax} />
        {invoice.tax2 !== '0.00' && (
          <Sum label={t('Tax {rate}', { rate: percentText(invoice.taxrate2) })} amount={invoice.tax2} />
        )}
        <Divider />
        <Sum label={t('Total')} amount={invoice.total} isStrong />
        <Sum label={t('Amount due')} amount={invoice.balance} isStrong={invoice.balance !== '0.00'} />
      </Stack>
      {invoice.transactions !== '' && (
        <Fact label={t('Payments')}>
          <PaymentLines text={invoice.transactions} amountOf={(amount) => <Money amount={amount} />} />
        </Fact>
      )}
      {invoice.notes !== '' && <Fact label={t('Notes')}>{invoice.notes}</Fact>}
    </Stack>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }): JSX.Element {
  return (
    <div>
      <Dimmed size="xs">{label}</Dimmed>
      <Text size="sm" component="div">
        {children}
      </Text>
    </div>
  );
}

function Sum({ label, amount, isStrong = false }: { label: string; amount: string; isStrong?: boolean }): JSX.Element {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm" {...(isStrong ? { fw: 600 } : { c: 'dimmed' })}>
        {label}
      </Text>
      <Text size="sm" component="div" {...(isStrong ? { fw: 600 } : {})}>
        <Money amount={amount} />
      </Text>
    </Group>
  );
}
