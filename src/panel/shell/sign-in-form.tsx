// Signs in with email (customers) or name (staff), a passkey or an API key. Used on the sign-in page and in the prompt
// after a session has expired.
import { Alert, Anchor, Button, Divider, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { passkeysUnavailableReason, signInWithPasskey } from '../data/passkeys.ts';
import { acceptSession, customerApi, signInWithKey, staffApi, type Portal } from '../data/session.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { useFormFields } from '../parts/form-fields.ts';
import { Icon } from './icons.tsx';
import { CustomerSignOnButton, StaffSignOnButton } from './sign-on-button.tsx';
import { t } from '../text/text.ts';

export interface SignInFormProps {
  readonly portal: Portal;
  /** Called with the portal of the session: a key may belong to the other one. */
  readonly onDone: (portal: Portal) => void | Promise<void>;
}

type SignInMethod = 'password' | 'key';

export function SignInForm({ portal, onDone }: SignInFormProps): JSX.Element {
  const [method, setMethod] = useState<SignInMethod>('password');
  const fields = useFormFields({ email: '', name: '', password: '', code: '', key: '' });
  const [isPending, setPending] = useState(false);

  const submit = async (authenticate: () => Promise<Portal | void>): Promise<void> => {
    setPending(true);
    try {
      await onDone((await authenticate()) ?? portal);
    } catch (error) {
      fields.showError(error);
    } finally {
      setPending(false);
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit(() =>
          method === 'key' ? signInWithKey(fields.values.key.trim()) : signInWithPassword(portal, fields.values),
        );
      }}
    >
      <Stack>
        <SegmentedControl
          value={method}
          onChange={(next) => setMethod(next as SignInMethod)}
          data={[
            { value: 'password', label: t('Password') },
            { value: 'key', label: t('API key') },
          ]}
          aria-label={t('Sign-in method')}
          fullWidth
        />
        {method === 'key' ? (
          <PasswordInput label={t('API key')} required autoComplete="off" data-autofocus {...fields.input('key')} />
        ) : (
          <>
            {portal === 'customer' ? (
              <TextInput
                label={t('Email')}
                type="email"
                required
                autoComplete="username"
                data-autofocus
                {...fields.input('email')}
              />
            ) : (
              <TextInput label={t('Name')} required autoComplete="username" data-autofocus {...fields.input('name')} />
            )}
            <PasswordInput
              label={t('Password')}
              required
              autoComplete="current-password"
              {...fields.input('password')}
            />
            <TextInput
              label={t('Authentication code (if enabled)')}
              inputMode="numeric"
              autoComplete="one-time-code"
              {...fields.input('code')}
            />
          </>
        )}
        {fields.formError !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {fields.formError}
          </Alert>
        )}
        <Button type="submit" loading={isPending}>
          {t('Sign in')}
        </Button>
        <Anchor href={portal === 'customer' ? '/panel/recover' : '/panel/staff/recover'} size="sm" ta="center">
          {t('Forgot your password?')}
        </Anchor>
        <Divider label={t('or')} />
        <ActionButton
          variant="default"
          leftSection={<Icon name="key" />}
          disabledReason={passkeysUnavailableReason()}
          onClick={() => void submit(() => signInWithPasskey(portal))}
        >
          {t('Sign in with a passkey')}
        </ActionButton>
        {portal === 'customer' ? (
          <CustomerSignOnButton email={fields.values.email} onError={fields.showError} />
        ) : (
          <StaffSignOnButton onError={fields.showError} />
        )}
        <Anchor href="/docs" size="sm" ta="center">
          {t('API reference')}
        </Anchor>
      </Stack>
    </form>
  );
}

interface Credentials {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly code: string;
}

async function signInWithPassword(portal: Portal, { email, name, password, code }: Credentials): Promise<void> {
  // Authenticator apps show it in two groups.
  const typed = code.replaceAll(' ', '');
  const secondFactor = typed === '' ? {} : { code: typed };
  const session =
    portal === 'customer'
      ? await customerApi().sessionCreate({ email, password, ...secondFactor, cookie: true })
      : await staffApi().sessionCreate({ name, password, ...secondFactor, cookie: true });
  await acceptSession(portal, session);
}
