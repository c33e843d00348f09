// Lists, creates and revokes a customer's API keys.
import { Card, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { ConfirmButton } from '../../parts/action-button.tsx';
import { QueryResult, EmptyState } from '../../parts/query-result.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { NewSecretDialog } from '../../parts/new-secret.tsx';
import { scopeSummary } from '../../parts/scope-summary.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { Icon } from '../../shell/icons.tsx';
import { FormButton } from '../parts/form-button.tsx';

const columns = ['Name', 'Status', 'Permissions', 'Last used', 'Expires', { label: 'Actions', width: 1 }];

export function CustomerKeys({ account }: { account: string }): JSX.Element {
  const keys = useStaffRead('keyList', { account });
  const denial = usePermissionDenial()('operator:keys');
  const revoke = useStaffChange('keyRevoke', { successMessage: 'API key revoked' });
  const [newKey, setNewKey] = useState('');
  return (
    <Stack>
      <Group>
        <FormButton
          title="New API key"
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          disabledReason={denial}
          form={(close) => (
            <KeyForm
              account={account}
              close={close}
              onCreated={(key) => {
                close();
                setNewKey(key);
              }}
            />
          )}
        >
          New API key
        </FormButton>
      </Group>
      <QueryResult query={keys}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <EmptyState icon="key" title="No API keys" />
            </Card>
          ) : (
            <TableCard label="API keys" columns={columns} minWidth={760}>
              {all.map((key) => (
                <Table.Tr key={key.id}>
                  <Table.Td>{key.name}</Table.Td>
                  <Table.Td>
                    <StateBadge state={key.status} />
                  </Table.Td>
                  <Table.Td maw={280}>
                    <Text size="sm" lineClamp={2}>
                      {scopeSummary(key.scopes)}
                    </Text>
                  </Table.Td>
                  <Table.Td>{key.lastused === '' ? 'Never' : <Timestamp at={key.lastused} isRelative />}</Table.Td>
                  <Table.Td>{key.expires === '' ? 'Never' : <Timestamp at={key.expires} isRelative />}</Table.Td>
                  <Table.Td>
                    <ConfirmButton
                      size="compact-sm"
                      variant="light"
                      color="red"
                      disabledReason={
                        denial ?? (key.status === 'Active' ? undefined : `The key is ${key.status.toLowerCase()}.`)
                      }
                      question={`Revoke the API key “${key.name}”?`}
                      consequence="Programs that use it lose access within a second. This cannot be undone."
                      confirmLabel="Revoke"
                      aria-label={`Revoke ${key.name}`}
                      onConfirm={() => revoke.mutateAsync({ account, id: key.id })}
                    >
                      Revoke
                    </ConfirmButton>
                  </Table.Td>
                </Table.Tr>
              ))}
            </TableCard>
          )
        }
      </QueryResult>
      <NewSecretDialog title="New API key" label="API key" secret={newKey} onDone={() => setNewKey('')} />
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
      submitLabel="Create API key"
      onCancel={close}
      onSubmit={async () => {
        const { name, scopes } = fields.values;
        onCreated((await create.mutateAsync({ account, name, scopes: [scopes] })).key);
      }}
    >
      <TextInput label="Name" required maxLength={64} data-autofocus {...fields.input('name')} />
      <Select
        label="Permissions"
        description="The customer can restrict them further."
        data={[
          { value: 'read-only', label: 'Read-only' },
          { value: 'all', label: 'Full access' },
        ]}
        value={fields.values.scopes}
        allowDeselect={false}
        onChange={(scopes) => fields.set({ scopes: scopes as 'all' | 'read-only' })}
        error={fields.errorOf('scopes')}
      />
    </Form>
  );
}
