// The button that loads the next page of a list.
import { Button, Center } from '@mantine/core';
import type { JSX } from 'react';
import type { PagedQuery } from '../../data/pages.ts';
import { t } from '../../text/text.ts';

export function ShowMore({ query }: { query: PagedQuery }): JSX.Element | null {
  if (!query.hasNextPage) return null;
  return (
    <Center>
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {t('Show more')}
      </Button>
    </Center>
  );
}
