// Lists of the operator API, loaded page by page.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { paging, type Methods } from '#sdk/operator.ts';
import { joinPages } from './pages.ts';
import { staffApi } from './session.ts';

type PagedOperation = keyof typeof paging;
type Input<Name extends PagedOperation> = NonNullable<Parameters<Methods[Name]>[0]>;
export type Row<Name extends PagedOperation> = Awaited<ReturnType<Methods[Name]>>[number];

/** How often pages refetch, in case the event stream is down. */
export const pollMs = 60_000;
const pageLength = 100;

export function useStaffPages<Name extends PagedOperation>(
  name: Name,
  input: Input<Name>,
  { refetchMs = pollMs, length = pageLength }: { readonly refetchMs?: number; readonly length?: number } = {},
) {
  const { parameter, next } = paging[name];
  return useInfiniteQuery({
    queryKey: ['staff', name, 'pages', input, length],
    queryFn: ({ signal, pageParam }) => {
      const call = staffApi()[name] as unknown as (input: object, options: object) => Promise<readonly Row<Name>[]>;
      return call({ ...input, limit: length, [parameter]: pageParam }, { signal });
    },
    initialPageParam: undefined as unknown,
    getNextPageParam: (page) => (page.length < length ? undefined : page.at(-1)?.[next.itemMember as keyof Row<Name>]),
    refetchInterval: refetchMs,
    // Keeps the previous results while someone types into a search.
    placeholderData: keepPreviousData,
    select: joinPages<Row<Name>>,
  });
}
