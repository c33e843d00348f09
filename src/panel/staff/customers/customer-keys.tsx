// The keys of a customer: seen, made and revoked by staff. A key's text is shown once.
import { Card, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useStaffChange, useStaffRead } from '../../data/read.ts';
import { usePowerRefusal } from '../../data/who.ts';
import { AskFirst } from '../../parts/act.tsx';
import { Answer, Empty } from '../../parts/answer.tsx';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ShownOnceDialogue } from '../../parts/shown-once.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { Icon } from '../../shell/icons.tsx';
import { FormAct } from '../parts/form-act.tsx';

const columns = ['Name', 'State', 'May', 'Last used', 'Ends', { label: 'Actions', width: 1 }];

export function CustomerKeys({ account }: { account: string }): JSX.Element {
  const keys = useStaffRead('keyList', { account });
  const refusal = usePowerRefusal()('operator:keys');
  const revoke = useStaffChange('keyRevoke', { done: 'The key is revoked.' });
  const [made, setMade] = useState('');
  return (
    <Stack>
      <Group>
        <FormAct
          title="New key"
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          reason={refusal}
          form={(close) => (
            <KeyForm
              account={account}
              close={close}
              onMade={(key) => {
                close();
                setMade(key);
              }}
            />
          )}
        >
          New key
        </FormAct>
      </Group>
      <Answer of={keys}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <Empty icon="key" title="No keys" />
            </Card>
          ) : (
            <TableCard label="Keys" columns={columns} minWidth={760}>
              {all.map((key) => (
                <Table.Tr key={key.id}>
                  <Table.Td>{key.name}</Table.Td>
                  <Table.Td>
                    <StateBadge state={key.status} />
                  </Table.Td>
                  <Table.Td maw={280}>
                    <Text size="sm" lineClamp={2}>
                      {key.scopes.join(', ')}
                    </Text>
                  </Table.Td>
                  <Table.Td>{key.lastused === '' ? 'never' : <Moment at={key.lastused} ago />}</Table.Td>
                  <Table.Td>{key.expires === '' ? 'never' : <Moment at={key.expires} ago />}</Table.Td>
                  <Table.Td>
                    <AskFirst
                      size="compact-sm"
                      variant="light"
                      color="red"
                      reason={refusal ?? (key.status === 'Active' ? undefined : `It is ${key.status.toLowerCase()}.`)}
                      question={`Revoke the key “${key.name}”?`}
                      consequence="Programs that use it are refused within a second. It cannot be brought back."
                      yes="Revoke"
                      aria-label={`Revoke ${key.name}`}
                      act={() => revoke.mutateAsync({ account, id: key.id })}
                    >
                      Revoke
                    </AskFirst>
                  </Table.Td>
                </Table.Tr>
              ))}
            </TableCard>
          )
        }
      </Answer>
      <ShownOnceDialogue title="The new key" label="API key" secret={made} onDone={() => setMade('')} />
    </Stack>
  );
}

interface KeyFormProps {
  readonly account: string;
  readonly close: () => void;
  readonly onMade: (key: string) => void;
}

function KeyForm({ account, close, onMade }: KeyFormProps): JSX.Element {
  const fields = useFields({ name: '', scopes: 'read-only' as 'all' | 'read-only' });
  const create = useStaffChange('keyCreate');
  return (
    <Form
      fields={fields}
      label="Make the key"
      cancel={close}
      send={async () => {
        const { name, scopes } = fields.values;
        onMade((await create.mutateAsync({ account, name, scopes: [scopes] })).key);
      }}
    >
      <TextInput label="Name" required maxLength={64} data-autofocus {...fields.input('name')} />
      <Select
        label="It may"
        description="The customer can narrow it down."
        data={[
          { value: 'read-only', label: 'Read everything' },
          { value: 'all', label: 'Do everything' },
        ]}
        value={fields.values.scopes}
        allowDeselect={false}
        onChange={(scopes) => fields.set({ scopes: scopes as 'all' | 'read-only' })}
        error={fields.errorOf('scopes')}
      />
    </Form>
  );
}
