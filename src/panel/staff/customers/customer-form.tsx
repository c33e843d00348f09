// Creates or edits a customer account.
import { PasswordInput, SimpleGrid } from '@mantine/core';
import type { JSX } from 'react';
import type { AccountCreateInput, Methods } from '#sdk/operator.ts';
import { useStaffChange } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { PersonFields, personValues } from '../../parts/person-fields.tsx';

export type Customer = Awaited<ReturnType<Methods['accountGet']>>;

export interface CustomerFormProps {
  /** Undefined for a new customer. */
  readonly customer?: Customer;
  readonly close: () => void;
  readonly onDone: (account: string) => void;
}

export function CustomerForm({ customer, close, onDone }: CustomerFormProps): JSX.Element {
  const fields = useFormFields({ ...personValues(customer), postcode: customer?.postcode ?? '', password: '' });
  const create = useStaffChange('accountCreate', { successMessage: 'Customer created' });
  const update = useStaffChange('accountUpdate', { successMessage: 'Saved' });
  const send = async (): Promise<void> => {
    const { company, phone, address2, password, ...required } = fields.values;
    const optional = Object.entries({ company, phone, address2, password });
    if (customer === undefined) {
      const filled = Object.fromEntries(optional.filter(([, value]) => value !== ''));
      onDone(await create.mutateAsync({ ...required, ...filled } as AccountCreateInput));
      return;
    }
    const { password: newPassword, ...cleared } = Object.fromEntries(optional);
    await update.mutateAsync({
      id: customer.id,
      ...required,
      ...cleared,
      ...(newPassword === '' ? {} : { password: newPassword }),
    });
    onDone(customer.id);
  };
  return (
    <Form
      fields={fields}
      submitLabel={customer === undefined ? 'Create customer' : 'Save'}
      onSubmit={send}
      onCancel={close}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <PersonFields fields={fields} postcode="postcode" />
        <PasswordInput
          label={customer === undefined ? 'Password' : 'New password'}
          description={
            customer === undefined ? 'Without a password: API access only' : 'Leave empty to keep the current one'
          }
          autoComplete="new-password"
          {...fields.input('password')}
        />
      </SimpleGrid>
    </Form>
  );
}
