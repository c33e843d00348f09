// Files for the bank: download them, and record what became of them.
import { Group, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange } from '../../data/operations.ts';
import { staffApi } from '../../data/session.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { FileButton } from '../../parts/file-button.tsx';
import { moneyText } from '../../parts/money-text.ts';
import { notifyError } from '../../parts/notify-error.ts';
import { EmptyCard } from '../../parts/query-result.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';
import { PagedTable } from '../parts/paged-table.tsx';

type BankFile = Row<'sepaFiles'>;

const kindNames = { debit: t('Direct debits'), refund: t('Refunds') } as const;
const stateBadges = {
  created: { state: 'Pending', label: t('To be handed in') },
  handed_in: { state: 'Done', label: t('Handed in') },
  rejected: { state: 'Rejected', label: t('Rejected') },
} as const;

const columns: readonly Column<BankFile>[] = [
  { label: t('File'), isOneLine: true, fw: 600, cell: ({ messageid }) => messageid },
  { label: t('Content'), isOneLine: true, cell: ({ kind, payments }) => `${payments} × ${kindNames[kind]}` },
  { label: t('Amount'), isNumber: true, cell: ({ amount }) => moneyText(amount, '€') },
  { label: t('Created'), isOneLine: true, cell: ({ created }) => <Timestamp at={created} isRelative /> },
  { label: t('State'), cell: ({ state }) => <StateBadge {...stateBadges[state]} /> },
  { label: t('Actions'), cell: (file) => <FileActions file={file} /> },
];

export function BankFiles(): JSX.Element {
  const files = useStaffPages('sepaFiles', {});
  return (
    <Stack gap="sm">
      <PagedTable
        query={files}
        label={t('Files for the bank')}
        columns={columns}
        minWidth={900}
        empty={
          <EmptyCard icon="download" title={t('No files')}>
            {t(
              'On business days, direct debits and refunds that are due are written to files, which you upload to your bank.',
            )}
          </EmptyCard>
        }
      />
    </Stack>
  );
}

function FileActions({ file: { id, messageid, state } }: { file: BankFile }): JSX.Element {
  const denial = usePermissionDenial()('operator:money');
  const decide = useStaffChange('sepaFileDecide', { successMessage: t('Recorded') });
  return (
    <Group gap="xs">
      {denial === undefined && (
        <FileButton size="compact-sm" load={() => staffApi().sepaFile({ id: Number(id) })}>
          {t('Download')}
        </FileButton>
      )}
      {state === 'created' && (
        <ActionButton
          size="compact-sm"
          loading={decide.isPending}
          disabledReason={denial}
          onClick={() => decide.mutate({ id: Number(id), outcome: 'handed_in' }, { onError: notifyError })}
        >
          {t('Mark as handed in')}
        </ActionButton>
      )}
      {state !== 'rejected' && (
        <ConfirmButton
          isInRow
          disabledReason={denial}
          question={t('Has the bank rejected all of {file}?', { file: messageid })}
          consequence={t(
            'Its direct debits fail and are tried again later; the credit of its refunds is restored. This cannot be undone.',
          )}
          confirmLabel={t('Record rejection')}
          onConfirm={() => decide.mutateAsync({ id: Number(id), outcome: 'rejected' })}
        >
          {t('Mark as rejected')}
        </ConfirmButton>
      )}
    </Group>
  );
}
