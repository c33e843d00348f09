// Bookings that match no customer: staff assign them, or ignore them.
import { Group, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange } from '../../data/operations.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { FormButton, ReasonButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { moneyText } from '../../parts/money-text.ts';
import { Day } from '../../parts/money.tsx';
import { EmptyCard } from '../../parts/query-result.tsx';
import { type Column } from '../../parts/table-card.tsx';
import { t } from '../../text/text.ts';
import { CustomerSelect } from '../parts/customer-select.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { problemText } from './problem-text.ts';

type Entry = Row<'sepaEntries'>;

const columns: readonly Column<Entry>[] = [
  { label: t('Date'), isOneLine: true, cell: ({ date }) => <Day on={date} /> },
  { label: t('Amount'), isNumber: true, cell: ({ amount }) => moneyText(amount, '€') },
  {
    label: t('From or to'),
    cell: ({ counterparty, iban }) => (
      <>
        {counterparty === '' ? '–' : counterparty}
        <Dimmed size="xs">{iban}</Dimmed>
      </>
    ),
  },
  {
    label: t('Text'),
    cell: (entry) => (
      <>
        <span className="wrap-anywhere">{entry.text === '' ? '–' : entry.text}</span>
        <Dimmed size="xs">{problemText(entry)}</Dimmed>
      </>
    ),
  },
  { label: t('Actions'), cell: (entry) => <EntryActions entry={entry} /> },
];

export function BankEntries(): JSX.Element {
  const entries = useStaffPages('sepaEntries', { state: 'unmatched' });
  return (
    <Stack gap="sm">
      <PagedTable
        query={entries}
        label={t('Unmatched bookings')}
        columns={columns}
        minWidth={900}
        empty={
          <EmptyCard icon="check" title={t('All bookings are matched')}>
            {t('Bookings of imported statements that match no invoice and no customer appear here.')}
          </EmptyCard>
        }
      />
    </Stack>
  );
}

function EntryActions({ entry }: { entry: Entry }): JSX.Element {
  const denial = usePermissionDenial()('operator:money');
  const ignore = useStaffChange('sepaIgnore', { successMessage: t('Booking ignored') });
  return (
    <Group gap="xs" wrap="nowrap">
      {!entry.amount.startsWith('-') && (
        <FormButton
          title={t('Assign to a customer')}
          disabledReason={denial}
          form={(close) => <AssignForm entry={entry} close={close} />}
        >
          {t('Assign')}
        </FormButton>
      )}
      <ReasonButton
        title={t('Ignore the booking')}
        variant="default"
        disabledReason={denial}
        description={t('It has nothing to do with customers, such as a fee of the bank.')}
        confirmLabel={t('Ignore')}
        onConfirm={(reason) => ignore.mutateAsync({ entry: Number(entry.id), reason })}
      />
    </Group>
  );
}

function AssignForm({ entry, close }: { entry: Entry; close: () => void }): JSX.Element {
  const fields = useFormFields({ account: '' });
  const assign = useStaffChange('sepaAssign', { successMessage: t('Booking assigned') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Assign')}
      close={close}
      onSubmit={() => assign.mutateAsync({ entry: Number(entry.id), account: Number(fields.values.account) })}
    >
      <Text size="sm">
        {t('{amount} are received as a payment: open invoices are paid first, the rest becomes credit.', {
          amount: moneyText(entry.amount, '€'),
        })}
      </Text>
      <CustomerSelect
        value={fields.values.account}
        onChange={(account) => fields.set({ account })}
        error={fields.errorOf('account')}
      />
    </Form>
  );
}
