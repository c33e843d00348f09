// The provider's staff: who can sign in, with which role. Owners make, change and end them.
import { Group, Select, Stack, Table, TextInput, Title } from '@mantine/core';
import { useState, type JSX } from 'react';
import { powers, roleNames, roles, type OperatorRole } from '#contract/roles.ts';
import type { Methods } from '#sdk/operator.ts';
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

type Person = Awaited<ReturnType<Methods['operatorList']>>[number];
const columns = ['Name', 'Role', 'State', 'Second factor', 'Since', { label: 'Actions', width: 1 }];

export function People(): JSX.Element {
  const people = useStaffRead('operatorList', {});
  const refusal = usePowerRefusal()('operator:owner');
  const [password, setPassword] = useState('');
  return (
    <Stack gap="sm" component="section" aria-labelledby="people">
      <Group justify="space-between">
        <Title order={2} size="h4" id="people">
          Staff
        </Title>
        <FormAct
          title="New colleague"
          leftSection={<Icon name="plus" size={16} />}
          reason={refusal}
          form={(close) => (
            <PersonForm
              close={close}
              onMade={(first) => {
                close();
                setPassword(first);
              }}
            />
          )}
        >
          New colleague
        </FormAct>
      </Group>
      <Answer of={people}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon="people" title="Nobody signs in by name yet">
              Keys of the site file are not listed here.
            </Empty>
          ) : (
            <TableCard label="Staff" columns={columns} minWidth={760}>
              {all.map((person) => (
                <PersonRow key={person.id} of={person} onPassword={setPassword} />
              ))}
            </TableCard>
          )
        }
      </Answer>
      <ShownOnceDialogue title="First password" label="Password" secret={password} onDone={() => setPassword('')} />
    </Stack>
  );
}

interface PersonRowProps {
  readonly of: Person;
  readonly onPassword: (password: string) => void;
}

function PersonRow({ of, onPassword }: PersonRowProps): JSX.Element {
  const refusal = usePowerRefusal()('operator:owner');
  const update = useStaffChange('operatorUpdate', { done: `${of.name} is changed.` });
  const end = useStaffChange('operatorDelete', { done: `${of.name} can no longer sign in.` });
  const change = async (what: object): Promise<void> => {
    const { password } = await update.mutateAsync({ id: of.id, ...what });
    onPassword(password);
  };
  const isEnded = of.status === 'Ended';
  return (
    <Table.Tr>
      <Table.Td>{of.name}</Table.Td>
      <Table.Td>{of.role}</Table.Td>
      <Table.Td>
        <StateBadge state={of.status} />
      </Table.Td>
      <Table.Td>{of.secondfactor}</Table.Td>
      <Table.Td>
        <Moment at={of.created} ago />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <FormAct
            buttonSize="compact-sm"
            variant="default"
            title={`Change ${of.name}`}
            aria-label={`Change ${of.name}`}
            reason={refusal}
            form={(close) => <ChangeForm of={of} close={close} change={change} />}
          >
            Change
          </FormAct>
          <AskFirst
            size="compact-sm"
            variant="light"
            color="red"
            aria-label={`End ${of.name}`}
            reason={refusal ?? (isEnded ? 'It has ended already.' : undefined)}
            question={`End the access of ${of.name}?`}
            consequence="His sessions end at once. His name stays in the logs."
            yes="End the access"
            act={() => end.mutateAsync({ id: of.id })}
          >
            End
          </AskFirst>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

interface ChangeFormProps {
  readonly of: Person;
  readonly close: () => void;
  readonly change: (what: object) => Promise<void>;
}
const changes = {
  role: 'Give another role',
  newpassword: 'Draw a new password',
  forgettotp: 'Forget a lost second factor',
  status: 'Let him come back',
} as const;

function ChangeForm({ of, close, change }: ChangeFormProps): JSX.Element {
  const fields = useFields({ what: 'role' as keyof typeof changes, role: of.role as OperatorRole });
  const { what, role } = fields.values;
  const options = Object.entries(changes)
    .filter(([name]) => name !== 'status' || of.status === 'Ended')
    .map(([value, label]) => ({ value, label }));
  return (
    <Form
      fields={fields}
      label="Change"
      cancel={close}
      send={async () => {
        await change(what === 'role' ? { role } : what === 'status' ? { status: 'Active' } : { [what]: true });
        close();
      }}
    >
      <Select
        label="What"
        data={options}
        value={what}
        allowDeselect={false}
        description={
          what === 'newpassword' || what === 'forgettotp' ? 'It ends the sessions of that person.' : undefined
        }
        onChange={(next) => fields.set({ what: next as keyof typeof changes })}
      />
      {what === 'role' && <RoleSelect role={role} onChange={(next) => fields.set({ role: next })} />}
    </Form>
  );
}

function RoleSelect({ role, onChange }: { role: OperatorRole; onChange: (role: OperatorRole) => void }): JSX.Element {
  return (
    <Select
      label="Role"
      description={roles[role].map((power) => powers[power]).join('. ')}
      data={roleNames}
      value={role}
      allowDeselect={false}
      onChange={(next) => onChange(next as OperatorRole)}
    />
  );
}

function PersonForm({ close, onMade }: { close: () => void; onMade: (password: string) => void }): JSX.Element {
  const fields = useFields({ name: '', role: 'support' as OperatorRole });
  const create = useStaffChange('operatorCreate');
  return (
    <Form
      fields={fields}
      label="Let them in"
      cancel={close}
      send={async () => onMade((await create.mutateAsync(fields.values)).password)}
    >
      <TextInput label="Name" required data-autofocus autoComplete="off" {...fields.input('name')} />
      <RoleSelect role={fields.values.role} onChange={(role) => fields.set({ role })} />
    </Form>
  );
}
