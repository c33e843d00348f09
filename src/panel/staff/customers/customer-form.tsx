// Creates or edits a customer account.
import { PasswordInput, SimpleGrid, Textarea } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { AccountCreateInput } from '#sdk/operator.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange, type StaffResult } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { PersonFields, personValues } from '../../parts/person-fields.tsx';
import { t } from '../../text/text.ts';

export type Customer = StaffResult<'accountGet'>;

export interface CustomerFormProps {
  /** Undefined for a new customer. */
  readonly customer?: Customer;
  readonly close: () => void;
  readonly onDone: (account: string) => void;
}

export function CustomerForm({ customer, close, onDone }: CustomerFormProps): JSX.Element {
  const [initial] = useState({
    ...personValues(customer),
    postcode: customer?.postcode ?? '',
    password: '',
    reason: '',
  });
  const fields = useFormFields(initial);
  const create = useStaffChange('accountCreate', { successMessage: t('Customer created') });
  const update = useStaffChange('accountUpdate', { successMessage: t('Saved') });
  const credentialsDenial = usePermissionDenial()('operator:credentials');
  const canSetSignIn = customer === undefined || credentialsDenial === undefined;
  const { email, password, reason, ...person } = fields.values;
  const newEmail = customer !== undefined && email !== initial.email ? { email } : {};
  const newPassword = password === '' ? {} : { password };
  const isSignInChanged = customer !== undefined && ('email' in newEmail || password !== '');
  const send = async (): Promise<void> => {
    if (customer === undefined) {
      const filled = Object.fromEntries(Object.entries({ ...person, email }).filter(([, value]) => value !== ''));
      onDone(await create.mutateAsync({ ...filled, ...newPassword } as unknown as AccountCreateInput));
      return;
    }
    const signIn = isSignInChanged ? { ...newEmail, ...newPassword, reason } : {};
    // A colleague may have changed the others since the dialog was opened.
    const changed = Object.entries(person).filter(([name, value]) => value !== initial[name as keyof typeof person]);
    const change = { ...Object.fromEntries(changed), ...signIn };
    if (Object.keys(change).length > 0) await update.mutateAsync({ id: customer.id, ...change });
    onDone(customer.id);
  };
  return (
    <Form
      fields={fields}
      submitLabel={customer === undefined ? t('Create customer') : t('Save')}
      onSubmit={send}
      onCancel={close}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <PersonFields fields={fields} postcode="postcode" {...(!canSetSignIn && { emailDenial: credentialsDenial })} />
        {canSetSignIn && (
          <PasswordInput
            label={customer === undefined ? t('Password') : t('New password')}
            description={
              customer === undefined
                ? t('Without a password: API access only. The customer replaces it at the first sign-in.')
                : t('Leave empty to keep the current one. The customer replaces it at the next sign-in.')
            }
            autoComplete="new-password"
            {...fields.input('password')}
          />
        )}
      </SimpleGrid>
      {isSignInChanged && (
        <Textarea
          label={t('Reason for the new sign-in')}
          description={t('The customer sees it with your name')}
          required
          autosize
          maxLength={200}
          {...fields.input('reason')}
        />
      )}
    </Form>
  );
}
