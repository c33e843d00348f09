// An address that leads nowhere.
import { Anchor, Center } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Empty } from '../parts/answer.tsx';

export function NotThere(): JSX.Element {
  return (
    <Center mih="60vh">
      <Empty icon="search" title="There is no such page">
        <Anchor component={Link} to="/">
          To the overview
        </Anchor>
      </Empty>
    </Center>
  );
}
