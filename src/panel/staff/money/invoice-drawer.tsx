// An invoice for staff, in a drawer, with what they can do about it.
import { Group, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { useCustomer } from '../../data/customer-names.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { Facts } from '../../parts/facts.tsx';
import { FormButton, ReasonButton } from '../../parts/form-button.tsx';
import { ItemDrawer } from '../../parts/item-drawer.tsx';
import type { OpenItem } from '../../parts/open-item.ts';
import { Day } from '../../parts/money.tsx';
import { PaymentLines } from '../../parts/payment-lines.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { PlainTable } from '../../parts/table-card.tsx';
import { CustomerLink } from '../parts/links.tsx';
import { amountText } from './amounts.ts';
import { CreditNoteForm, type InvoiceDetail } from './credit-note-form.tsx';
import { t } from '../../text/text.ts';

export function InvoiceDrawer({ item }: { item: Pick<OpenItem, 'openId' | 'close'> }): JSX.Element {
  return (
    <ItemDrawer item={item} title={t('Invoice')}>
      {(id) => <Invoice id={id} />}
    </ItemDrawer>
  );
}

function Invoice({ id }: { id: string }): JSX.Element {
  const query = useStaffRead('invoiceGet', { id });
  const account = query.data?.userid ?? '';
  const currency = useCustomer(account, { enabled: account !== '' }).data?.currency ?? '';
  const amountOf = (amount: string): string => amountText(amount, currency);
  return (
    <QueryResult query={query} lines={8}>
      {(invoice) => (
        <Stack>
          <Facts
            facts={[
              [t('Number'), invoice.invoicenum],
              [t('Customer'), <CustomerLink key="customer" account={invoice.userid} />],
              [t('Status'), <StateBadge key="status" state={invoice.status} of="invoice" />],
              [t('Date'), <Day key="date" on={invoice.date} />],
              [t('Due'), <Day key="due" on={invoice.duedate} />],
              [t('Subtotal'), amountOf(invoice.subtotal)],
              [t('Tax'), amountOf(invoice.tax)],
              [t('Total'), amountOf(invoice.total)],
              [t('Amount due'), amountOf(invoice.balance)],
              [t('Notes'), invoice.notes],
              [
                t('Payments'),
                invoice.transactions === '' ? (
                  ''
                ) : (
                  <PaymentLines key="payments" text={invoice.transactions} amountOf={amountOf} />
                ),
              ],
            ]}
          />
          {!invoice.total.startsWith('-') && <InvoiceActions invoice={invoice} amountOf={amountOf} />}
          <PlainTable
            label={t('Lines')}
            columns={[
              { label: t('Description'), className: 'wrap-anywhere', cell: ({ description }) => description },
              { label: t('Amount'), isNumber: true, cell: ({ amount }) => amountOf(amount) },
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

interface InvoiceActionsProps {
  readonly invoice: InvoiceDetail;
  readonly amountOf: (amount: string) => string;
}

function InvoiceActions({ invoice, amountOf }: InvoiceActionsProps): JSX.Element {
  const denial = usePermissionDenial()('operator:money');
  const writeOff = useStaffChange('invoiceWriteOff', { successMessage: t('Invoice written off') });
  const { invoiceid: id, invoicenum: number, status } = invoice;
  const isOpen = status === 'Unpaid' || status === 'Overdue';
  const cancelledReason = status === 'Cancelled' ? t('The invoice is cancelled.') : undefined;
  return (
    <Group gap="xs">
      <FormButton
        variant="default"
        size="xs"
        dialogSize="lg"
        title={t('Credit note for {number}', { number })}
        disabledReason={denial ?? cancelledReason}
        form={(close) => <CreditNoteForm invoice={invoice} close={close} />}
      >
        {t('Issue credit note')}
      </FormButton>
      <ReasonButton
        variant="light"
        color="red"
        size="xs"
        title={t('Write off {number}?', { number })}
        description={t(
          'The open amount of {amount} is booked as a loss, and the invoice becomes cancelled. A payment that still arrives reverses it. The customer is not notified.',
          { amount: amountOf(invoice.balance) },
        )}
        confirmLabel={t('Write off')}
        confirmText={number}
        disabledReason={denial ?? (isOpen ? undefined : t('Only an unpaid invoice can be written off.'))}
        onConfirm={(reason) => writeOff.mutateAsync({ id, reason })}
      />
    </Group>
  );
}
