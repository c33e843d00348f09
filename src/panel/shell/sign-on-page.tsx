// The page to which an identity provider sends the browser back. It completes the sign-in and opens the page that was asked
// for.
import { Alert, Card, Center, Loader, Stack, Text } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState, type JSX } from 'react';
import { completeSignOn } from '../data/sign-on.ts';
import { errorText } from '../parts/error-text.ts';
import { pathAfterSignIn } from './return-path.ts';
import { t } from '../text/text.ts';

export function SignOnPage(): JSX.Element {
  useDocumentTitle(t('Sign in · Hostyard'));
  const { provider } = useParams({ from: '/sign-on/$provider' });
  const portal = provider === 'staff' ? 'staff' : 'customer';
  const navigate = useNavigate();
  const [completion] = useState(() => {
    const started = completeSignOn(portal);
    // The effect below runs later. Until then the browser would report a failure as unhandled.
    started.catch(() => {});
    return started;
  });
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    completion.then((from) => navigate({ href: pathAfterSignIn(portal, from), replace: true }), setError);
  }, [completion, navigate, portal]);
  return (
    <Center mih="100vh" p="md" component="main">
      <Card padding="lg" shadow="sm" w="100%" maw={400}>
        {error === undefined ? (
          <Stack align="center">
            <Loader />
            <Text>{t('Signing you in…')}</Text>
          </Stack>
        ) : (
          <Stack>
            <Alert color="red" variant="light" role="alert" title={t('You are not signed in')}>
              {errorText(error as Error).message}
            </Alert>
            <Text size="sm" ta="center">
              <Link to="/sign-in" search={portal === 'staff' ? { staff: true } : {}} replace>
                {t('Back to sign-in')}
              </Link>
            </Text>
          </Stack>
        )}
      </Card>
    </Center>
  );
}
