// The end of a long list: loads older entries when it scrolls into view or when the button is pressed.
import { Button, Center, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect, type JSX } from 'react';

export interface LoadOlderProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

export function LoadOlder({ query }: LoadOlderProps): JSX.Element {
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
          Load older
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          End of list
        </Text>
      )}
    </Center>
  );
}
