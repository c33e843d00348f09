// A staff member's own email address, for notices about their sign-in and for a forgotten password.
import { PasswordInput, Text, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { SignInMethodCard } from '../../customer/security/sign-in-method-card.tsx';
import { useStaffChange } from '../../data/operations.ts';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { t } from '../../text/text.ts';

export function OwnEmail({ email }: { email: string }): JSX.Element {
  return (
    <SignInMethodCard
      title={t('Email')}
      description={t('For notices about your sign-in, and for a link if you forget your password.')}
      action={
        <FormButton
          variant="default"
          title={t('Change email address')}
          form={(close) => <EmailForm email={email} close={close} />}
        />
      }
    >
      <Text size="sm" className="wrap-anywhere">
        {email === '' ? t('Not set') : email}
      </Text>
    </SignInMethodCard>
  );
}

function EmailForm({ email, close }: { email: string; close: () => void }): JSX.Element {
  const fields = useFormFields({ email, password: '' });
  const change = useStaffChange('emailSet', {
    successMessage: t('Email address changed'),
    invalidates: ['sessionGet'],
  });
  return (
    <Form fields={fields} submitLabel={t('Save')} close={close} onSubmit={() => change.mutateAsync(fields.values)}>
      <TextInput label={t('Email')} type="email" autoComplete="email" data-autofocus {...fields.input('email')} />
      <PasswordInput
        label={t('Current password')}
        required
        autoComplete="current-password"
        {...fields.input('password')}
      />
    </Form>
  );
}
