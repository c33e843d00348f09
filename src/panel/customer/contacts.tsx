// Contacts: people of the account, what is mailed to them, and, where they may sign in, what they may do.
import { Card, Group, Modal, Stack, Table, Text, Tooltip } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Contact } from '#sdk/v2.ts';
import { useChange, useRead } from '../data/read.ts';
import { useRefusal } from '../data/who.ts';
import { Act, AskFirst } from '../parts/act.tsx';
import { Answer, Empty } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { ContactForm } from './contacts/contact-form.tsx';
import { mailsOf, nameOf, permissionsOf } from './contacts/contact.ts';
import { SettingsForm } from './contacts/settings-form.tsx';
import { grantText } from './keys/grant-text.ts';

type Doing = { readonly what: 'add' } | { readonly what: 'edit' | 'permit'; readonly of: Contact };

export function ContactsPage(): JSX.Element {
  const contacts = useRead('contactGet', {});
  const refusal = useRefusal();
  const [doing, setDoing] = useState<Doing>();
  const close = (): void => setDoing(undefined);
  return (
    <Page
      title="Contacts"
      about="Whom we write to, and who may sign in to this account."
      actions={
        <Act
          leftSection={<Icon name="plus" size={16} />}
          reason={refusal('account:write')}
          onClick={() => setDoing({ what: 'add' })}
        >
          Add a contact
        </Act>
      }
    >
      <Answer of={contacts}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <Empty icon="people" title="No contacts yet">
                Add the people who should get your invoices, or who look after your servers with you.
              </Empty>
            </Card>
          ) : (
            <TableCard
              label="Contacts"
              columns={['Name', 'Email', 'Signs in', 'Mails', { label: 'Actions', width: 1 }]}
              minWidth={880}
            >
              {all.map((contact) => (
                <Row
                  key={contact.id}
                  of={contact}
                  edit={() => setDoing({ what: 'edit', of: contact })}
                  permit={() => setDoing({ what: 'permit', of: contact })}
                />
              ))}
            </TableCard>
          )
        }
      </Answer>
      <Modal
        opened={doing !== undefined}
        onClose={close}
        title={doing === undefined ? '' : titleOf(doing)}
        size="xl"
        closeOnClickOutside={false}
      >
        {doing?.what === 'add' && <ContactForm close={close} />}
        {doing?.what === 'edit' && <ContactForm of={doing.of} close={close} />}
        {doing?.what === 'permit' && <SettingsForm of={doing.of} close={close} />}
      </Modal>
    </Page>
  );
}

function titleOf(doing: Doing): string {
  if (doing.what === 'add') return 'New contact';
  return doing.what === 'edit' ? nameOf(doing.of) : `What ${nameOf(doing.of)} gets and may do`;
}

interface RowProps {
  readonly of: Contact;
  readonly edit: () => void;
  readonly permit: () => void;
}

function Row({ of: contact, edit, permit }: RowProps): JSX.Element {
  const refusal = useRefusal();
  const name = nameOf(contact);
  const remove = useChange('contactDelete', { done: `${name} is removed.`, changes: ['contactGet', 'keyGet'] });
  const mails = mailsOf(contact);
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
            <Tooltip label={contact.permissions.replaceAll(',', ', ')} disabled={contact.permissions === ''}>
              <Text size="xs" c="dimmed">
                {contact.permissions === '' ? 'No permissions' : grantText(permissionsOf(contact))}
              </Text>
            </Tooltip>
          </Stack>
        ) : (
          <Text size="sm" c="dimmed">
            No
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" {...(mails.length === 0 ? { c: 'dimmed' } : {})}>
          {mails.length === 0 ? 'None' : mails.join(', ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <Act
            size="compact-sm"
            variant="default"
            reason={refusal('account:write')}
            onClick={edit}
            aria-label={`Change ${name}`}
          >
            Change
          </Act>
          <Act
            size="compact-sm"
            variant="default"
            reason={refusal('account:keys')}
            onClick={permit}
            aria-label={`Permissions of ${name}`}
          >
            Permissions
          </Act>
          <AskFirst
            size="compact-sm"
            variant="light"
            color="red"
            reason={refusal('account:write')}
            aria-label={`Remove ${name}`}
            question={`Remove ${name}?`}
            consequence={
              contact.subaccount === '1'
                ? `${contact.email} can no longer sign in, and the keys of this person end. Nothing is mailed there any more.`
                : `Nothing is mailed to ${contact.email} any more.`
            }
            yes="Remove"
            act={() => remove.mutateAsync({ id: contact.id })}
          >
            Remove
          </AskFirst>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
