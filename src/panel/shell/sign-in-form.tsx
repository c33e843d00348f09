// Signing in: a customer by email or passkey, a member of the staff by name, anybody by an API key. The same form stands on its
// own page and over the page of whoever's session has ended.
import { Alert, Anchor, Button, Divider, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { HostyardError } from '#sdk/v2.ts';
import { passkeysReason, signInWithPasskey } from '../data/passkeys.ts';
import { customer, holderOf, signIn, staff, type Face } from '../data/session.ts';
import { Act } from '../parts/act.tsx';
import { useFields } from '../parts/fields.ts';
import { Icon } from './icons.tsx';

export interface SignInFormProps {
  readonly face: Face;
  readonly onDone: () => void;
}

type Way = 'password' | 'key';

export function SignInForm({ face, onDone }: SignInFormProps): JSX.Element {
  const [way, setWay] = useState<Way>('password');
  const fields = useFields({ email: '', name: '', password: '', code: '', key: '' });
  const [isBusy, setBusy] = useState(false);

  const enter = async (how: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await how();
      onDone();
    } catch (error) {
      fields.refuse(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void enter(() => (way === 'key' ? withKey(face, fields.values.key.trim()) : withPassword(face, fields.values)));
      }}
    >
      <Stack>
        <SegmentedControl
          value={way}
          onChange={(next) => setWay(next as Way)}
          data={[
            { value: 'password', label: 'Password' },
            { value: 'key', label: 'API key' },
          ]}
          aria-label="How to sign in"
          fullWidth
        />
        {way === 'key' ? (
          <PasswordInput label="API key" required autoComplete="off" data-autofocus {...fields.input('key')} />
        ) : (
          <>
            {face === 'customer' ? (
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
              label="Code"
              description="Of your authenticator app, where you use one"
              inputMode="numeric"
              autoComplete="one-time-code"
              {...fields.input('code')}
            />
          </>
        )}
        {fields.refusal !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {fields.refusal}
          </Alert>
        )}
        <Button type="submit" loading={isBusy}>
          Sign in
        </Button>
        {face === 'customer' && (
          <>
            <Divider label="or" />
            <Act
              variant="default"
              leftSection={<Icon name="key" />}
              reason={passkeysReason()}
              onClick={() => void enter(signInWithPasskey)}
            >
              Sign in with a passkey
            </Act>
          </>
        )}
        <Anchor href="/docs" size="sm" ta="center">
          API reference
        </Anchor>
      </Stack>
    </form>
  );
}

interface Typed {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly code: string;
}

async function withPassword(face: Face, { email, name, password, code }: Typed): Promise<void> {
  const spent = code === '' ? {} : { code };
  const { key } =
    face === 'customer'
      ? await customer().sessionCreate({ email, password, ...spent })
      : await staff().sessionCreate({ name, password, ...spent });
  signIn({ face, key }, 'browser');
}

/** A key is tried before it is kept. One of staff opens the staff's pages whichever page it was pasted into. */
async function withKey(face: Face, key: string): Promise<void> {
  try {
    await holderOf({ face, key });
    signIn({ face, key }, 'tab');
  } catch (error) {
    if (!(error instanceof HostyardError) || error.status !== 403) throw error;
    signIn({ face: face === 'customer' ? 'staff' : 'customer', key }, 'tab');
  }
}
