// Name, address and password of a contact.
import { PasswordInput, SimpleGrid } from '@mantine/core';
import type { JSX } from 'react';
import type { Contact } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { PersonFields, personValues } from '../../parts/person-fields.tsx';
import { contactName } from './contact.ts';
import { t } from '../../text/text.ts';

export interface ContactFormProps {
  readonly contact?: Contact;
  readonly close: () => void;
}

export function ContactForm({ contact, close }: ContactFormProps): JSX.Element {
  const initial = { ...personValues(contact), zipcode: contact?.postcode ?? '', password: '' };
  const fields = useFormFields(initial);
  const { values } = fields;
  const add = useChange('contactCreate', {
    successMessage: t('{name} added', { name: contactName(values) }),
    invalidates: ['contactGet'],
  });
  const change = useChange('contactUpdate', {
    successMessage: t('{name} updated', { name: contactName(values) }),
    invalidates: ['contactGet'],
  });
  const changes = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== initial[name as keyof typeof initial]),
  );
  const send = async (): Promise<void> => {
    if (contact !== undefined) await change.mutateAsync({ id: contact.id, ...changes });
    else await add.mutateAsync(values);
  };
  const reason = contact !== undefined && Object.keys(changes).length === 0 ? t('No changes to save.') : undefined;
  return (
    <Form
      fields={fields}
      submitLabel={contact === undefined ? t('Add') : t('Save')}
      close={close}
      onSubmit={send}
      disabledReason={reason}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PersonFields fields={fields} postcode="zipcode" />
        <PasswordInput
          label={contact === undefined ? t('Password') : t('New password')}
          description={
            contact === undefined
              ? t('At least 10 characters. Used once the contact can sign in.')
              : t('Leave empty to keep the current one. A new password signs the contact out everywhere.')
          }
          required={contact === undefined}
          autoComplete="new-password"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...fields.input('password')}
        />
      </SimpleGrid>
    </Form>
  );
}
