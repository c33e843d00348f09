// The contacts of the account: their notifications, and the permissions of those who can sign in.
import { Card, Group, Modal, Stack, Table, Text, Tooltip } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Contact } from '#sdk/v2.ts';
import { useChange, useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { ActionButton, ConfirmButton } from '../parts/action-button.tsx';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { ContactForm } from './contacts/contact-form.tsx';
import { enabledNotifications, contactName, contactScopes } from './contacts/contact.ts';
import { AccessForm } from './contacts/access-form.tsx';
import { scopeDetails, scopeSummary } from '../parts/scope-summary.ts';

type OpenDialog = { readonly action: 'add' } | { readonly action: 'edit' | 'access'; readonly contact: Contact };

export function ContactsPage(): JSX.Element {
  const contacts = useRead('contactGet', {});
  const scopeDenial = useScopeDenial();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => setDialog(undefined);
  return (
    <Page
      title="Contacts"
      description="People and notifications"
      actions={
        <ActionButton
          leftSection={<Icon name="plus" size={16} />}
          disabledReason={scopeDenial('account:write')}
          onClick={() => setDialog({ action: 'add' })}
        >
          Add contact
        </ActionButton>
      }
    >
      <QueryResult query={contacts}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <EmptyState icon="people" title="No contacts yet">
                Add people who should receive invoices or help manage your servers.
              </EmptyState>
            </Card>
          ) : (
            <TableCard
              label="Contacts"
              columns={['Name', 'Email', 'Access', 'Notifications', { label: 'Actions', width: 1 }]}
              minWidth={880}
            >
              {all.map((contact) => (
                <Row
                  key={contact.id}
                  contact={contact}
                  edit={() => setDialog({ action: 'edit', contact })}
                  editAccess={() => setDialog({ action: 'access', contact })}
                />
              ))}
            </TableCard>
          )
        }
      </QueryResult>
      <Modal
        opened={dialog !== undefined}
        onClose={close}
        title={dialog === undefined ? '' : dialogTitle(dialog)}
        size="xl"
        closeOnClickOutside={false}
      >
        {dialog?.action === 'add' && <ContactForm close={close} />}
        {dialog?.action === 'edit' && <ContactForm contact={dialog.contact} close={close} />}
        {dialog?.action === 'access' && <AccessForm contact={dialog.contact} close={close} />}
      </Modal>
    </Page>
  );
}

function dialogTitle(dialog: OpenDialog): string {
  if (dialog.action === 'add') return 'New contact';
  return dialog.action === 'edit'
    ? contactName(dialog.contact)
    : `Permissions and notifications of ${contactName(dialog.contact)}`;
}

interface RowProps {
  readonly contact: Contact;
  readonly edit: () => void;
  readonly editAccess: () => void;
}

function Row({ contact, edit, editAccess }: RowProps): JSX.Element {
  const scopeDenial = useScopeDenial();
  const name = contactName(contact);
  const remove = useChange('contactDelete', {
    successMessage: `${name} removed`,
    invalidates: ['contactGet', 'keyGet'],
  });
  const notifications = enabledNotifications(contact);
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {[contact.companyname, contact.city, contact.country].filter((part) => part !== '').join(', ')}
        </Text>
      </Table.Td>
      <Table.Td className="wrap-anywhere">
        {contact.email}
        {contact.phonenumber !== '' && (
          <Text size="xs" c="dimmed" className="numbers">
            {contact.phonenumber}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {contact.subaccount === '1' ? (
          <Stack gap={2} align="flex-start">
            <StateBadge state={contact.status} />
            <Tooltip label={scopeDetails(contactScopes(contact))} disabled={contact.permissions === ''}>
              <Text size="xs" c="dimmed">
                {contact.permissions === '' ? 'No permissions' : scopeSummary(contactScopes(contact))}
              </Text>
            </Tooltip>
          </Stack>
        ) : (
          <Text size="sm" c="dimmed">
            No access
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" {...(notifications.length === 0 ? { c: 'dimmed' } : {})}>
          {notifications.length === 0 ? 'None' : notifications.join(', ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <ActionButton
            size="compact-sm"
            variant="default"
            disabledReason={scopeDenial('account:write')}
            onClick={edit}
            aria-label={`Edit ${name}`}
          >
            Edit
          </ActionButton>
          <ActionButton
            size="compact-sm"
            variant="default"
            disabledReason={scopeDenial('account:keys')}
            onClick={editAccess}
            aria-label={`Permissions of ${name}`}
          >
            Permissions
          </ActionButton>
          <ConfirmButton
            size="compact-sm"
            variant="light"
            color="red"
            disabledReason={scopeDenial('account:write')}
            aria-label={`Remove ${name}`}
            question={`Remove ${name}?`}
            consequence={
              contact.subaccount === '1'
                ? `${contact.email} can no longer sign in or receive notifications, and the API keys of this contact are revoked.`
                : `${contact.email} no longer receives notifications.`
            }
            confirmLabel="Remove"
            onConfirm={() => remove.mutateAsync({ id: contact.id })}
          >
            Remove
          </ConfirmButton>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
