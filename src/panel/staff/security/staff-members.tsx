// The provider's staff and their roles. Only owners can invite, edit and remove them.
import { Group, Select, Stack, Table, TextInput, Title } from '@mantine/core';
import { useState, type JSX } from 'react';
import { permissions, roleNames, roles, type OperatorRole } from '#contract/roles.ts';
import type { Methods } from '#sdk/operator.ts';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { ConfirmButton } from '../../parts/action-button.tsx';
import { QueryResult, EmptyState } from '../../parts/query-result.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { NewSecretDialog } from '../../parts/new-secret.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { Icon } from '../../shell/icons.tsx';
import { FormButton } from '../parts/form-button.tsx';

type StaffMember = Awaited<ReturnType<Methods['operatorList']>>[number];
const columns = ['Name', 'Role', 'Status', 'Second factor', 'Since', { label: 'Actions', width: 1 }];

export function StaffMembers(): JSX.Element {
  const members = useStaffRead('operatorList', {});
  const denial = usePermissionDenial()('operator:owner');
  const [password, setPassword] = useState('');
  return (
    <Stack gap="sm" component="section" aria-labelledby="members">
      <Group justify="space-between">
        <Title order={2} size="h4" id="members">
          Staff
        </Title>
        <FormButton
          title="Invite staff member"
          leftSection={<Icon name="plus" size={16} />}
          disabledReason={denial}
          form={(close) => (
            <InviteForm
              close={close}
              onCreated={(initialPassword) => {
                close();
                setPassword(initialPassword);
              }}
            />
          )}
        >
          Invite
        </FormButton>
      </Group>
      <QueryResult query={members}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon="people" title="No staff members yet">
              API keys in the site file are not listed here.
            </EmptyState>
          ) : (
            <TableCard label="Staff" columns={columns} minWidth={760}>
              {all.map((member) => (
                <StaffMemberRow key={member.id} member={member} onPassword={setPassword} />
              ))}
            </TableCard>
          )
        }
      </QueryResult>
      <NewSecretDialog title="Initial password" label="Password" secret={password} onDone={() => setPassword('')} />
    </Stack>
  );
}

interface StaffMemberRowProps {
  readonly member: StaffMember;
  readonly onPassword: (password: string) => void;
}

function StaffMemberRow({ member, onPassword }: StaffMemberRowProps): JSX.Element {
  const denial = usePermissionDenial()('operator:owner');
  const update = useStaffChange('operatorUpdate', { successMessage: `${member.name} updated` });
  const removeAccess = useStaffChange('operatorDelete', { successMessage: `Access of ${member.name} removed` });
  const save = async (changes: object): Promise<void> => {
    const { password } = await update.mutateAsync({ id: member.id, ...changes });
    onPassword(password);
  };
  const hasEnded = member.status === 'Ended';
  return (
    <Table.Tr>
      <Table.Td>{member.name}</Table.Td>
      <Table.Td>{member.role}</Table.Td>
      <Table.Td>
        <StateBadge state={hasEnded ? 'Removed' : 'Active'} />
      </Table.Td>
      <Table.Td>{member.secondfactor === 'Confirmed' ? 'Enabled' : 'Not set up'}</Table.Td>
      <Table.Td>
        <Timestamp at={member.created} isRelative />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <FormButton
            buttonSize="compact-sm"
            variant="default"
            title={`Edit ${member.name}`}
            aria-label={`Edit ${member.name}`}
            disabledReason={denial}
            form={(close) => <EditForm member={member} close={close} save={save} />}
          >
            Edit
          </FormButton>
          <ConfirmButton
            size="compact-sm"
            variant="light"
            color="red"
            aria-label={`Remove access of ${member.name}`}
            disabledReason={denial ?? (hasEnded ? 'Access has already been removed.' : undefined)}
            question={`Remove the access of ${member.name}?`}
            consequence="All their sessions end immediately. Their name stays in the logs."
            confirmLabel="Remove access"
            onConfirm={() => removeAccess.mutateAsync({ id: member.id })}
          >
            Remove access
          </ConfirmButton>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

interface EditFormProps {
  readonly member: StaffMember;
  readonly close: () => void;
  readonly save: (changes: object) => Promise<void>;
}
const edits = {
  role: 'Change role',
  newpassword: 'Reset password',
  forgettotp: 'Reset 2FA',
  status: 'Restore access',
} as const;

function EditForm({ member, close, save }: EditFormProps): JSX.Element {
  const fields = useFormFields({ edit: 'role' as keyof typeof edits, role: member.role as OperatorRole });
  const { edit, role } = fields.values;
  const options = Object.entries(edits)
    .filter(([name]) => name !== 'status' || member.status === 'Ended')
    .map(([value, label]) => ({ value, label }));
  return (
    <Form
      fields={fields}
      submitLabel="Save"
      onCancel={close}
      onSubmit={async () => {
        await save(edit === 'role' ? { role } : edit === 'status' ? { status: 'Active' } : { [edit]: true });
        close();
      }}
    >
      <Select
        label="Action"
        data={options}
        value={edit}
        allowDeselect={false}
        description={
          edit === 'newpassword' || edit === 'forgettotp' ? 'All their sessions will be signed out.' : undefined
        }
        onChange={(next) => fields.set({ edit: next as keyof typeof edits })}
      />
      {edit === 'role' && <RoleSelect role={role} onChange={(next) => fields.set({ role: next })} />}
    </Form>
  );
}

function RoleSelect({ role, onChange }: { role: OperatorRole; onChange: (role: OperatorRole) => void }): JSX.Element {
  return (
    <Select
      label="Role"
      description={roles[role].map((permission) => permissions[permission]).join('. ')}
      data={roleNames}
      value={role}
      allowDeselect={false}
      onChange={(next) => onChange(next as OperatorRole)}
    />
  );
}

function InviteForm({ close, onCreated }: { close: () => void; onCreated: (password: string) => void }): JSX.Element {
  const fields = useFormFields({ name: '', role: 'support' as OperatorRole });
  const create = useStaffChange('operatorCreate');
  return (
    <Form
      fields={fields}
      submitLabel="Invite"
      onCancel={close}
      onSubmit={async () => onCreated((await create.mutateAsync(fields.values)).password)}
    >
      <TextInput label="Name" required data-autofocus autoComplete="off" {...fields.input('name')} />
      <RoleSelect role={fields.values.role} onChange={(role) => fields.set({ role })} />
    </Form>
  );
}
