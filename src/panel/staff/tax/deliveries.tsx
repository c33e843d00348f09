// E-invoices of all customers in the network. Rejected ones can be sent again.
import { Stack, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import { deliveryStates, type DeliveryState } from '#contract/shapes/invoice-delivery.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange } from '../../data/operations.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { EmptyCard } from '../../parts/query-result.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { deliveryLabels } from '../../customer/tax/delivery-labels.ts';
import { t } from '../../text/text.ts';
import { CustomerLink } from '../parts/links.tsx';
import { StatusTabs } from '../parts/search-bar.tsx';
import { PagedTable } from '../parts/paged-table.tsx';

type Delivery = Row<'deliveryList'>;
type Filter = DeliveryState | 'all';

const columns: readonly Column<Delivery>[] = [
  { label: t('Invoice'), isOneLine: true, fw: 600, cell: ({ invoicenum }) => invoicenum },
  { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
  { label: t('Status'), cell: ({ state }) => <StateBadge state={state} label={deliveryLabels[state]} /> },
  { label: t('Receiver'), isOneLine: true, cell: ({ receiver }) => receiver },
  { label: t('Queued'), isOneLine: true, cell: ({ queued }) => <Timestamp at={queued} isRelative /> },
  { label: t('Reason'), className: 'wrap-anywhere', cell: (delivery) => <Reason delivery={delivery} /> },
  {
    label: t('Action'),
    cell: (delivery) => (delivery.state === 'rejected' ? <SendAgain delivery={delivery} /> : null),
  },
];

export function StaffDeliveries(): JSX.Element {
  const [filter, setFilter] = useState<Filter>('all');
  const deliveries = useStaffPages('deliveryList', filter === 'all' ? {} : { state: filter });
  return (
    <Stack gap="sm">
      <StatusTabs
        value={filter}
        onChange={setFilter}
        data={[
          { value: 'all', label: t('All') },
          ...deliveryStates.map((state) => ({ value: state, label: deliveryLabels[state] })),
        ]}
      />
      <PagedTable
        query={deliveries}
        label={t('E-invoices')}
        columns={columns}
        minWidth={900}
        empty={
          <EmptyCard icon="mail" title={t('No e-invoices')}>
            {t('Invoices of customers who want them through the network appear here.')}
          </EmptyCard>
        }
      />
    </Stack>
  );
}

function Reason({ delivery: { reason, problem, nexttry } }: { delivery: Delivery }): JSX.Element {
  return (
    <Stack gap={0}>
      {reason !== '' && <Text size="sm">{reason}</Text>}
      {problem !== '' && <Dimmed size="xs">{problem}</Dimmed>}
      {problem !== '' && nexttry !== null && (
        <Dimmed size="xs">
          {t('Next attempt')}: <Timestamp at={nexttry} />
        </Dimmed>
      )}
    </Stack>
  );
}

function SendAgain({ delivery: { invoiceid, invoicenum } }: { delivery: Delivery }): JSX.Element {
  const denial = usePermissionDenial()('operator:money');
  const send = useStaffChange('invoiceDeliver', { successMessage: t('E-invoice queued') });
  return (
    <ConfirmButton
      size="compact-sm"
      color="brand"
      disabledReason={denial}
      aria-label={t('Send again: {invoice}', { invoice: invoicenum })}
      question={t('Send invoice {invoice} again?', { invoice: invoicenum })}
      consequence={t('It gets a new identifier in the network. Correct the cause of the rejection first.')}
      confirmLabel={t('Send again')}
      onConfirm={() => send.mutateAsync({ id: invoiceid })}
    />
  );
}
