// The end of a long list: loads older entries when it scrolls into view or when the button is pressed.
import { Button, Center } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect, type JSX } from 'react';
import type { PagedQuery } from '../data/pages.ts';
import { Dimmed } from './dimmed.tsx';
import { t } from '../text/text.ts';

export function LoadOlder({ query }: { query: PagedQuery }): JSX.Element {
  const { ref, entry } = useIntersection({ rootMargin: '200px' });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const isInView = entry?.isIntersecting === true;
  useEffect(() => {
    if (isInView && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isInView, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Center ref={ref} py="xs">
      {hasNextPage ? (
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Load older')}
        </Button>
      ) : (
        <Dimmed>{t('End of list')}</Dimmed>
      )}
    </Center>
  );
}
