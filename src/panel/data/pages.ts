// Long lists, newest first, read on from the last entry that is there: `before` its id.
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Methods } from '#sdk/v2.ts';
import { customer } from './session.ts';

/** Operations that take `before` and `limit`, and answer a list of things with ids. */
type Paged = {
  [Name in keyof Methods]: Methods[Name] extends (
    input?: infer I,
    ...rest: never[]
  ) => Promise<readonly { id: string }[]>
    ? 'before' extends keyof NonNullable<I>
      ? Name
      : never
    : never;
}[keyof Methods];
type Entry<Name extends Paged> = Awaited<ReturnType<Methods[Name]>>[number];
type Input<Name extends Paged> = Omit<NonNullable<Parameters<Methods[Name]>[0]>, 'before' | 'limit'>;

const pageLength = 50;

/** `everyMs`: for entries that change with no event that tells of it, while `isMoving` says that there are some. */
export interface PagesOptions<Of> {
  readonly everyMs: number;
  readonly isMoving: (entry: Of) => boolean;
}

export function usePages<Name extends Paged>(name: Name, input: Input<Name>, options?: PagesOptions<Entry<Name>>) {
  return useInfiniteQuery({
    queryKey: ['customer', name, input, 'pages'],
    queryFn: async ({ pageParam, signal }): Promise<readonly Entry<Name>[]> => {
      const call = customer()[name] as (given: object, options: object) => Promise<readonly Entry<Name>[]>;
      return call({ ...input, limit: pageLength, ...(pageParam === '' ? {} : { before: pageParam }) }, { signal });
    },
    initialPageParam: '',
    refetchInterval: ({ state }) =>
      options !== undefined && state.data?.pages.flat().some(options.isMoving) === true ? options.everyMs : false,
    getNextPageParam: (page) => (page.length < pageLength ? undefined : page.at(-1)!.id),
  });
}
