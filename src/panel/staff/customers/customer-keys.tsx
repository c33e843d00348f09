// Lists, creates and revokes a customer's API keys.
import { Group, Select, Stack, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffChange, useStaffRead, type StaffResult } from '../../data/operations.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { DangerButton } from '../../parts/confirm-button.tsx';
import { EmptyCard } from '../../parts/query-result.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { NewSecretDialog } from '../../parts/new-secret.tsx';
import { scopeSummary } from '../../parts/scope-summary.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { QueryTable, type Column } from '../../parts/table-card.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { t, tData } from '../../text/text.ts';

type CustomerKey = StaffResult<'keyList'>[number];

export function CustomerKeys({ account }: { account: string }): JSX.Element {
  const keys = useStaffRead('keyList', { account });
  const denialOf = usePermissionDenial();
  const revoke = useStaffChange('keyRevoke', { successMessage: t('API key revoked') });
  const [newKey, setNewKey] = useState('');
  const columns: readonly Column<CustomerKey>[] = [
    { label: t('Name'), cell: ({ name }) => name },
    { label: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
    { label: t('Permissions'), maw: 280, cell: ({ scopes }) => scopeSummary(scopes) },
    { label: t('Last used'), cell: ({ lastused }) => <Timestamp at={lastused} isRelative fallback={t('Never')} /> },
    { label: t('Expires'), cell: ({ expires }) => <Timestamp at={expires} isRelative fallback={t('Never')} /> },
    {
      label: t('Actions'),
      width: 1,
      cell: ({ id, name, status }) => (
        <DangerButton
          disabledReason={
            denialOf('operator:keys') ??
            (status === 'Active' ? undefined : t('The key is {status}.', { status: tData(status).toLowerCase() }))
          }
          question={t('Revoke the API key “{name}”?', { name })}
          consequence={t('Programs that use it lose access within a second. This cannot be undone.')}
          confirmLabel={t('Revoke')}
          aria-label={t('Revoke {name}', { name })}
          onConfirm={() => revoke.mutateAsync({ account, id })}
        />
      ),
    },
  ];
  return (
    <Stack>
      <Group>
        <FormButton
          title={t('New API key')}
          variant="default"
          icon="plus"
          disabledReason={denialOf('operator:credentials')}
          form={(close) => <KeyForm account={account} close={close} onCreated={setNewKey} />}
        />
      </Group>
      <QueryTable
        query={keys}
        label={t('API keys')}
        columns={columns}
        minWidth={760}
        empty={<EmptyCard icon="key" title={t('No API keys')} />}
      />
      <NewSecretDialog title={t('New API key')} label={t('API key')} secret={newKey} onDone={() => setNewKey('')} />
    </Stack>
  );
}

interface KeyFormProps {
  readonly account: string;
  readonly close: () => void;
  readonly onCreated: (key: string) => void;
}

function KeyForm({ account, close, onCreated }: KeyFormProps): JSX.Element {
  const fields = useFormFields({ name: '', scopes: 'read-only' as 'all' | 'read-only' });
  const create = useStaffChange('keyCreate');
  return (
    <Form
      fields={fields}
      submitLabel={t('Create API key')}
      close={close}
      onSubmit={async () => {
        const { name, scopes } = fields.values;
        const { key } = await create.mutateAsync({ account, name, scopes: [scopes] });
        onCreated(key);
      }}
    >
      <TextInput label={t('Name')} required maxLength={64} data-autofocus {...fields.input('name')} />
      <Select
        label={t('Permissions')}
        description={t('The customer can restrict them further.')}
        data={[
          { value: 'read-only', label: t('Read-only') },
          { value: 'all', label: t('Full access') },
        ]}
        value={fields.values.scopes}
        allowDeselect={false}
        onChange={(scopes) => fields.set({ scopes: scopes as 'all' | 'read-only' })}
        error={fields.errorOf('scopes')}
      />
    </Form>
  );
}
