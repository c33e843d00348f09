// The contacts of the account: their notifications, and the permissions of those who can sign in.
import { Group, Modal, Stack, Text, Tooltip } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Contact } from '#sdk/v2.ts';
import { useChange, useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { DangerButton } from '../parts/confirm-button.tsx';
import { Dimmed } from '../parts/dimmed.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { sortByName } from '../parts/name-order.ts';
import { Page } from '../parts/page.tsx';
import { ServerLimits } from '../parts/server-picker.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { ContactForm } from './contacts/contact-form.tsx';
import { enabledNotifications, contactName, contactScopes, contactServers } from './contacts/contact.ts';
import { AccessForm } from './contacts/access-form.tsx';
import { Invitations } from './contacts/invitations.tsx';
import { InviteForm } from './contacts/invite-form.tsx';
import { scopeDetails, scopeSummary } from '../parts/scope-summary.ts';
import { t } from '../text/text.ts';

type OpenDialog =
  | { readonly action: 'add' }
  | { readonly action: 'invite-new' }
  | { readonly action: 'edit' | 'access' | 'invite'; readonly contact: Contact };

export function ContactsPage(): JSX.Element {
  const contacts = useRead('contactGet', {});
  const scopeDenial = useScopeDenial();
  const inviteDenial = useInviteDenial();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  const addButton = (
    <ActionButton
      variant="default"
      disabledReason={scopeDenial('account:write')}
      onClick={() => setDialog({ action: 'add' })}
    >
      {t('Add contact')}
    </ActionButton>
  );
  const columns: readonly Column<Contact>[] = [
    ...contactColumns,
    {
      label: t('Actions'),
      width: 1,
      cell: (contact) => <ContactActions contact={contact} open={(action) => setDialog({ action, contact })} />,
    },
  ];
  return (
    <Page
      title={t('Contacts')}
      description={t('People and notifications')}
      actions={
        <>
          <ActionButton
            icon="plus"
            disabledReason={scopeDenial('account:write') ?? inviteDenial}
            onClick={() => setDialog({ action: 'invite-new' })}
          >
            {t('Invite contact')}
          </ActionButton>
          {addButton}
        </>
      }
    >
      <QueryResult
        query={contacts}
        empty={
          <EmptyCard icon="people" title={t('No contacts yet')} action={addButton}>
            {t('Add people who should receive invoices or help manage your servers.')}
          </EmptyCard>
        }
      >
        {(all) => (
          <TableCard
            label={t('Contacts')}
            columns={columns}
            rows={sortByName(all)}
            rowKey={({ id }) => id}
            minWidth={880}
          />
        )}
      </QueryResult>
      <Invitations />
      <Modal
        opened={dialog !== undefined}
        onClose={close}
        title={dialog === undefined ? '' : dialogTitle(dialog)}
        size="xl"
        closeOnClickOutside={false}
      >
        {dialog?.action === 'invite-new' && <InviteForm close={close} />}
        {dialog?.action === 'invite' && <InviteForm contact={dialog.contact} close={close} />}
        {dialog?.action === 'add' && <ContactForm close={close} />}
        {dialog?.action === 'edit' && <ContactForm contact={dialog.contact} close={close} />}
        {dialog?.action === 'access' && <AccessForm contact={dialog.contact} close={close} />}
      </Modal>
    </Page>
  );
}

/** Returns why nobody can be invited, or undefined if it is possible. */
function useInviteDenial(): string | undefined {
  const scopeDenial = useScopeDenial();
  const isMailOff = useRead('mailSettingsGet', {}).data?.enabled === false;
  return scopeDenial('account:keys') ?? (isMailOff ? t('The provider does not send email.') : undefined);
}

function dialogTitle(dialog: OpenDialog): string {
  if (dialog.action === 'add') return t('New contact');
  if (dialog.action === 'invite-new') return t('Invite contact');
  if (dialog.action === 'invite') return t('Invite {name}', { name: contactName(dialog.contact) });
  return dialog.action === 'edit'
    ? contactName(dialog.contact)
    : t('Permissions and notifications of {name}', { name: contactName(dialog.contact) });
}

const contactColumns: readonly Column<Contact>[] = [
  {
    label: t('Name'),
    cell: (contact) => (
      <>
        <Text size="sm" fw={600}>
          {contactName(contact)}
        </Text>
        <Dimmed size="xs">
          {[contact.companyname, contact.city, contact.country].filter((part) => part !== '').join(', ')}
        </Dimmed>
      </>
    ),
  },
  {
    label: t('Email'),
    className: 'wrap-anywhere',
    cell: ({ email, phonenumber }) => (
      <>
        {email}
        {phonenumber !== '' && (
          <Dimmed size="xs" className="numbers">
            {phonenumber}
          </Dimmed>
        )}
      </>
    ),
  },
  { label: t('Access'), cell: (contact) => <Access contact={contact} /> },
  {
    label: t('Notifications'),
    cell: (contact) => enabledNotifications(contact).join(', ') || <Dimmed>{t('None')}</Dimmed>,
  },
];

function Access({ contact }: { contact: Contact }): JSX.Element {
  if (contact.subaccount !== '1') return <Dimmed>{t('No access')}</Dimmed>;
  return (
    <Stack gap={2} align="flex-start">
      <StateBadge state={contact.status} />
      <Tooltip label={scopeDetails(contactScopes(contact))} disabled={contact.permissions === ''}>
        <Dimmed size="xs">
          {contact.permissions === '' ? t('No permissions') : scopeSummary(contactScopes(contact))}
        </Dimmed>
      </Tooltip>
      {contact.limited === '1' && <ServerLimits services={contactServers(contact)} />}
    </Stack>
  );
}

interface ContactActionsProps {
  readonly contact: Contact;
  readonly open: (action: 'edit' | 'access' | 'invite') => void;
}

function ContactActions({ contact, open }: ContactActionsProps): JSX.Element {
  const scopeDenial = useScopeDenial();
  const inviteDenial = useInviteDenial();
  const isInvited = useRead('invitationGet', {}).data?.some((invitation) => invitation.contact === contact.id) === true;
  const name = contactName(contact);
  const remove = useChange('contactDelete', {
    successMessage: t('{name} removed', { name }),
    invalidates: ['contactGet', 'keyGet'],
  });
  return (
    <Group gap={6} wrap="nowrap">
      {contact.subaccount !== '1' && !isInvited && (
        <ActionButton
          isInRow
          disabledReason={inviteDenial}
          onClick={() => open('invite')}
          aria-label={t('Invite {name}', { name })}
        >
          {t('Invite')}
        </ActionButton>
      )}
      <ActionButton
        isInRow
        disabledReason={scopeDenial('account:write')}
        onClick={() => open('edit')}
        aria-label={t('Edit {name}', { name })}
      >
        {t('Edit')}
      </ActionButton>
      <ActionButton
        isInRow
        disabledReason={scopeDenial('account:keys')}
        onClick={() => open('access')}
        aria-label={t('Permissions of {name}', { name })}
      >
        {t('Permissions')}
      </ActionButton>
      <DangerButton
        disabledReason={scopeDenial('account:write')}
        aria-label={t('Remove {name}', { name })}
        question={t('Remove {name}?', { name })}
        consequence={
          contact.subaccount === '1'
            ? t(
                '{email} can no longer sign in or receive notifications, and the API keys of this contact are revoked.',
                { email: contact.email },
              )
            : t('{email} no longer receives notifications.', { email: contact.email })
        }
        confirmLabel={t('Remove')}
        onConfirm={() => remove.mutateAsync({ id: contact.id })}
      />
    </Group>
  );
}
