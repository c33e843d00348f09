// A list of the staff's interface that comes in pages: the first at once, each further one when somebody asks for it.
import { useInfiniteQuery } from '@tanstack/react-query';
import { paging, type Methods } from '#sdk/operator.ts';
import type { Awaitable } from '../parts/answer.tsx';
import { staff } from './session.ts';

type Paged = keyof typeof paging;
type Input<Name extends Paged> = NonNullable<Parameters<Methods[Name]>[0]>;
export type Row<Name extends Paged> = Awaited<ReturnType<Methods[Name]>>[number];
type Call = (input: object, options: { signal: AbortSignal }) => Promise<readonly Readonly<Record<string, unknown>>[]>;

export interface Pages<T> extends Awaitable<readonly T[]> {
  readonly hasMore: boolean;
  readonly isFetchingMore: boolean;
  more(): void;
}
/** Should the stream that tells of changes be away: how often pages look again without it. */
export const watchMs = 60_000;
const pageLength = 100;

export function useStaffPages<Name extends Paged>(
  name: Name,
  input: Input<Name>,
  { everyMs = watchMs, length = pageLength }: { readonly everyMs?: number; readonly length?: number } = {},
): Pages<Row<Name>> {
  const { parameter, next } = paging[name];
  const query = useInfiniteQuery({
    queryKey: ['staff', name, 'pages', input, length],
    queryFn: ({ signal, pageParam }) =>
      (staff()[name] as unknown as Call)(
        { ...input, limit: length, ...(pageParam === undefined ? {} : { [parameter]: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as unknown,
    getNextPageParam: (page) => (page.length < length ? undefined : page.at(-1)?.[next.itemMember]),
    refetchInterval: everyMs,
    // While somebody types into a search, what was found before stays.
    placeholderData: (before) => before,
  });
  return {
    data: query.data?.pages.flat() as readonly Row<Name>[] | undefined,
    error: query.error,
    refetch: query.refetch,
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    more: () => void query.fetchNextPage(),
  };
}
