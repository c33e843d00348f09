// Lists of the operator API, loaded page by page.
import { useInfiniteQuery } from '@tanstack/react-query';
import { paging, type Methods } from '#sdk/operator.ts';
import type { QueryState } from '../parts/query-result.tsx';
import { staffApi } from './session.ts';

type PagedOperation = keyof typeof paging;
type Input<Name extends PagedOperation> = NonNullable<Parameters<Methods[Name]>[0]>;
export type Row<Name extends PagedOperation> = Awaited<ReturnType<Methods[Name]>>[number];
type Call = (input: object, options: { signal: AbortSignal }) => Promise<readonly Readonly<Record<string, unknown>>[]>;

export interface PagedList<T> extends QueryState<readonly T[]> {
  readonly hasMore: boolean;
  readonly isFetchingMore: boolean;
  loadMore(): void;
}
/** How often pages refetch, in case the event stream is down. */
export const pollMs = 60_000;
const pageLength = 100;

export function useStaffPages<Name extends PagedOperation>(
  name: Name,
  input: Input<Name>,
  { refetchMs = pollMs, length = pageLength }: { readonly refetchMs?: number; readonly length?: number } = {},
): PagedList<Row<Name>> {
  const { parameter, next } = paging[name];
  const query = useInfiniteQuery({
    queryKey: ['staff', name, 'pages', input, length],
    queryFn: ({ signal, pageParam }) =>
      (staffApi()[name] as unknown as Call)(
        { ...input, limit: length, ...(pageParam === undefined ? {} : { [parameter]: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as unknown,
    getNextPageParam: (page) => (page.length < length ? undefined : page.at(-1)?.[next.itemMember]),
    refetchInterval: refetchMs,
    // Keeps the previous results while someone types into a search.
    placeholderData: (previous) => previous,
  });
  return {
    data: query.data?.pages.flat() as readonly Row<Name>[] | undefined,
    error: query.error,
    refetch: query.refetch,
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  };
}
