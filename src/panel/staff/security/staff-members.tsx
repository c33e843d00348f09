// The provider's staff and their roles. Only owners can invite, edit and remove them.
import { Group, Select, TextInput } from '@mantine/core';
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
import { Section } from '../../parts/section.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { FormButton } from '../../parts/form-button.tsx';

type StaffMember = Awaited<ReturnType<Methods['operatorList']>>[number];
const noMembers = (
  <EmptyState icon="people" title="No staff members yet">
    API keys in the site file are not listed here.
  </EmptyState>
);

export function StaffMembers(): JSX.Element {
  const members = useStaffRead('operatorList', {});
  const denial = usePermissionDenial()('operator:owner');
  const [password, setPassword] = useState('');
  const columns: readonly Column<StaffMember>[] = [
    { label: 'Name', cell: ({ name }) => name },
    { label: 'Role', cell: ({ role }) => role },
    { label: 'Status', cell: ({ status }) => <StateBadge state={status === 'Ended' ? 'Removed' : 'Active'} /> },
    { label: 'Second factor', cell: (member) => (member.secondfactor === 'Confirmed' ? 'Enabled' : 'Not set up') },
    { label: 'Since', cell: ({ created }) => <Timestamp at={created} isRelative /> },
    { label: 'Actions', width: 1, cell: (member) => <MemberActions member={member} onPassword={setPassword} /> },
  ];
  return (
    <Section
      title="Staff"
      actions={
        <FormButton
          title="Invite staff member"
          icon="plus"
          disabledReason={denial}
          form={(close) => <InviteForm close={close} onCreated={setPassword} />}
        >
          Invite
        </FormButton>
      }
    >
      <QueryResult query={members} empty={noMembers}>
        {(all) => <TableCard label="Staff" columns={columns} rows={all} rowKey={({ id }) => id} minWidth={760} />}
      </QueryResult>
      <NewSecretDialog title="Initial password" label="Password" secret={password} onDone={() => setPassword('')} />
    </Section>
  );
}

interface MemberActionsProps {
  readonly member: StaffMember;
  readonly onPassword: (password: string) => void;
}

function MemberActions({ member, onPassword }: MemberActionsProps): JSX.Element {
  const { id, name } = member;
  const denial = usePermissionDenial()('operator:owner');
  const update = useStaffChange('operatorUpdate', { successMessage: `${name} updated` });
  const removeAccess = useStaffChange('operatorDelete', { successMessage: `Access of ${name} removed` });
  const save = async (changes: object): Promise<void> => {
    const { password } = await update.mutateAsync({ id, ...changes });
    onPassword(password);
  };
  return (
    <Group gap="xs" wrap="nowrap">
      <FormButton
        size="compact-sm"
        variant="default"
        title={`Edit ${name}`}
        aria-label={`Edit ${name}`}
        disabledReason={denial}
        form={(close) => <EditForm member={member} close={close} save={save} />}
      >
        Edit
      </FormButton>
      <ConfirmButton
        size="compact-sm"
        variant="light"
        color="red"
        aria-label={`Remove access of ${name}`}
        disabledReason={denial ?? (member.status === 'Ended' ? 'Access has already been removed.' : undefined)}
        question={`Remove the access of ${name}?`}
        consequence="All their sessions end immediately. Their name stays in the logs."
        confirmLabel="Remove access"
        onConfirm={() => removeAccess.mutateAsync({ id })}
      />
    </Group>
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
      onSubmit={async () => {
        const { password } = await create.mutateAsync(fields.values);
        close();
        onCreated(password);
      }}
    >
      <TextInput label="Name" required data-autofocus autoComplete="off" {...fields.input('name')} />
      <RoleSelect role={fields.values.role} onChange={(role) => fields.set({ role })} />
    </Form>
  );
}
