// Invites a contact, who chooses a password with the link in a message.
import { SimpleGrid, Text, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { Scope } from '#contract/scopes.ts';
import type { Contact } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { ScopePicker } from '../../parts/scope-picker.tsx';
import { ServerPicker } from '../../parts/server-picker.tsx';
import { contactScopes, contactServers } from './contact.ts';
import { t } from '../../text/text.ts';

export interface InviteFormProps {
  /** A new one if omitted. */
  readonly contact?: Contact;
  readonly close: () => void;
}

export function InviteForm({ contact, close }: InviteFormProps): JSX.Element {
  const fields = useFormFields({
    firstname: contact?.firstname ?? '',
    lastname: contact?.lastname ?? '',
    email: contact?.email ?? '',
    permissions: (contact === undefined ? [] : contactScopes(contact)) as readonly Scope[],
    services: (contact === undefined ? [] : contactServers(contact)) as readonly string[],
  });
  const { permissions, services, ...person } = fields.values;
  const invite = useChange('invitationCreate', {
    successMessage: t('Invitation sent to {email}', { email: person.email }),
    invalidates: ['contactGet', 'invitationGet'],
  });
  return (
    <Form
      fields={fields}
      submitLabel={t('Send invitation')}
      close={close}
      onSubmit={() =>
        invite.mutateAsync({
          ...(contact === undefined ? person : { contact: contact.id }),
          permissions: [...permissions],
          services: [...services],
        })
      }
    >
      <Text size="sm">
        {t(
          'We send a link for choosing a password. The link works for seven days. Only the contact learns the password.',
        )}
      </Text>
      {contact === undefined && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t('First name')} required data-autofocus {...fields.input('firstname')} />
          <TextInput label={t('Last name')} required {...fields.input('lastname')} />
          <TextInput label={t('Email')} type="email" required {...fields.input('email')} />
        </SimpleGrid>
      )}
      <ServerPicker
        description={t('This person sees only these servers, in the panel and in the API.')}
        value={services}
        error={fields.errorOf('services')}
        onChange={(chosen) => fields.set({ services: chosen })}
      />
      <ScopePicker
        value={permissions}
        error={fields.errorOf('permissions')}
        onChange={(chosen) => fields.set({ permissions: chosen })}
      />
    </Form>
  );
}
