// The pages that links in messages lead to: a new password for someone who forgot theirs, and the first password of an
// invited contact. The token of the link is in the fragment, which is removed from the address at once.
import { Alert, Anchor, PasswordInput, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, useSyncExternalStore, type JSX } from 'react';
import { customerApi } from '../data/session.ts';
import { useFormFields } from '../parts/form-fields.ts';
import { Form } from '../parts/form.tsx';
import { EntryPage } from './entry-page.tsx';

let token = takeToken();

function takeToken(): string {
  const { hash, pathname } = location;
  if (hash !== '') history.replaceState(history.state, '', pathname);
  return hash.slice(1);
}

/** Returns the token of the link that was opened last, or an empty text. */
function useLinkToken(): string {
  return useSyncExternalStore(
    (listener) => {
      const onChange = (): void => {
        if (location.hash === '') return;
        token = takeToken();
        listener();
      };
      addEventListener('hashchange', onChange);
      return () => removeEventListener('hashchange', onChange);
    },
    () => token,
  );
}

const signInLink = (
  <Text size="sm" ta="center" c="dimmed">
    <Link to="/sign-in">Back to sign-in</Link>
  </Text>
);

export function RecoverPage(): JSX.Element {
  const linkToken = useLinkToken();
  if (linkToken === '') return <RequestPage />;
  return (
    <PasswordPage
      title="Choose a new password"
      description="This signs you out everywhere else. If you use a second factor, you still need it to sign in."
      submitLabel="Set password"
      doneMessage="Your password was changed. You can sign in with it now."
      submit={(newpassword) => customerApi().recoveryComplete({ token: linkToken, newpassword })}
      retry={<Anchor href="/panel/recover">Ask for a new link</Anchor>}
    />
  );
}

export function InvitationPage(): JSX.Element {
  const linkToken = useLinkToken();
  return (
    <PasswordPage
      title="Accept the invitation"
      description="Choose a password. You sign in with it and with the email address that the invitation was sent to."
      submitLabel="Accept"
      doneMessage="The invitation is accepted. You can sign in with your password now."
      submit={(newpassword) => customerApi().invitationAccept({ token: linkToken, newpassword })}
    />
  );
}

function RequestPage(): JSX.Element {
  const fields = useFormFields({ email: '' });
  const [isSent, setSent] = useState(false);
  return (
    <EntryPage title="Forgot your password?" footer={signInLink}>
      {isSent ? (
        <Alert color="teal" variant="light" role="status">
          If somebody signs in with this address, we have sent a link to it. The link works once, for 30 minutes.
        </Alert>
      ) : (
        <Form
          fields={fields}
          submitLabel="Send link"
          onSubmit={async () => {
            await customerApi().recoveryRequest(fields.values);
            setSent(true);
          }}
        >
          <Text size="sm">We send you a link with which you can choose a new password.</Text>
          <TextInput
            label="Email"
            type="email"
            required
            autoComplete="username"
            data-autofocus
            {...fields.input('email')}
          />
        </Form>
      )}
    </EntryPage>
  );
}

interface PasswordPageProps {
  readonly title: string;
  readonly description: string;
  readonly submitLabel: string;
  readonly doneMessage: string;
  readonly submit: (newpassword: string) => Promise<unknown>;
  /** How to get another link. */
  readonly retry?: JSX.Element;
}

function PasswordPage(props: PasswordPageProps): JSX.Element {
  const { title, description, submitLabel, doneMessage, submit, retry } = props;
  const fields = useFormFields({ newpassword: '', repeated: '' });
  const [isDone, setDone] = useState(false);
  const { newpassword, repeated } = fields.values;
  const isDifferent = repeated !== '' && repeated !== newpassword;
  return (
    <EntryPage title={title} footer={signInLink}>
      {isDone ? (
        <Alert color="teal" variant="light" role="status">
          {doneMessage}
        </Alert>
      ) : (
        <Form
          fields={fields}
          submitLabel={submitLabel}
          disabledReason={newpassword === repeated ? undefined : 'The two passwords differ.'}
          onSubmit={async () => {
            await submit(newpassword);
            setDone(true);
          }}
        >
          <Text size="sm">{description}</Text>
          <PasswordInput
            label="New password"
            description="At least 10 characters"
            required
            autoComplete="new-password"
            data-autofocus
            {...fields.input('newpassword')}
          />
          <PasswordInput
            label="Repeat the password"
            required
            autoComplete="new-password"
            {...fields.input('repeated')}
            error={isDifferent ? 'The two passwords differ.' : undefined}
          />
          {fields.formError !== undefined && retry}
        </Form>
      )}
    </EntryPage>
  );
}
