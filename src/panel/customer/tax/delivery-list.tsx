// E-invoices that were sent through the network, and what became of them.
import type { JSX } from 'react';
import type { Result } from '../../data/operations.ts';
import { usePages } from '../../data/pages.ts';
import { LoadOlder } from '../../parts/load-older.tsx';
import { EmptyCard } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { QueryTable, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';
import { deliveryLabels } from './delivery-labels.ts';

type Delivery = Result<'invoiceDeliveryList'>[number];

const columns: readonly Column<Delivery>[] = [
  { label: t('Invoice'), isOneLine: true, fw: 600, cell: ({ invoicenum }) => invoicenum },
  { label: t('Status'), cell: ({ state }) => <StateBadge state={state} label={deliveryLabels[state]} /> },
  { label: t('Receiver'), className: 'wrap-anywhere', cell: ({ receiver }) => receiver },
  { label: t('Queued'), isOneLine: true, cell: ({ queued }) => <Timestamp at={queued} isRelative /> },
  { label: t('Reason'), className: 'wrap-anywhere', cell: ({ reason }) => reason },
];

export function DeliveryList(): JSX.Element {
  const deliveries = usePages('invoiceDeliveryList', {});
  return (
    <Section title={t('E-invoices sent')}>
      <QueryTable
        query={deliveries}
        label={t('E-invoices sent')}
        columns={columns}
        minWidth={700}
        empty={
          <EmptyCard icon="mail" title={t('No e-invoices sent yet')}>
            {t('Invoices that are sent through the network appear here.')}
          </EmptyCard>
        }
      />
      {deliveries.data !== undefined && deliveries.data.length > 0 && <LoadOlder query={deliveries} />}
    </Section>
  );
}
