// An address that leads nowhere.
import { Anchor, Center, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';

export function NotThere(): JSX.Element {
  return (
    <Center mih="60vh">
      <Stack align="center" gap="xs">
        <Title order={1} size="h3">
          There is no such page
        </Title>
        <Text c="dimmed">It may have been there once, or the address has a slip in it.</Text>
        <Anchor component={Link} to="/" underline="always">
          To the overview
        </Anchor>
      </Stack>
    </Center>
  );
}
