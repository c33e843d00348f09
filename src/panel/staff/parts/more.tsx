// The next page of a list, for whoever wants it.
import { Button, Center } from '@mantine/core';
import type { JSX } from 'react';
import type { Pages } from '../../data/staff-pages.ts';

export function More({ of }: { of: Pages<unknown> }): JSX.Element | null {
  if (!of.hasMore) return null;
  return (
    <Center>
      <Button variant="default" loading={of.isFetchingMore} onClick={of.more}>
        Show more
      </Button>
    </Center>
  );
}
