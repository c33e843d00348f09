// Long lists of the customer API, newest first, loaded page by page with the last id as `before`.
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Methods } from '#sdk/v2.ts';
import { customerApi } from './session.ts';

/** Operations that take `before` and `limit` and return items with ids. */
type PagedOperation = {
  [Name in keyof Methods]: Methods[Name] extends (
    input?: infer I,
    ...rest: never[]
  ) => Promise<readonly { id: string }[]>
    ? 'before' extends keyof NonNullable<I>
      ? Name
      : never
    : never;
}[keyof Methods];
type Entry<Name extends PagedOperation> = Awaited<ReturnType<Methods[Name]>>[number];
type Input<Name extends PagedOperation> = Omit<NonNullable<Parameters<Methods[Name]>[0]>, 'before' | 'limit'>;

/** The part of a query by pages that loads the next one. */
export interface PagedQuery {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): Promise<unknown>;
}

const pageLength = 50;

/** Polls every `refetchMs` while an entry `isInProgress`, for entries that change without an event. */
export interface PagesOptions<Item> {
  readonly refetchMs: number;
  readonly isInProgress: (entry: Item) => boolean;
}

export function usePages<Name extends PagedOperation>(
  name: Name,
  input: Input<Name>,
  options?: PagesOptions<Entry<Name>>,
) {
  return useInfiniteQuery({
    queryKey: ['customer', name, input, 'pages'],
    queryFn: async ({ pageParam, signal }): Promise<readonly Entry<Name>[]> => {
      const call = customerApi()[name] as (request: object, options: object) => Promise<readonly Entry<Name>[]>;
      return call({ ...input, limit: pageLength, before: pageParam || undefined }, { signal });
    },
    initialPageParam: '',
    refetchInterval: ({ state }) =>
      options !== undefined && state.data?.pages.flat().some(options.isInProgress) === true ? options.refetchMs : false,
    getNextPageParam: (page) => (page.length < pageLength ? undefined : page.at(-1)!.id),
    select: joinPages,
  });
}

/** For `select`, so that `data` is one list. */
export function joinPages<T>({ pages }: { readonly pages: readonly (readonly T[])[] }): readonly T[] {
  return pages.flat();
}
