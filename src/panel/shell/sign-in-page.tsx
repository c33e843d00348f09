// The page that everybody sees first.
import { Card, Center, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, type JSX } from 'react';
import mark from '../mark.svg';
import { useSession } from '../data/session.ts';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage(): JSX.Element {
  useDocumentTitle('Sign in · Hostyard');
  const { staff } = useSearch({ from: '/sign-in' });
  const session = useSession();
  const navigate = useNavigate();
  useEffect(() => {
    if (session !== undefined) void navigate({ to: session.face === 'staff' ? '/staff' : '/' });
  }, [session, navigate]);
  const face = staff === true ? 'staff' : 'customer';
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
            {face === 'staff' ? 'Staff' : 'Sign in to your servers'}
          </Title>
          <SignInForm key={face} face={face} onDone={() => undefined} />
        </Card>
        <Text size="sm" ta="center" c="dimmed">
          <Link to="/sign-in" search={face === 'staff' ? {} : { staff: true }}>
            {face === 'staff' ? 'I am a customer' : 'I work here'}
          </Link>
        </Text>
      </Stack>
    </Center>
  );
}
