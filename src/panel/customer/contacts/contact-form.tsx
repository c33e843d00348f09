// Who a contact is and where to be reached.
import { PasswordInput, SimpleGrid } from '@mantine/core';
import type { JSX } from 'react';
import type { Contact } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { PersonFields, personOf } from '../../parts/person-fields.tsx';
import { nameOf } from './contact.ts';

export interface ContactFormProps {
  readonly of?: Contact;
  readonly close: () => void;
}

export function ContactForm({ of, close }: ContactFormProps): JSX.Element {
  const first = { ...personOf(of), zipcode: of?.postcode ?? '', password: '' };
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
        <PersonFields fields={fields} postcode="zipcode" />
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
      </SimpleGrid>
    </Form>
  );
}
