// A staff member's own password and authenticator app.
import { Alert, Card, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange } from '../../data/operations.ts';
import { AuthenticatorSetup } from '../../parts/authenticator-setup.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Icon } from '../../shell/icons.tsx';
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
  const confirm = useStaffChange('totpConfirm', { successMessage: t('Authenticator app enabled') });
  return <AuthenticatorSetup secret={secret} url={url} confirm={(code) => confirm.mutateAsync({ code })} />;
}
