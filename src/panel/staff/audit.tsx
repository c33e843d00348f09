// The audit log of all accounts and of the provider.
import { Autocomplete, Group, Select, Text, TextInput, type ComboboxItem } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type JSX } from 'react';
import { routes as staffRoutes } from '#sdk/operator.ts';
import { routes as customerRoutes } from '#sdk/v2.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { errorKinds } from '#contract/errors.ts';
import { changeLabel, spellOut } from '#text/operation-labels.ts';
import { Page } from '../parts/page.tsx';
import { AuditTable } from './parts/audit-table.tsx';
import { t, tData } from '../text/text.ts';

const debounceMs = 250;
const maxSuggestions = 50;
const inputs = [
  { name: 'account', label: t('Customer'), placeholder: t('Customer number, 0 for the provider') },
  { name: 'operator', label: t('Staff'), placeholder: t('Name') },
] as const;
const outcomes = [
  { value: 'success', label: tData('Success') },
  ...Object.keys(errorKinds).map((value) => ({ value, label: spellOut(value) })),
];
const operations = Object.entries({ operator: staffRoutes, v2: customerRoutes }).flatMap(([api, routes]) =>
  Object.entries(routes).flatMap(([name, { repeat }]) => (repeat === 'freely' ? [] : `${api}.${name}`)),
);

export function StaffAuditPage(): JSX.Element {
  const [filters, setFilters] = useState({ account: '', operator: '', operation: '', outcome: '' });
  const set = (name: keyof typeof filters, value: string): void =>
    setFilters((current) => ({ ...current, [name]: value }));
  const [debounced] = useDebouncedValue(filters, debounceMs);
  const filter = Object.fromEntries(
    Object.entries({
      account: debounced.account.replace(/\D/g, ''),
      operator: debounced.operator.trim(),
      // Only full names can be searched for. Part of a name has no dot yet.
      operation: debounced.operation.includes('.') ? debounced.operation.trim() : '',
      outcome: debounced.outcome,
    }).filter(([, value]) => value !== ''),
  );
  return (
    <Page title={t('Audit log')} description={t('All changes by customers and staff, in a tamper-evident log')}>
      <Group gap="sm">
        {inputs.map(({ name, label, placeholder }) => (
          <TextInput
            key={name}
            label={label}
            placeholder={placeholder}
            value={filters[name]}
            maxLength={64}
            flex="1 1 160px"
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        ))}
        <Select
          label={t('Result')}
          placeholder={t('All')}
          data={outcomes}
          searchable
          clearable
          value={filters.outcome === '' ? null : filters.outcome}
          flex="1 1 160px"
          onChange={(value) => set('outcome', value ?? '')}
        />
        <Autocomplete
          label={t('Action')}
          placeholder={t('Part of a name')}
          data={operations}
          limit={maxSuggestions}
          filter={({ options, search }) => (options as ComboboxItem[]).filter(({ value }) => matches(value, search))}
          renderOption={({ option: { value } }) => (
            <div>
              <Text size="sm">{changeLabel(value)}</Text>
              <Dimmed size="xs">{value}</Dimmed>
            </div>
          )}
          value={filters.operation}
          maxLength={64}
          flex="1 1 160px"
          onChange={(value) => set('operation', value)}
        />
      </Group>
      <AuditTable filter={filter} />
    </Page>
  );
}

function matches(operation: string, search: string): boolean {
  return `${operation} ${changeLabel(operation)}`.toLowerCase().includes(search.trim().toLowerCase());
}
