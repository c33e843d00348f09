// The button that loads the next page of a list.
import { Button, Center } from '@mantine/core';
import type { JSX } from 'react';
import type { PagedList } from '../../data/staff-pages.ts';

export function ShowMore({ list }: { list: PagedList<unknown> }): JSX.Element | null {
  if (!list.hasMore) return null;
  return (
    <Center>
      <Button variant="default" loading={list.isFetchingMore} onClick={list.loadMore}>
        Show more
      </Button>
    </Center>
  );
}
