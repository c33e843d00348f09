// Sign-up: a form, while the browser does the proof of work, and the page that the link in the message leads to.
import { Alert, Anchor, Checkbox, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type JSX } from 'react';
import { useRead } from '../data/operations.ts';
import { completeSignUp, requestSignUp, type SignUpSettings } from '../data/sign-up.ts';
import { CountrySelect } from '../parts/country-select.tsx';
import { useFormFields } from '../parts/form-fields.ts';
import { Form } from '../parts/form.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { rich } from '../text/rich.ts';
import { t, textLanguage } from '../text/text.ts';
import { EntryPage } from './entry-page.tsx';
import { PasswordPage, signInLink, useLinkToken } from './link-pages.tsx';

export function SignUpPage(): JSX.Element {
  const invitation = useLinkToken();
  const settings = useRead('signUpGet', {});
  const [email, setEmail] = useState<string>();
  if (email !== undefined) return <SentPage email={email} />;
  return (
    <EntryPage title={t('Create an account')} footer={signInLink}>
      <QueryResult query={settings}>
        {(current) =>
          current.mode === 'off' || (current.mode === 'invited' && invitation === '') ? (
            <Text size="sm">
              {current.mode === 'off'
                ? t('You cannot create an account here. Please contact the provider.')
                : t('You need an invitation to create an account. Open the link of your invitation.')}
            </Text>
          ) : (
            <SignUpForm settings={current} invitation={invitation} onSent={setEmail} />
          )
        }
      </QueryResult>
    </EntryPage>
  );
}

interface SignUpFormProps {
  readonly settings: SignUpSettings;
  /** Empty without one. */
  readonly invitation: string;
  readonly onSent: (email: string) => void;
}

const noValues = {
  firstname: '',
  lastname: '',
  company: '',
  email: '',
  address1: '',
  postcode: '',
  city: '',
  country: '',
};

function SignUpForm({ settings, invitation, onSent }: SignUpFormProps): JSX.Element {
  const { mode, termsversion, termsurl, provider } = settings;
  const fields = useFormFields(noValues);
  const [hasAccepted, setAccepted] = useState(false);
  const [progress, setProgress] = useState<number>();
  const submit = async (): Promise<void> => {
    const given = Object.entries(fields.values).filter(([, value]) => value.trim() !== '');
    const person = Object.fromEntries(given.map(([name, value]) => [name, value.trim()])) as typeof noValues;
    const more = { terms: termsversion, language: textLanguage(), ...(invitation !== '' && { invitation }) };
    setProgress(0);
    try {
      await requestSignUp({ ...person, ...more }, setProgress);
    } finally {
      setProgress(undefined);
    }
    onSent(person.email);
  };
  return (
    <Form
      fields={fields}
      submitLabel={t('Create account')}
      disabledReason={hasAccepted ? undefined : t('Accept the terms first.')}
      onSubmit={submit}
    >
      {mode === 'approved' && invitation === '' && (
        <Text size="sm">{t('{provider} checks new accounts before you can use them.', { provider })}</Text>
      )}
      <Group grow align="flex-start">
        <TextInput
          label={t('First name')}
          required
          autoComplete="given-name"
          data-autofocus
          {...fields.input('firstname')}
        />
        <TextInput label={t('Last name')} required autoComplete="family-name" {...fields.input('lastname')} />
      </Group>
      <TextInput label={t('Company')} autoComplete="organization" {...fields.input('company')} />
      <TextInput
        label={t('Email')}
        description={t('We send a link to this address.')}
        type="email"
        required
        autoComplete="email"
        {...fields.input('email')}
      />
      <TextInput label={t('Address')} autoComplete="street-address" {...fields.input('address1')} />
      <Group grow align="flex-start">
        <TextInput label={t('Postal code')} autoComplete="postal-code" {...fields.input('postcode')} />
        <TextInput label={t('City')} autoComplete="address-level2" {...fields.input('city')} />
      </Group>
      <CountrySelect {...fields.input('country')} />
      <Checkbox
        checked={hasAccepted}
        onChange={(event) => setAccepted(event.currentTarget.checked)}
        label={rich('I accept the <link>terms</link> of {provider}, version {version}.', {
          link: (text) => (
            <Anchor href={termsurl} target="_blank" rel="noreferrer" inherit>
              {text}
            </Anchor>
          ),
          provider,
          version: termsversion,
        })}
      />
      {progress !== undefined && <ProofProgress value={progress} />}
    </Form>
  );
}

function ProofProgress({ value }: { readonly value: number }): JSX.Element {
  return (
    <Stack gap={4} role="status">
      <Text size="sm">{t('Checking that you are human. This takes a few seconds.')}</Text>
      <Progress value={value * 100} animated aria-label={t('Progress of the check')} />
    </Stack>
  );
}

function SentPage({ email }: { readonly email: string }): JSX.Element {
  return (
    <EntryPage title={t('Check your email')} footer={signInLink}>
      <Alert color="teal" variant="light" role="status">
        {t('We sent a message to {email}. Open the link in it to choose your password. It works once, for 24 hours.', {
          email,
        })}
      </Alert>
      <Text size="sm" mt="md">
        {t('No message? Check your spam folder, or check the address and try again.')}
      </Text>
    </EntryPage>
  );
}

/** Opened by the link in the message. */
export function VerifyPage(): JSX.Element {
  const token = useLinkToken();
  const navigate = useNavigate();
  if (token === '') return <SignUpPage />;
  return (
    <PasswordPage
      title={t('Choose a password')}
      description={t('This confirms your email address and creates your account.')}
      submitLabel={t('Create account')}
      doneMessage={t('Your email address is confirmed. We send you a message when your account is approved.')}
      submit={async (newpassword) => {
        if (await completeSignUp(token, newpassword)) await navigate({ to: '/', replace: true });
      }}
      retry={<Anchor href="/panel/sign-up">{t('Sign up again')}</Anchor>}
    />
  );
}
