// People who signed up, to approve or reject, and invitations to sign up.
import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { customerName } from '../data/customer-names.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { useStaffChange, useStaffRead } from '../data/operations.ts';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { countryName } from '../parts/countries.ts';
import { FormButton, ReasonButton } from '../parts/form-button.tsx';
import { useFormFields } from '../parts/form-fields.ts';
import { Form } from '../parts/form.tsx';
import { NewSecretDialog } from '../parts/new-secret.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyCard } from '../parts/query-result.tsx';
import { Section } from '../parts/section.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { QueryTable, type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { t } from '../text/text.ts';
import { StatusTabs } from './parts/search-bar.tsx';
import { PagedTable } from './parts/paged-table.tsx';

type SignUp = Row<'signUpList'>;
type Status = SignUp['status'];
const filters: readonly { readonly value: Status; readonly label: string }[] = [
  { value: 'Waiting', label: t('Waiting') },
  { value: 'Unverified', label: t('Unverified') },
  { value: 'Rejected', label: t('Rejected') },
];
const columns: readonly Column<SignUp>[] = [
  { label: t('Person'), className: 'wrap-anywhere', cell: (signUp) => <PersonCell signUp={signUp} /> },
  { label: t('Address'), miw: 160, cell: addressText },
  { label: t('IP address'), isOneLine: true, cell: ({ address }) => address },
  { label: t('Terms'), isOneLine: true, cell: ({ termsversion }) => termsversion },
  { label: t('Signed up'), isOneLine: true, cell: ({ created }) => <Timestamp at={created} isRelative /> },
  { label: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
  {
    label: t('Decision'),
    className: 'wrap-anywhere',
    cell: (signUp) => (signUp.status === 'Waiting' ? <DecisionButtons signUp={signUp} /> : signUp.reason),
  },
];

export function SignUpsPage(): JSX.Element {
  const [filter, setFilter] = useState<Status>('Waiting');
  const signUps = useStaffPages('signUpList', { status: filter });
  return (
    <Page title={t('Sign-ups')} description={t('People who want to become customers')}>
      <StatusTabs value={filter} onChange={setFilter} data={[...filters]} />
      <PagedTable
        query={signUps}
        label={t('Sign-ups')}
        columns={columns}
        minWidth={1000}
        empty={
          <EmptyCard icon="people" title={t('No sign-ups')}>
            {filter === 'Waiting' && t('People who verified their email address and need your approval appear here.')}
          </EmptyCard>
        }
      />
      <Invitations />
    </Page>
  );
}

function PersonCell({ signUp }: { readonly signUp: SignUp }): JSX.Element {
  const { firstname, lastname, companyname, email, phonenumber } = signUp;
  return (
    <Stack gap={0}>
      <Text size="sm" fw={500}>
        {customerName(signUp) + (companyname === '' ? '' : ` (${firstname} ${lastname})`)}
      </Text>
      <Text size="sm">{email}</Text>
      {phonenumber !== '' && <Text size="sm">{phonenumber}</Text>}
    </Stack>
  );
}

function addressText({ address1, address2, postcode, city, state, country }: SignUp): string {
  const lines = [address1, address2, `${postcode} ${city}`.trim(), state, countryName(country)];
  return lines.filter((line) => line !== '').join(', ');
}

function DecisionButtons({ signUp }: { readonly signUp: SignUp }): JSX.Element {
  const denial = usePermissionDenial()('operator:customers');
  const approve = useStaffChange('signUpApprove', { successMessage: t('Account created') });
  const reject = useStaffChange('signUpReject', { successMessage: t('Sign-up rejected') });
  const name = customerName(signUp);
  return (
    <Group gap="xs" wrap="nowrap">
      <ConfirmButton
        size="compact-sm"
        color="brand"
        disabledReason={denial}
        aria-label={t('Approve {name}', { name })}
        question={t('Create an account for {name}?', { name })}
        consequence={t('The person can sign in at once, and is notified by email.')}
        confirmLabel={t('Approve')}
        onConfirm={() => approve.mutateAsync({ id: signUp.id })}
      />
      <ReasonButton
        isInRow
        disabledReason={denial}
        aria-label={t('Reject {name}', { name })}
        title={t('Reject the sign-up of {name}?', { name })}
        description={t('The person gets the reason by email.')}
        confirmLabel={t('Reject')}
        onConfirm={(reason) => reject.mutateAsync({ id: signUp.id, reason })}
      />
    </Group>
  );
}

function Invitations(): JSX.Element {
  const denial = usePermissionDenial()('operator:customers');
  const invitations = useStaffRead('signUpInvitationList', {});
  const revoke = useStaffChange('signUpInvitationDelete', { successMessage: t('Invitation revoked') });
  const [link, setLink] = useState('');
  return (
    <Section
      title={t('Invitations')}
      actions={
        <FormButton
          title={t('Invite somebody')}
          disabledReason={denial}
          form={(close) => (
            <InvitationForm
              onDone={(created) => {
                close();
                setLink(created);
              }}
            />
          )}
        />
      }
    >
      <QueryTable
        query={invitations}
        label={t('Invitations')}
        minWidth={700}
        columns={[
          { label: t('Email'), className: 'wrap-anywhere', cell: ({ email }) => email || t('Any address') },
          { label: t('Invited by'), cell: ({ invitedby }) => invitedby },
          { label: t('Created'), isOneLine: true, cell: ({ created }) => <Timestamp at={created} isRelative /> },
          { label: t('Expires'), isOneLine: true, cell: ({ expires }) => <Timestamp at={expires} isRelative /> },
          {
            label: t('Actions'),
            cell: ({ id, email }) => (
              <ConfirmButton
                isInRow
                disabledReason={denial}
                question={t('Revoke the invitation?')}
                consequence={
                  email === '' ? t('Its link stops working.') : t('The link for {email} stops working.', { email })
                }
                confirmLabel={t('Revoke')}
                onConfirm={() => revoke.mutateAsync({ id })}
              />
            ),
          },
        ]}
        empty={
          <EmptyCard icon="mail" title={t('No open invitations')}>
            {t('An invitation is a link that lets somebody create one account without approval.')}
          </EmptyCard>
        }
      />
      <NewSecretDialog title={t('Invitation created')} label={t('Link')} secret={link} onDone={() => setLink('')} />
    </Section>
  );
}

function InvitationForm({ onDone }: { readonly onDone: (link: string) => void }): JSX.Element {
  const fields = useFormFields({ email: '', days: '14' });
  const create = useStaffChange('signUpInvitationCreate');
  return (
    <Form
      fields={fields}
      submitLabel={t('Create invitation')}
      onSubmit={async () => {
        const { email, days } = fields.values;
        const { link } = await create.mutateAsync({ days: Number(days), email: email || undefined });
        onDone(link);
      }}
    >
      <TextInput
        label={t('Email')}
        type="email"
        description={t('Optional. The link is sent there, and only this address can use it.')}
        data-autofocus
        {...fields.input('email')}
      />
      <TextInput label={t('Valid for (days)')} required inputMode="numeric" {...fields.input('days')} />
    </Form>
  );
}
