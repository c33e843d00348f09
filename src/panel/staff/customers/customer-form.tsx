// A customer's data, for a new account or one that is there.
import { PasswordInput, SimpleGrid } from '@mantine/core';
import type { JSX } from 'react';
import type { AccountCreateInput, Methods } from '#sdk/operator.ts';
import { useStaffChange } from '../../data/read.ts';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { PersonFields, personOf } from '../../parts/person-fields.tsx';

export type Customer = Awaited<ReturnType<Methods['accountGet']>>;

export interface CustomerFormProps {
  /** Left out for a new one. */
  readonly of?: Customer;
  readonly close: () => void;
  readonly onDone: (account: string) => void;
}

export function CustomerForm({ of, close, onDone }: CustomerFormProps): JSX.Element {
  const fields = useFields({ ...personOf(of), postcode: of?.postcode ?? '', password: '' });
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
  return (
    <Form fields={fields} label={of === undefined ? 'Make the account' : 'Save'} send={send} cancel={close}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <PersonFields fields={fields} postcode="postcode" />
        <PasswordInput
          label={of === undefined ? 'Password' : 'New password'}
          description={of === undefined ? 'Without one, only keys open it' : 'Left empty, it stays'}
          autoComplete="new-password"
          {...fields.input('password')}
        />
      </SimpleGrid>
    </Form>
  );
}
