// The end of a long list: what is older is fetched when it comes into view, or by the button.
import { Button, Center, Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect, type JSX } from 'react';

export interface ReadOnProps {
  readonly of: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

export function ReadOn({ of }: ReadOnProps): JSX.Element {
  const { ref, entry } = useIntersection({ rootMargin: '200px' });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = of;
  const isSeen = entry?.isIntersecting === true;
  useEffect(() => {
    if (isSeen && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isSeen, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Center ref={ref} py="xs">
      {hasNextPage ? (
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Older
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          That is all.
        </Text>
      )}
    </Center>
  );
}
