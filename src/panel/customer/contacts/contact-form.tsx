// Who a contact is and where to be reached.
import { PasswordInput, SimpleGrid, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { Contact } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { nameOf } from './contact.ts';

export interface ContactFormProps {
  readonly of?: Contact;
  readonly close: () => void;
}

export function ContactForm({ of, close }: ContactFormProps): JSX.Element {
  const first = {
    firstname: of?.firstname ?? '',
    lastname: of?.lastname ?? '',
    company: of?.companyname ?? '',
    email: of?.email ?? '',
    phone: of?.phonenumber ?? '',
    address1: of?.address1 ?? '',
    address2: of?.address2 ?? '',
    zipcode: of?.postcode ?? '',
    city: of?.city ?? '',
    state: of?.state ?? '',
    country: of?.country ?? '',
    password: '',
  };
  const fields = useFields(first);
  const { values } = fields;
  const add = useChange('contactCreate', { done: `${nameOf(values)} is added.`, changes: ['contactGet'] });
  const change = useChange('contactUpdate', { done: `${nameOf(values)} is changed.`, changes: ['contactGet'] });
  const changed = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== first[name as keyof typeof first]),
  );
  const send = async (): Promise<void> => {
    if (of !== undefined) await change.mutateAsync({ id: of.id, ...changed });
    else await add.mutateAsync(values);
    close();
  };
  const reason = of !== undefined && Object.keys(changed).length === 0 ? 'Nothing is changed yet.' : undefined;
  return (
    <Form fields={fields} label={of === undefined ? 'Add' : 'Save'} cancel={close} send={send} reason={reason}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="First name" required data-autofocus {...fields.input('firstname')} />
        <TextInput label="Last name" required {...fields.input('lastname')} />
        <TextInput label="Email" type="email" required {...fields.input('email')} />
        <TextInput label="Phone" type="tel" {...fields.input('phone')} />
        <TextInput label="Company" {...fields.input('company')} />
        <PasswordInput
          label={of === undefined ? 'Password' : 'New password'}
          description={
            of === undefined ? 'For signing in, once you allow it' : 'Empty: it stays; otherwise sessions end'
          }
          required={of === undefined}
          autoComplete="new-password"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...fields.input('password')}
        />
        <TextInput label="Address" required {...fields.input('address1')} />
        <TextInput label="Address, second line" {...fields.input('address2')} />
        <TextInput label="Postal code" required {...fields.input('zipcode')} />
        <TextInput label="City" required {...fields.input('city')} />
        <TextInput label="State or province" required {...fields.input('state')} />
        <TextInput
          label="Country"
          required
          maxLength={2}
          placeholder="Two letters, such as NL"
          {...fields.input('country')}
        />
      </SimpleGrid>
    </Form>
  );
}
