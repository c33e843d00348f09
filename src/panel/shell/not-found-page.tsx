// Shown for an unknown address, with a way back.
import { Anchor, Center, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';

export function NotFoundPage(): JSX.Element {
  return (
    <Center mih="60vh">
      <Stack align="center" gap="xs">
        <Title order={1} size="h3">
          Page not found
        </Title>
        <Text c="dimmed">The page may have been removed, or the address may be wrong.</Text>
        <Anchor component={Link} to="/" underline="always">
          Go to the overview
        </Anchor>
      </Stack>
    </Center>
  );
}
