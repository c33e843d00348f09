// A customer's data, for a new account or one that is there.
import { PasswordInput, SimpleGrid, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { AccountCreateInput, Methods } from '#sdk/operator.ts';
import { useStaffChange } from '../../data/read.ts';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';

export type Customer = Awaited<ReturnType<Methods['accountGet']>>;

export interface CustomerFormProps {
  /** Left out for a new one. */
  readonly of?: Customer;
  readonly close: () => void;
  readonly onDone: (account: string) => void;
}

export function CustomerForm({ of, close, onDone }: CustomerFormProps): JSX.Element {
  const fields = useFields({
    firstname: of?.firstname ?? '',
    lastname: of?.lastname ?? '',
    company: of?.companyname ?? '',
    email: of?.email ?? '',
    phone: of?.phonenumber ?? '',
    address1: of?.address1 ?? '',
    address2: of?.address2 ?? '',
    postcode: of?.postcode ?? '',
    city: of?.city ?? '',
    state: of?.state ?? '',
    country: of?.country ?? '',
    password: '',
  });
  const create = useStaffChange('accountCreate', { done: 'The customer is there.' });
  const update = useStaffChange('accountUpdate', { done: 'Saved.' });
  const send = async (): Promise<void> => {
    const { company, phone, address2, password, ...required } = fields.values;
    const optional = Object.entries({ company, phone, address2, password });
    if (of === undefined) {
      const given = Object.fromEntries(optional.filter(([, value]) => value !== ''));
      onDone(await create.mutateAsync({ ...required, ...given } as AccountCreateInput));
      return;
    }
    const { password: asked, ...cleared } = Object.fromEntries(optional);
    await update.mutateAsync({ id: of.id, ...required, ...cleared, ...(asked === '' ? {} : { password: asked }) });
    onDone(of.id);
  };
  const { input } = fields;
  return (
    <Form fields={fields} label={of === undefined ? 'Make the account' : 'Save'} send={send} cancel={close}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label="First name" required data-autofocus {...input('firstname')} />
        <TextInput label="Last name" required {...input('lastname')} />
        <TextInput label="Company" {...input('company')} />
        <TextInput label="Email" type="email" required {...input('email')} />
        <TextInput label="Phone" type="tel" {...input('phone')} />
        <TextInput label="Address" required {...input('address1')} />
        <TextInput label="Address, second line" {...input('address2')} />
        <TextInput label="Postcode" required {...input('postcode')} />
        <TextInput label="City" required {...input('city')} />
        <TextInput label="State or province" required {...input('state')} />
        <TextInput label="Country" description="Two letters" required maxLength={2} {...input('country')} />
        <PasswordInput
          label={of === undefined ? 'Password' : 'New password'}
          description={of === undefined ? 'Without one, only keys open it' : 'Left empty, it stays'}
          autoComplete="new-password"
          {...input('password')}
        />
      </SimpleGrid>
    </Form>
  );
}
