// Invites a contact, who chooses a password with the link in a message.
import { SimpleGrid, Text, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { Scope } from '#contract/scopes.ts';
import type { Contact } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { ScopePicker } from '../../parts/scope-picker.tsx';
import { contactScopes } from './contact.ts';

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
  });
  const { permissions, ...person } = fields.values;
  const invite = useChange('invitationCreate', {
    successMessage: `Invitation sent to ${person.email}`,
    invalidates: ['contactGet', 'invitationGet'],
  });
  const send = async (): Promise<void> => {
    await invite.mutateAsync({
      ...(contact === undefined ? person : { contact: contact.id }),
      permissions: [...permissions],
    });
    close();
  };
  return (
    <Form fields={fields} submitLabel="Send invitation" onCancel={close} onSubmit={send}>
      <Text size="sm">
        We send a link that works for seven days. The contact chooses a password with it, which nobody else gets to
        know.
      </Text>
      {contact === undefined && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="First name" required data-autofocus {...fields.input('firstname')} />
          <TextInput label="Last name" required {...fields.input('lastname')} />
          <TextInput label="Email" type="email" required {...fields.input('email')} />
        </SimpleGrid>
      )}
      <ScopePicker
        label="Permissions"
        value={permissions}
        error={fields.errorOf('permissions')}
        onChange={(chosen) => fields.set({ permissions: chosen })}
      />
    </Form>
  );
}
