// A staff member's own password and second factor.
import { Alert, Anchor, Card, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { QrCode } from '../../parts/qr-code.tsx';
import { Form } from '../../parts/form.tsx';
import { SecretValue } from '../../parts/new-secret.tsx';
import { Icon } from '../../shell/icons.tsx';

export function OwnPassword(): JSX.Element {
  const fields = useFormFields({ password: '', newpassword: '' });
  const change = useStaffChange('passwordSet', {
    successMessage: 'Password changed. Other sessions have been signed out.',
  });
  return (
    <Card component="section" aria-labelledby="password">
      <Title order={2} size="h4" id="password" mb="sm">
        Password
      </Title>
      <Form
        fields={fields}
        submitLabel="Change password"
        onSubmit={async () => {
          await change.mutateAsync(fields.values);
          fields.reset();
        }}
      >
        <PasswordInput
          label="Current password"
          required
          autoComplete="current-password"
          {...fields.input('password')}
        />
        <PasswordInput
          label="New password"
          description="At least 12 characters, and not a common password"
          required
          autoComplete="new-password"
          {...fields.input('newpassword')}
        />
      </Form>
    </Card>
  );
}

export function SecondFactor({ isMissing }: { isMissing: boolean }): JSX.Element {
  const fields = useFormFields({ password: '' });
  const enrol = useStaffChange('totpEnrol', { invalidates: [] });
  return (
    <Card component="section" aria-labelledby="factor">
      <Title order={2} size="h4" id="factor" mb="sm">
        Second factor
      </Title>
      {isMissing ? (
        <Stack>
          <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
            Set up an authenticator app to get access to the panel.
          </Alert>
          {enrol.data === undefined ? (
            <Form
              fields={fields}
              submitLabel="Set up authenticator app"
              onSubmit={() => enrol.mutateAsync(fields.values)}
            >
              <PasswordInput
                label="Your password"
                required
                autoComplete="current-password"
                {...fields.input('password')}
              />
            </Form>
          ) : (
            <Confirm secret={enrol.data.secret} url={enrol.data.url} />
          )}
        </Stack>
      ) : (
        <Group gap="sm" wrap="nowrap">
          <Icon name="check" />
          <Text size="sm">Authenticator app enabled. Lost your device? Ask an owner to reset 2FA.</Text>
        </Group>
      )}
    </Card>
  );
}

function Confirm({ secret, url }: { secret: string; url: string }): JSX.Element {
  const fields = useFormFields({ code: '' });
  const confirm = useStaffChange('totpConfirm', { successMessage: 'Authenticator app enabled' });
  return (
    <Form
      fields={fields}
      submitLabel="Confirm"
      onSubmit={() => confirm.mutateAsync({ code: fields.values.code.trim() })}
    >
      <Text size="sm">
        Scan this QR code with your authenticator app, or <Anchor href={url}>open it in an app on this device</Anchor>.
        Then enter the code that the app shows.
      </Text>
      <Group justify="center">
        <QrCode text={url} label="QR code for your authenticator app" />
      </Group>
      <SecretValue label="Or enter this key manually" secret={secret} />
      <TextInput
        label="Authentication code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        {...fields.input('code')}
      />
    </Form>
  );
}
