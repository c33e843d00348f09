// The sign-in page, for customers and for staff. Forwards people who are already signed in to the page that they came for.
import { Card, Center, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, type JSX } from 'react';
import mark from '../mark.svg';
import { usePortal, useSession, type Portal } from '../data/session.ts';
import { pathAfterSignIn } from './return-path.ts';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage(): JSX.Element {
  useDocumentTitle('Sign in · Hostyard');
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
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Group gap="sm" justify="center">
          <img src={mark} width={36} height={36} alt="" />
          <Title order={1} size="h2">
            Hostyard
          </Title>
        </Group>
        <Card padding="lg" shadow="sm">
          <Title order={2} size="h4" mb="md">
            {portal === 'staff' ? 'Staff sign-in' : 'Sign in'}
          </Title>
          <SignInForm key={portal} portal={portal} onDone={enter} />
        </Card>
        <Text size="sm" ta="center" c="dimmed">
          <Link to="/sign-in" search={portal === 'staff' ? {} : { staff: true }}>
            {portal === 'staff' ? 'Customer sign-in' : 'Staff sign-in'}
          </Link>
        </Text>
      </Stack>
    </Center>
  );
}
