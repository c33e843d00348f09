// Chooses a customer by searching the server.
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type JSX } from 'react';
import { customerName } from '../../data/customer-names.ts';
import { useStaffRead } from '../../data/operations.ts';
import { t } from '../../text/text.ts';

export interface CustomerSelectProps {
  /** The account number, or an empty text. */
  readonly value: string;
  readonly onChange: (account: string) => void;
  readonly error: string | undefined;
}

export function CustomerSelect({ value, onChange, error }: CustomerSelectProps): JSX.Element {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 250);
  const customers = useStaffRead(
    'accountList',
    { limit: 20, search: search.replace(/ \(\d+\)$/, '') || undefined },
    { keepsPrevious: true },
  );
  const options = (customers.data ?? []).map((customer) => ({
    value: customer.id,
    label: `${customerName(customer)} (${customer.id})`,
    disabled: customer.status === 'Closed',
  }));
  return (
    <Select
      label={t('Customer')}
      required
      searchable
      data={options}
      searchValue={text}
      onSearchChange={setText}
      // The server has searched, by more than the label.
      filter={({ options: all }) => all}
      nothingFoundMessage={customers.isFetching ? t('Searching…') : t('No results')}
      value={value === '' ? null : value}
      onChange={(account) => onChange(account ?? '')}
      error={error}
      allowDeselect={false}
    />
  );
}
