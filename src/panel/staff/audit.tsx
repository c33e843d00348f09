// Who did what, over all accounts and the provider's own.
import { Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type JSX } from 'react';
import { Page } from '../parts/page.tsx';
import { AuditTable } from './parts/audit-table.tsx';

const waitMs = 250;
const inputs = [
  { name: 'account', label: 'Customer', placeholder: 'Number; 0 for the provider' },
  { name: 'operator', label: 'Staff', placeholder: 'Name' },
  { name: 'operation', label: 'Operation', placeholder: 'operator.serviceSuspend' },
  { name: 'outcome', label: 'Outcome', placeholder: 'success, or a code' },
] as const;

export function StaffAuditPage(): JSX.Element {
  const [typed, setTyped] = useState({ account: '', operator: '', operation: '', outcome: '' });
  const [settled] = useDebouncedValue(typed, waitMs);
  const filter = Object.fromEntries(
    Object.entries(settled)
      .map(([name, value]) => [name, name === 'account' ? value.replace(/\D/g, '') : value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
  return (
    <Page
      title="Audit log"
      about="Who changed what, of all customers and of the provider itself. Each entry seals the one before."
    >
      <Group gap="sm">
        {inputs.map(({ name, label, placeholder }) => (
          <TextInput
            key={name}
            label={label}
            placeholder={placeholder}
            value={typed[name]}
            maxLength={64}
            flex="1 1 160px"
            onChange={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, [name]: value }))}
          />
        ))}
      </Group>
      <AuditTable filter={filter} />
    </Page>
  );
}
