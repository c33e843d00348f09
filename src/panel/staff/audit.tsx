// The audit log of all accounts and of the provider.
import { Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type JSX } from 'react';
import { Page } from '../parts/page.tsx';
import { AuditTable } from './parts/audit-table.tsx';

const debounceMs = 250;
const inputs = [
  { name: 'account', label: 'Customer', placeholder: 'Number, 0 for the provider' },
  { name: 'operator', label: 'Staff', placeholder: 'Name' },
  { name: 'operation', label: 'Action', placeholder: 'operator.serviceSuspend' },
  { name: 'outcome', label: 'Result', placeholder: 'success or an error code' },
] as const;

export function StaffAuditPage(): JSX.Element {
  const [filters, setFilters] = useState({ account: '', operator: '', operation: '', outcome: '' });
  const [debounced] = useDebouncedValue(filters, debounceMs);
  const filter = Object.fromEntries(
    Object.entries(debounced)
      .map(([name, value]) => [name, name === 'account' ? value.replace(/\D/g, '') : value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
  return (
    <Page title="Audit log" description="All changes by customers and staff, in a tamper-evident log">
      <Group gap="sm">
        {inputs.map(({ name, label, placeholder }) => (
          <TextInput
            key={name}
            label={label}
            placeholder={placeholder}
            value={filters[name]}
            maxLength={64}
            flex="1 1 160px"
            onChange={({ currentTarget: { value } }) => setFilters((current) => ({ ...current, [name]: value }))}
          />
        ))}
      </Group>
      <AuditTable filter={filter} />
    </Page>
  );
}
