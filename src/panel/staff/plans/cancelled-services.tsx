// Services that end on a day that their customer or staff chose: when they are terminated, and what holds it.
import { Stack } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange } from '../../data/operations.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ReasonButton } from '../../parts/form-button.tsx';
import { Day } from '../../parts/money.tsx';
import { EmptyCard } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { type Column } from '../../parts/table-card.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';
import { CustomerLink, ServiceLink } from '../parts/links.tsx';
import { PagedTable } from '../parts/paged-table.tsx';

type Cancellation = Row<'cancellationList'>;

const columns: readonly Column<Cancellation>[] = [
  { label: t('Last day'), isOneLine: true, cell: ({ lastday }) => <Day on={lastday} /> },
  { label: t('Service'), cell: ({ service }) => <ServiceLink service={service} /> },
  { label: t('Hostname'), className: 'wrap-anywhere', cell: ({ hostname }) => hostname },
  { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
  { label: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
  { label: t('Cancelled by'), cell: ({ requestedby }) => (requestedby === 'staff' ? t('Staff') : t('Customer')) },
  { label: t('Reason'), className: 'wrap-anywhere', cell: ({ reason }) => reason },
  { label: t('Termination'), cell: (cancellation) => <Termination cancellation={cancellation} /> },
  {
    label: t('Actions'),
    width: 1,
    cell: (cancellation) => (
      <Stack gap={4} align="flex-start">
        <WithdrawButton cancellation={cancellation} />
        <HoldButton cancellation={cancellation} />
      </Stack>
    ),
  },
];

function Termination({ cancellation }: { readonly cancellation: Cancellation }): JSX.Element {
  const { ending, termination, holdreason } = cancellation;
  const day = <Day on={termination} />;
  switch (ending) {
    case 'held':
      return <>{t('Held: {reason}', { reason: holdreason })}</>;
    case 'terminating':
      return <>{t('Running')}</>;
    case 'failed':
      return <>{t('Failed. Terminate the service on its page.')}</>;
    case 'announced':
      return <>{rich('{day}, customer notified', { day })}</>;
    case 'planned':
      return <>{day}</>;
  }
}

export function CancelledServices(): JSX.Element {
  const cancellations = useStaffPages('cancellationList', {});
  return (
    <Section title={t('Cancelled services')}>
      <PagedTable
        query={cancellations}
        empty={
          <EmptyCard icon="server" title={t('No cancelled services')}>
            {t('A cancelled service is terminated after its last day.')}
          </EmptyCard>
        }
        label={t('Cancelled services')}
        columns={columns}

        rowKey={({ service }) => service}
        minWidth={1000}
      />
    </Section>
  );
}

function WithdrawButton({ cancellation }: { readonly cancellation: Cancellation }): JSX.Element {
  const denial = usePermissionDenial()('operator:money');
  const withdraw = useStaffChange('serviceCancelWithdraw', { successMessage: t('Cancellation withdrawn') });
  const { service, hostname } = cancellation;
  return (
    <ConfirmButton
      isInRow
      color="brand"
      disabledReason={denial}
      question={t('Withdraw the cancellation of {hostname}?', { hostname })}
      consequence={t('The service continues, and is billed as before.')}
      confirmLabel={t('Withdraw')}
      onConfirm={() => withdraw.mutateAsync({ id: service })}
    />
  );
}

/** Holds or releases the termination. */
function HoldButton({ cancellation }: { readonly cancellation: Cancellation }): JSX.Element | null {
  const denial = usePermissionDenial()('operator:money');
  const hold = useStaffChange('cancellationHold', { successMessage: t('Termination held') });
  const release = useStaffChange('cancellationRelease', { successMessage: t('Termination released') });
  const { service, hostname, ending } = cancellation;
  const look = { size: 'compact-sm', variant: 'default', color: 'brand', disabledReason: denial } as const;
  if (ending === 'terminating' || ending === 'failed') return null;
  if (ending === 'held')
    return (
      <ConfirmButton
        {...look}
        question={t('Release the termination of {hostname}?', { hostname })}
        consequence={t(
          'The customer gets another final notice. The service is terminated a day later at the earliest.',
        )}
        confirmLabel={t('Release')}
        onConfirm={() => release.mutateAsync({ id: service })}
      />
    );
  return (
    <ReasonButton
      {...look}
      title={t('Hold termination')}
      description={t(
        'The service runs, without being billed, until you release or terminate it. Only staff see the reason.',
      )}
      confirmLabel={t('Hold')}
      onConfirm={(reason) => hold.mutateAsync({ id: service, reason })}
    />
  );
}
