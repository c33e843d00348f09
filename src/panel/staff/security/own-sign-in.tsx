// A staff member's own password and authenticator app.
import { Alert, Anchor, Card, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { QrCode } from '../../parts/qr-code.tsx';
import { Form } from '../../parts/form.tsx';
import { SecretValue } from '../../parts/new-secret.tsx';
import { Icon } from '../../shell/icons.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';

export function OwnPassword(): JSX.Element {
  const fields = useFormFields({ password: '', newpassword: '' });
  const change = useStaffChange('passwordSet', {
    successMessage: t('Password changed. Other sessions have been signed out.'),
  });
  return (
    <Card component="section" aria-labelledby="password">
      <Title order={2} size="h4" id="password" mb="sm">
        {t('Password')}
      </Title>
      <Form
        fields={fields}
        submitLabel={t('Change password')}
        onSubmit={async () => {
          await change.mutateAsync(fields.values);
          fields.reset();
        }}
      >
        <PasswordInput
          label={t('Current password')}
          required
          autoComplete="current-password"
          {...fields.input('password')}
        />
        <PasswordInput
          label={t('New password')}
          description={t('At least 12 characters, and not a common password')}
          required
          autoComplete="new-password"
          {...fields.input('newpassword')}
        />
      </Form>
    </Card>
  );
}

interface SecondFactorProps {
  readonly isConfirmed: boolean;
  /** Nothing else is allowed until there is a second factor. */
  readonly isRequired: boolean;
}

export function SecondFactor({ isConfirmed, isRequired }: SecondFactorProps): JSX.Element {
  const fields = useFormFields({ password: '' });
  const enrol = useStaffChange('totpEnrol', { invalidates: [] });
  return (
    <Card component="section" aria-labelledby="factor">
      <Title order={2} size="h4" id="factor" mb="sm">
        {t('Authenticator app')}
      </Title>
      {isConfirmed ? (
        <Group gap="sm" wrap="nowrap">
          <Icon name="check" />
          <Text size="sm">{t('Authenticator app enabled. Lost your device? Ask an owner to reset 2FA.')}</Text>
        </Group>
      ) : (
        <Stack>
          {isRequired && (
            <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
              {t('Set up an authenticator app or a passkey to get access to the panel.')}
            </Alert>
          )}
          {enrol.data === undefined ? (
            <Form
              fields={fields}
              submitLabel={t('Set up authenticator app')}
              onSubmit={() => enrol.mutateAsync(fields.values)}
            >
              <PasswordInput
                label={t('Your password')}
                required
                autoComplete="current-password"
                {...fields.input('password')}
              />
            </Form>
          ) : (
            <Confirm secret={enrol.data.secret} url={enrol.data.url} />
          )}
        </Stack>
      )}
    </Card>
  );
}

function Confirm({ secret, url }: { secret: string; url: string }): JSX.Element {
  const fields = useFormFields({ code: '' });
  const confirm = useStaffChange('totpConfirm', { successMessage: t('Authenticator app enabled') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Confirm')}
      onSubmit={() => confirm.mutateAsync({ code: fields.values.code.trim() })}
    >
      <Text size="sm">
        {rich(
          'Scan this QR code with your authenticator app, or <link>open it in an app on this device</link>. Then enter the code that the app shows.',
          { link: (text) => <Anchor href={url}>{text}</Anchor> },
        )}
      </Text>
      <Group justify="center">
        <QrCode text={url} label={t('QR code for your authenticator app')} />
      </Group>
      <SecretValue label={t('Or enter this key manually')} secret={secret} />
      <TextInput
        label={t('Authentication code')}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        {...fields.input('code')}
      />
    </Form>
  );
}
