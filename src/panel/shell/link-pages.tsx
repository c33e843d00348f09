// The pages that links in messages lead to: a new password for someone who forgot theirs, and the first password of an
// invited contact. The router moves the token of the link from the address to the state of the page.
import { Alert, Anchor, PasswordInput, Text, TextInput } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useState, type JSX } from 'react';
import { customerApi, staffApi } from '../data/session.ts';
import { useFormFields } from '../parts/form-fields.ts';
import { Form } from '../parts/form.tsx';
import { EntryPage } from './entry-page.tsx';
import { t } from '../text/text.ts';

/** Returns the token of the link that opened this page, or an empty text. */
export function useLinkToken(): string {
  return useLocation({ select: ({ state }) => state.linkToken ?? '' });
}

export const signInLink = (
  <Text size="sm" ta="center" c="dimmed">
    <Anchor inherit component={Link} to="/sign-in">
      {t('Back to sign-in')}
    </Anchor>
  </Text>
);

export function RecoverPage(): JSX.Element {
  return <RecoveryPage api={customerApi()} path="/panel/recover" />;
}

export function StaffRecoverPage(): JSX.Element {
  return <RecoveryPage api={staffApi()} path="/panel/staff/recover" minLength={12} />;
}

interface RecoveryPageProps extends Pick<PasswordPageProps, 'minLength'> {
  readonly api: Pick<ReturnType<typeof customerApi>, 'recoveryRequest' | 'recoveryComplete'>;
  /** Where to ask for a link. */
  readonly path: string;
}

function RecoveryPage({ api, path, ...props }: RecoveryPageProps): JSX.Element {
  const linkToken = useLinkToken();
  if (linkToken === '') return <RequestPage request={(email) => api.recoveryRequest({ email })} />;
  return (
    <PasswordPage
      title={t('Choose a new password')}
      description={t('This signs you out everywhere else. If you use a second factor, you still need it to sign in.')}
      submitLabel={t('Set password')}
      doneMessage={t('Password changed. You can now sign in with it.')}
      submit={(newpassword) => api.recoveryComplete({ token: linkToken, newpassword })}
      retry={<Anchor href={path}>{t('Ask for a new link')}</Anchor>}
      {...props}
    />
  );
}

export function InvitationPage(): JSX.Element {
  const linkToken = useLinkToken();
  return (
    <PasswordPage
      title={t('Accept the invitation')}
      description={t(
        'Choose a password. You sign in with it and with the email address that the invitation was sent to.',
      )}
      submitLabel={t('Accept')}
      doneMessage={t('Invitation accepted. You can now sign in with your password.')}
      submit={(newpassword) => customerApi().invitationAccept({ token: linkToken, newpassword })}
    />
  );
}

function RequestPage({ request }: { request: (email: string) => Promise<unknown> }): JSX.Element {
  const fields = useFormFields({ email: '' });
  const [isSent, setSent] = useState(false);
  return (
    <EntryPage title={t('Forgot your password?')} footer={signInLink}>
      {isSent ? (
        <Alert color="teal" variant="light" role="status">
          {t('If somebody signs in with this address, we have sent a link to it. The link works once, for 30 minutes.')}
        </Alert>
      ) : (
        <Form
          fields={fields}
          submitLabel={t('Send link')}
          onSubmit={async () => {
            await request(fields.values.email);
            setSent(true);
          }}
        >
          <Text size="sm">{t('We send you a link for choosing a new password.')}</Text>
          <TextInput
            label={t('Email')}
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
  readonly minLength?: 10 | 12;
  readonly doneMessage: string;
  readonly submit: (newpassword: string) => Promise<unknown>;
  /** How to get another link. */
  readonly retry?: JSX.Element;
}

export function PasswordPage(props: PasswordPageProps): JSX.Element {
  const { title, description, submitLabel, minLength = 10, doneMessage, submit, retry } = props;
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
          disabledReason={newpassword === repeated ? undefined : t('Passwords do not match')}
          onSubmit={async () => {
            await submit(newpassword);
            setDone(true);
          }}
        >
          <Text size="sm">{description}</Text>
          <PasswordInput
            label={t('New password')}
            description={minLength === 12 ? t('At least 12 characters') : t('At least 10 characters')}
            required
            autoComplete="new-password"
            data-autofocus
            {...fields.input('newpassword')}
          />
          <PasswordInput
            label={t('Repeat the password')}
            required
            autoComplete="new-password"
            {...fields.input('repeated')}
            error={isDifferent ? t('Passwords do not match') : undefined}
          />
          {fields.formError !== undefined && retry}
        </Form>
      )}
    </EntryPage>
  );
}
