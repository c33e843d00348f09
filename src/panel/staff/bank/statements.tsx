// Imported bank statements, and the button that imports one.
import { FileButton, Group, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange } from '../../data/operations.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { moneyText } from '../../parts/money-text.ts';
import { notifyError } from '../../parts/notify-error.ts';
import { EmptyCard } from '../../parts/query-result.tsx';
import { type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';
import { PagedTable } from '../parts/paged-table.tsx';

const kindNames = { statement: t('Statement'), notification: t('Notification') } as const;

const columns: readonly Column<Row<'sepaStatements'>>[] = [
  { label: t('Number'), isOneLine: true, fw: 600, cell: ({ bankid }) => bankid },
  { label: t('Type'), cell: ({ kind }) => kindNames[kind] },
  { label: t('Imported'), isOneLine: true, cell: ({ imported }) => <Timestamp at={imported} isRelative /> },
  { label: t('Bookings'), isNumber: true, cell: ({ entries }) => entries },
  { label: t('Total'), isNumber: true, cell: ({ total }) => moneyText(total, '€') },
  { label: t('In the ledger'), isNumber: true, cell: ({ booked }) => moneyText(booked, '€') },
  { label: t('Ignored'), isNumber: true, cell: ({ ignored }) => moneyText(ignored, '€') },
  { label: t('Unmatched'), isNumber: true, cell: ({ unmatched }) => unmatched },
];

export function BankStatements(): JSX.Element {
  const statements = useStaffPages('sepaStatements', {});
  return (
    <Stack gap="sm">
      <Group justify="flex-end">
        <ImportButton />
      </Group>
      <PagedTable
        query={statements}
        label={t('Statements')}
        columns={columns}
        minWidth={900}
        empty={
          <EmptyCard icon="upload" title={t('No statements')}>
            {t('Import the statements of your bank as camt.053 or camt.054. Importing one again changes nothing.')}
          </EmptyCard>
        }
      />
    </Stack>
  );
}

function ImportButton(): JSX.Element {
  const denial = usePermissionDenial()('operator:money');
  const change = useStaffChange('sepaImport', { successMessage: t('Statement imported') });
  const upload = async (file: File | null): Promise<void> => {
    if (file !== null) change.mutate({ statement: await file.text() }, { onError: notifyError });
  };
  if (denial !== undefined) return <ActionButton disabledReason={denial}>{t('Import statement')}</ActionButton>;
  return (
    <FileButton accept=".xml,application/xml,text/xml" onChange={(file) => void upload(file)}>
      {(button) => (
        <ActionButton icon="upload" loading={change.isPending} {...button}>
          {t('Import statement')}
        </ActionButton>
      )}
    </FileButton>
  );
}
