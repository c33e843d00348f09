// The sign-in page, for customers and for staff. Forwards people who are already signed in.
import { Card, Center, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, type JSX } from 'react';
import mark from '../mark.svg';
import { usePortal, useSession, type Portal } from '../data/session.ts';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage(): JSX.Element {
  useDocumentTitle('Sign in · Hostyard');
  const portal = usePortal();
  const session = useSession(portal);
  const navigate = useNavigate();
  const goHome = useCallback(
    (owner: Portal): void => void navigate({ to: owner === 'staff' ? '/staff' : '/' }),
    [navigate],
  );
  useEffect(() => {
    if (session !== null) goHome(portal);
  }, [session, portal, goHome]);
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
          <SignInForm key={portal} portal={portal} onDone={goHome} />
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
