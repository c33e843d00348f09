// The sign-in page, for customers and for staff. Forwards people who are already signed in to the page that they came for.
import { Anchor, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, type JSX } from 'react';
import { useRead } from '../data/operations.ts';
import { usePortal, useSession, type Portal } from '../data/session.ts';
import { EntryPage } from './entry-page.tsx';
import { pathAfterSignIn } from './return-path.ts';
import { SignInForm } from './sign-in-form.tsx';
import { t } from '../text/text.ts';

export function SignInPage(): JSX.Element {
  const portal = usePortal();
  const session = useSession(portal);
  const navigate = useNavigate();
  const { from } = useSearch({ from: '/sign-in' });
  const enter = useCallback(
    (owner: Portal): void => void navigate({ href: pathAfterSignIn(owner, from), replace: true }),
    [navigate, from],
  );
  useEffect(() => {
    if (session !== null) enter(portal);
  }, [session, portal, enter]);
  return (
    <EntryPage
      title={portal === 'staff' ? t('Staff sign-in') : t('Sign in')}
      footer={
        <Text size="sm" ta="center" c="dimmed">
          {portal === 'customer' && <SignUpLink />}
          <Anchor
            inherit
            renderRoot={(props) => <Link to="/sign-in" search={portal === 'staff' ? {} : { staff: true }} {...props} />}
          >
            {portal === 'staff' ? t('Customer sign-in') : t('Staff sign-in')}
          </Anchor>
        </Text>
      }
    >
      <SignInForm key={portal} portal={portal} onDone={enter} />
    </EntryPage>
  );
}

function SignUpLink(): JSX.Element | null {
  const { data } = useRead('signUpGet', {}, { staysFreshMs: 60_000 });
  if (data === undefined || data.mode === 'off') return null;
  return (
    <>
      <Anchor inherit component={Link} to="/sign-up">
        {t('Create an account')}
      </Anchor>
      {' · '}
    </>
  );
}
