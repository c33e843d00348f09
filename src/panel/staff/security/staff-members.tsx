// The provider's staff and their roles. Only owners can invite, edit and remove them.
import { Group, Select, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { permissions, roleNames, roles, type OperatorRole } from '#contract/roles.ts';
import { useStaffChange, useStaffRead, type StaffResult } from '../../data/operations.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { DangerButton } from '../../parts/confirm-button.tsx';
import { EmptyCard } from '../../parts/query-result.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { NewSecretDialog } from '../../parts/new-secret.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Section } from '../../parts/section.tsx';
import { QueryTable, type Column } from '../../parts/table-card.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { t, tData } from '../../text/text.ts';

type StaffMember = StaffResult<'operatorList'>[number];
const noMembers = (
  <EmptyCard icon="people" title={t('No staff members yet')}>
    {t('API keys in the site file are not listed here.')}
  </EmptyCard>
);

export function StaffMembers(): JSX.Element {
  const members = useStaffRead('operatorList', {});
  const denial = usePermissionDenial()('operator:owner');
  const [password, setPassword] = useState('');
  const columns: readonly Column<StaffMember>[] = [
    { label: t('Name'), cell: ({ name }) => name },
    { label: t('Email'), className: 'wrap-anywhere', cell: ({ email }) => email },
    { label: t('Role'), cell: ({ role }) => tData(role) },
    { label: t('Status'), cell: ({ status }) => <StateBadge state={status === 'Ended' ? 'Removed' : 'Active'} /> },
    {
      label: t('Second factor'),
      cell: (member) => (member.secondfactor === 'Confirmed' ? t('Enabled') : t('Not set up')),
    },
    { label: t('Since'), cell: ({ created }) => <Timestamp at={created} isRelative /> },
    { label: t('Actions'), width: 1, cell: (member) => <MemberActions member={member} onPassword={setPassword} /> },
  ];
  return (
    <Section
      title={t('Staff')}
      actions={
        <FormButton
          title={t('Invite staff member')}
          icon="plus"
          disabledReason={denial}
          form={(close) => <InviteForm close={close} onCreated={setPassword} />}
        >
          {t('Invite')}
        </FormButton>
      }
    >
      <QueryTable query={members} label={t('Staff')} columns={columns} minWidth={760} empty={noMembers} />
      <NewSecretDialog
        title={t('Initial password')}
        label={t('Password')}
        secret={password}
        onDone={() => setPassword('')}
      />
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
  const update = useStaffChange('operatorUpdate', { successMessage: t('{name} updated', { name }) });
  const removeAccess = useStaffChange('operatorDelete', { successMessage: t('Access of {name} removed', { name }) });
  const save = async (changes: object): Promise<void> => {
    const { password } = await update.mutateAsync({ id, ...changes });
    onPassword(password);
  };
  return (
    <Group gap="xs" wrap="nowrap">
      <FormButton
        isInRow
        title={t('Edit {name}', { name })}
        aria-label={t('Edit {name}', { name })}
        disabledReason={denial}
        form={(close) => <EditForm member={member} close={close} save={save} />}
      >
        {t('Edit')}
      </FormButton>
      <DangerButton
        aria-label={t('Remove access of {name}', { name })}
        disabledReason={denial ?? (member.status === 'Ended' ? t('Access has already been removed.') : undefined)}
        question={t('Remove the access of {name}?', { name })}
        consequence={t('All their sessions end immediately. Their name stays in the logs.')}
        confirmLabel={t('Remove access')}
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
  role: t('Change role'),
  email: t('Change email address'),
  newpassword: t('Reset password'),
  forgettotp: t('Reset 2FA'),
  status: t('Restore access'),
} as const;

function EditForm({ member, close, save }: EditFormProps): JSX.Element {
  const fields = useFormFields({
    edit: 'role' as keyof typeof edits,
    role: member.role as OperatorRole,
    email: member.email,
  });
  const { edit, role, email } = fields.values;
  const changes = { role: { role }, email: { email }, status: { status: 'Active' } };
  const options = Object.entries(edits)
    .filter(([name]) => name !== 'status' || member.status === 'Ended')
    .map(([value, label]) => ({ value, label }));
  return (
    <Form
      fields={fields}
      submitLabel={t('Save')}
      close={close}
      onSubmit={() => save(edit in changes ? changes[edit as keyof typeof changes] : { [edit]: true })}
    >
      <Select
        label={t('Action')}
        data={options}
        value={edit}
        allowDeselect={false}
        description={
          edit === 'newpassword' || edit === 'forgettotp' ? t('All their sessions will be signed out.') : undefined
        }
        onChange={(next) => fields.set({ edit: next as keyof typeof edits })}
      />
      {edit === 'email' && <TextInput label={t('Email')} type="email" autoComplete="off" {...fields.input('email')} />}
      {edit === 'role' && <RoleSelect role={role} onChange={(next) => fields.set({ role: next })} />}
    </Form>
  );
}

function RoleSelect({ role, onChange }: { role: OperatorRole; onChange: (role: OperatorRole) => void }): JSX.Element {
  return (
    <Select
      label={t('Role')}
      description={roles[role].map((permission) => tData(permissions[permission])).join('. ')}
      data={roleNames.map((value) => ({ value, label: tData(value) }))}
      value={role}
      allowDeselect={false}
      onChange={(next) => onChange(next as OperatorRole)}
    />
  );
}

function InviteForm({ close, onCreated }: { close: () => void; onCreated: (password: string) => void }): JSX.Element {
  const fields = useFormFields({ name: '', email: '', role: 'support' as OperatorRole });
  const create = useStaffChange('operatorCreate');
  return (
    <Form
      fields={fields}
      submitLabel={t('Invite')}
      close={close}
      onSubmit={async () => {
        const { email, ...values } = fields.values;
        const { password } = await create.mutateAsync(email === '' ? values : { ...values, email });
        onCreated(password);
      }}
    >
      <TextInput label={t('Name')} required data-autofocus autoComplete="off" {...fields.input('name')} />
      <TextInput
        label={t('Email')}
        description={t('For notices about their sign-in, and for a link if they forget their password')}
        type="email"
        autoComplete="off"
        {...fields.input('email')}
      />
      <RoleSelect role={fields.values.role} onChange={(role) => fields.set({ role })} />
    </Form>
  );
}
