// Sets up an authenticator app with a QR code or a typed secret. The first code confirms it.
import { Anchor, Group, Text, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { rich } from '../text/rich.ts';
import { t } from '../text/text.ts';
import { useFormFields } from './form-fields.ts';
import { Form } from './form.tsx';
import { SecretValue } from './new-secret.tsx';
import { QrCode } from './qr-code.tsx';

export interface AuthenticatorSetupProps {
  readonly secret: string;
  readonly url: string;
  readonly confirm: (code: string) => Promise<unknown>;
  readonly onCancel?: () => void;
}

export function AuthenticatorSetup({ secret, url, confirm, ...cancel }: AuthenticatorSetupProps): JSX.Element {
  const fields = useFormFields({ code: '' });
  return (
    <Form
      fields={fields}
      submitLabel={t('Confirm')}
      onSubmit={() => confirm(fields.values.code.replaceAll(' ', ''))}
      {...cancel}
    >
      <Text size="sm">
        {rich('Scan this QR code with your authenticator app, or <link>open it in an app on this device</link>.', {
          link: (text) => <Anchor href={url}>{text}</Anchor>,
        })}
      </Text>
      <Group justify="center">
        <QrCode text={url} label={t('QR code for your authenticator app')} />
      </Group>
      <SecretValue label={t('Or enter this key manually')} secret={secret} />
      <TextInput
        label={t('Authentication code')}
        description={t('The six-digit code shown in the app')}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        {...fields.input('code')}
      />
    </Form>
  );
}
