// Signs in with email or passkey (customers), name (staff) or an API key. Used on the sign-in page and in the prompt
// after a session has expired.
import { Alert, Anchor, Button, Divider, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { passkeysUnavailableReason, signInWithPasskey } from '../data/passkeys.ts';
import { acceptSession, customerApi, signInWithKey, staffApi, type Portal } from '../data/session.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { useFormFields } from '../parts/form-fields.ts';
import { Icon } from './icons.tsx';
import { CustomerSignOnButton, StaffSignOnButton } from './sign-on-button.tsx';

export interface SignInFormProps {
  readonly portal: Portal;
  /** Called with the portal of the session: a key may belong to the other one. */
  readonly onDone: (portal: Portal) => void;
}

type SignInMethod = 'password' | 'key';

export function SignInForm({ portal, onDone }: SignInFormProps): JSX.Element {
  const [method, setMethod] = useState<SignInMethod>('password');
  const fields = useFormFields({ email: '', name: '', password: '', code: '', key: '' });
  const [isPending, setPending] = useState(false);

  const submit = async (authenticate: () => Promise<Portal | void>): Promise<void> => {
    setPending(true);
    try {
      onDone((await authenticate()) ?? portal);
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
            { value: 'password', label: 'Password' },
            { value: 'key', label: 'API key' },
          ]}
          aria-label="Sign-in method"
          fullWidth
        />
        {method === 'key' ? (
          <PasswordInput label="API key" required autoComplete="off" data-autofocus {...fields.input('key')} />
        ) : (
          <>
            {portal === 'customer' ? (
              <TextInput
                label="Email"
                type="email"
                required
                autoComplete="username"
                data-autofocus
                {...fields.input('email')}
              />
            ) : (
              <TextInput label="Name" required autoComplete="username" data-autofocus {...fields.input('name')} />
            )}
            <PasswordInput label="Password" required autoComplete="current-password" {...fields.input('password')} />
            <TextInput
              label="Authentication code (if enabled)"
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
          Sign in
        </Button>
        {portal === 'customer' && (
          <>
            <Anchor href="/panel/recover" size="sm" ta="center">
              Forgot your password?
            </Anchor>
            <Divider label="or" />
            <ActionButton
              variant="default"
              leftSection={<Icon name="key" />}
              disabledReason={passkeysUnavailableReason()}
              onClick={() => void submit(signInWithPasskey)}
            >
              Sign in with a passkey
            </ActionButton>
            <CustomerSignOnButton email={fields.values.email} onError={fields.showError} />
          </>
        )}
        {portal === 'staff' && <StaffSignOnButton onError={fields.showError} />}
        <Anchor href="/docs" size="sm" ta="center">
          API reference
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
  const secondFactor = code === '' ? {} : { code };
  const session =
    portal === 'customer'
      ? await customerApi().sessionCreate({ email, password, ...secondFactor, cookie: true })
      : await staffApi().sessionCreate({ name, password, ...secondFactor, cookie: true });
  await acceptSession(portal, session);
}
