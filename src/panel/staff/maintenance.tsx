// Planned maintenance: drafts, announcements to the affected customers, and their end.
import { Group } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../data/identity.ts';
import { useStaffChange } from '../data/operations.ts';
import { useStaffPages } from '../data/staff-pages.ts';
import { ConfirmButton, DangerButton } from '../parts/confirm-button.tsx';
import { Dimmed } from '../parts/dimmed.tsx';
import { FormButton } from '../parts/form-button.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyCard } from '../parts/query-result.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { t, tCount } from '../text/text.ts';
import { PagedTable } from './parts/paged-table.tsx';
import { MaintenanceForm, type Maintenance } from './maintenance/maintenance-form.tsx';

const columns: readonly Column<Maintenance>[] = [
  {
    label: t('Title'),
    fw: 600,
    className: 'wrap-anywhere',
    maw: 320,
    cell: (maintenance) => (
      <>
        {maintenance.title}
        <Dimmed size="xs">{affectedText(maintenance)}</Dimmed>
      </>
    ),
  },
  { label: t('Status'), cell: ({ status }) => <StateBadge state={status} of="maintenance" /> },
  { label: t('Start'), cell: ({ start }) => <Timestamp at={start} /> },
  { label: t('End@@time'), cell: ({ end }) => <Timestamp at={end} /> },
  {
    label: t('Notified'),
    cell: ({ status, accounts }) =>
      status === 'Draft' ? '' : tCount(Number(accounts), { one: '{count} customer', other: '{count} customers' }),
  },
  { label: t('Actions'), width: 1, cell: (maintenance) => <MaintenanceActions maintenance={maintenance} /> },
];

function affectedText({ all, nodes, switches, racks, servers }: Maintenance): string {
  return all ? t('All services') : [...racks, ...switches, ...nodes, ...servers].join(', ');
}

export function MaintenancePage(): JSX.Element {
  const maintenances = useStaffPages('maintenanceList', {});
  const denial = usePermissionDenial()('operator:equipment');
  return (
    <Page
      title={t('Maintenance')}
      description={t('Planned work, and its announcement to the customers it affects')}
      actions={
        <FormButton
          title={t('Plan maintenance')}
          icon="plus"
          disabledReason={denial}
          form={(close) => <MaintenanceForm close={close} />}
        />
      }
    >
      <PagedTable
        query={maintenances}
        label={t('Maintenance')}
        columns={columns}
        minWidth={900}
        empty={
          <EmptyCard icon="wrench" title={t('No planned maintenance')}>
            {t('Customers are notified once you announce it.')}
          </EmptyCard>
        }
      />
    </Page>
  );
}

function MaintenanceActions({ maintenance }: { maintenance: Maintenance }): JSX.Element | null {
  const { id, title, status } = maintenance;
  const denial = usePermissionDenial()('operator:equipment');
  const announce = useStaffChange('maintenanceAnnounce', { successMessage: t('Maintenance announced') });
  const cancel = useStaffChange('maintenanceCancel', { successMessage: t('Maintenance cancelled') });
  const complete = useStaffChange('maintenanceComplete', { successMessage: t('Maintenance completed') });
  if (status !== 'Draft' && status !== 'Announced') return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <FormButton
        isInRow
        title={t('Edit {title}', { title })}
        disabledReason={denial}
        form={(close) => <MaintenanceForm maintenance={maintenance} close={close} />}
      >
        {t('Edit')}
      </FormButton>
      {status === 'Draft' ? (
        <ConfirmButton
          size="compact-sm"
          disabledReason={denial}
          aria-label={t('Announce {title}', { title })}
          question={t('Announce {title}?', { title })}
          consequence={t('All affected customers get a message.')}
          confirmLabel={t('Announce')}
          onConfirm={() => announce.mutateAsync({ id })}
        />
      ) : (
        <ConfirmButton
          size="compact-sm"
          variant="light"
          disabledReason={denial}
          aria-label={t('Complete {title}', { title })}
          question={t('Complete {title}?', { title })}
          consequence={t('Affected customers see that it is over. They do not get a message.')}
          confirmLabel={t('Complete')}
          onConfirm={() => complete.mutateAsync({ id })}
        />
      )}
      <DangerButton
        disabledReason={denial}
        aria-label={t('Cancel {title}', { title })}
        question={t('Cancel {title}?', { title })}
        consequence={
          status === 'Draft' ? t('No customer knows of it yet.') : t('Customers who were notified get a message.')
        }
        confirmLabel={t('Cancel maintenance')}
        dismissLabel={t('Close')}
        onConfirm={() => cancel.mutateAsync({ id })}
      />
    </Group>
  );
}
