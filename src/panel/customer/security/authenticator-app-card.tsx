// Sets up an authenticator app with a QR code or a typed secret, confirmed by the first code. Disabling it needs a code
// or the password.
import { Anchor, Group, Modal, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useChange } from '../../data/operations.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ErrorAlert } from '../../parts/query-result.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { SecretValue } from '../../parts/new-secret.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { QrCode } from './qr-code.tsx';
import { SignInMethodCard } from './sign-in-method-card.tsx';

export interface AuthenticatorAppCardProps {
  readonly state: 'None' | 'Waiting' | 'Confirmed';
  readonly reason: string | undefined;
}

export function AuthenticatorAppCard({ state, reason }: AuthenticatorAppCardProps): JSX.Element {
  const enrol = useChange('totpEnrol', { invalidates: ['sessionGet'] });
  const isOn = state === 'Confirmed';
  return (
    <SignInMethodCard
      title="Authenticator app"
      description="Requires a code from your app in addition to your password, so that a leaked password is not enough to sign in."
      state={<StateBadge state={isOn ? 'Enabled' : 'Disabled'} />}
      action={
        isOn ? (
          <FormButton
            variant="default"
            title="Disable authenticator app?"
            disabledReason={reason}
            form={(close) => <DisableForm close={close} />}
          >
            Disable
          </FormButton>
        ) : (
          <ActionButton
            variant="default"
            disabledReason={reason}
            loading={enrol.isPending}
            onClick={() => enrol.mutate({})}
          >
            Set up
          </ActionButton>
        )
      }
    >
      {enrol.isError && <ErrorAlert error={enrol.error} />}
      <Modal
        opened={enrol.data !== undefined && !isOn}
        onClose={enrol.reset}
        title="Set up authenticator app"
        closeOnClickOutside={false}
      >
        {enrol.data !== undefined && <SetupForm {...enrol.data} close={enrol.reset} />}
      </Modal>
    </SignInMethodCard>
  );
}

function SetupForm({ secret, url, close }: { secret: string; url: string; close: () => void }): JSX.Element {
  const fields = useFormFields({ code: '' });
  const confirm = useChange('totpConfirm', {
    successMessage: 'Authenticator app enabled',
    invalidates: ['sessionGet'],
  });
  const send = async (): Promise<void> => {
    await confirm.mutateAsync({ code: fields.values.code.replaceAll(' ', '') });
    close();
  };
  return (
    <Form fields={fields} submitLabel="Confirm" onCancel={close} onSubmit={send}>
      <Text size="sm">
        Scan this QR code with your authenticator app, or <Anchor href={url}>open it in an app on this device</Anchor>.
      </Text>
      <Group justify="center">
        <QrCode text={url} label="QR code for your authenticator app" />
      </Group>
      <SecretValue label="Or enter this key manually" secret={secret} />
      <TextInput
        label="Code"
        description="The six-digit code shown in the app"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        {...fields.input('code')}
      />
    </Form>
  );
}

function DisableForm({ close }: { close: () => void }): JSX.Element {
  const [proof, setProof] = useState<'code' | 'password'>('code');
  const fields = useFormFields({ code: '', password: '' });
  const end = useChange('totpEnd', { successMessage: 'Authenticator app disabled', invalidates: ['sessionGet'] });
  const send = async (): Promise<void> => {
    await end.mutateAsync({ [proof]: fields.values[proof] });
    close();
  };
  return (
    <Form fields={fields} submitLabel="Disable" onCancel={close} onSubmit={send}>
      <Stack gap="xs">
        <Text size="sm">You will then sign in with your password only. Confirm your identity first.</Text>
        <SegmentedControl
          value={proof}
          onChange={setProof}
          data={[
            { value: 'code', label: 'Use a code' },
            { value: 'password', label: 'Use the password' },
          ]}
          aria-label="Confirmation method"
        />
      </Stack>
      {proof === 'code' ? (
        <TextInput
          label="Code"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
          {...fields.input('code')}
        />
      ) : (
        <PasswordInput label="Password" required autoComplete="current-password" {...fields.input('password')} />
      )}
    </Form>
  );
}
