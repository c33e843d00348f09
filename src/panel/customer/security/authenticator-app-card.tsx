// Sets up an authenticator app, and disables it.
import { Text } from '@mantine/core';
import type { JSX } from 'react';
import { useChange } from '../../data/operations.ts';
import { AuthenticatorSetup } from '../../parts/authenticator-setup.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { ProofFields, proofValues, useProof } from './proof-fields.tsx';
import { t } from '../../text/text.ts';
import { SignInMethodCard } from './sign-in-method-card.tsx';

export interface AuthenticatorAppCardProps {
  readonly state: 'None' | 'Waiting' | 'Confirmed';
  readonly reason: string | undefined;
}

export function AuthenticatorAppCard({ state, reason }: AuthenticatorAppCardProps): JSX.Element {
  const isOn = state === 'Confirmed';
  return (
    <SignInMethodCard
      title={t('Authenticator app')}
      description={t(
        'Requires a code from your app in addition to your password, so that a leaked password is not enough to sign in.',
      )}
      state={<StateBadge state={isOn ? 'Enabled' : 'Disabled'} />}
      action={
        isOn ? (
          <FormButton
            variant="default"
            title={t('Disable authenticator app?')}
            disabledReason={reason}
            form={(close) => <DisableForm close={close} />}
          >
            {t('Disable')}
          </FormButton>
        ) : (
          <FormButton
            variant="default"
            title={t('Set up authenticator app')}
            disabledReason={reason}
            form={(close) => <EnrolForm close={close} />}
          >
            {t('Set up')}
          </FormButton>
        )
      }
    />
  );
}

function EnrolForm({ close }: { close: () => void }): JSX.Element {
  const fields = useFormFields(proofValues);
  const proof = useProof(fields);
  const enrol = useChange('totpEnrol', { invalidates: [] });
  if (enrol.data !== undefined) return <SetupForm {...enrol.data} close={close} />;
  return (
    <Form
      fields={fields}
      submitLabel={t('Continue')}
      onCancel={close}
      onSubmit={async () => enrol.mutateAsync(await proof.getProof())}
    >
      <Text size="sm">{t('Confirm your identity first.')}</Text>
      <ProofFields {...proof.props} />
    </Form>
  );
}

function SetupForm({ secret, url, close }: { secret: string; url: string; close: () => void }): JSX.Element {
  const confirm = useChange('totpConfirm', {
    successMessage: t('Authenticator app enabled'),
    invalidates: ['sessionGet'],
  });
  const send = async (code: string): Promise<void> => {
    await confirm.mutateAsync({ code });
    close();
  };
  return <AuthenticatorSetup secret={secret} url={url} confirm={send} onCancel={close} />;
}

function DisableForm({ close }: { close: () => void }): JSX.Element {
  const fields = useFormFields(proofValues);
  const proof = useProof(fields);
  const end = useChange('totpEnd', { successMessage: t('Authenticator app disabled'), invalidates: ['sessionGet'] });
  return (
    <Form
      fields={fields}
      submitLabel={t('Disable')}
      close={close}
      onSubmit={async () => end.mutateAsync(await proof.getProof())}
    >
      <Text size="sm">{t('You will then sign in with your password only. Confirm your identity first.')}</Text>
      <ProofFields {...proof.props} />
    </Form>
  );
}
