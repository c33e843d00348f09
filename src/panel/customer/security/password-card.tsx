// Changes the user's own password.
import { PasswordInput } from '@mantine/core';
import type { JSX } from 'react';
import { useChange } from '../../data/operations.ts';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { t } from '../../text/text.ts';
import { SignInMethodCard } from './sign-in-method-card.tsx';

export interface PasswordCardProps {
  readonly email: string;
  readonly reason: string | undefined;
}

export function PasswordCard({ email, reason }: PasswordCardProps): JSX.Element {
  return (
    <SignInMethodCard
      title={t('Password')}
      description={t('Changing it signs you out everywhere else.')}
      action={
        <FormButton
          variant="default"
          title={t('Change password')}
          disabledReason={reason}
          form={(close) => <PasswordForm email={email} close={close} />}
        />
      }
    />
  );
}

export interface PasswordFormProps {
  readonly email: string;
  /** Undefined if there is no way around it. */
  readonly close?: () => void;
}

export function PasswordForm({ email, close }: PasswordFormProps): JSX.Element {
  const fields = useFormFields({ password: '', newpassword: '', repeated: '' });
  const { password, newpassword, repeated } = fields.values;
  const change = useChange('passwordSet', { successMessage: t('Password changed'), invalidates: ['sessionGet'] });
  const isDifferent = repeated !== '' && repeated !== newpassword;
  return (
    <Form
      fields={fields}
      submitLabel={t('Change password')}
      close={close}
      onSubmit={() => change.mutateAsync({ password, newpassword })}
      disabledReason={repeated === newpassword ? undefined : t('The new passwords do not match.')}
    >
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label={t('Current password')}
        required
        autoComplete="current-password"
        data-autofocus
        {...fields.input('password')}
      />
      <PasswordInput
        label={t('New password')}
        description={t('At least 10 characters, and not a common password')}
        required
        autoComplete="new-password"
        {...fields.input('newpassword')}
      />
      <PasswordInput
        label={t('Repeat new password')}
        required
        autoComplete="new-password"
        {...fields.input('repeated')}
        error={isDifferent ? t('Passwords do not match') : undefined}
      />
    </Form>
  );
}
