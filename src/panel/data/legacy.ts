// What only the legacy interface has: the ports of a server one by one, null-routes, requests for addresses, orders of licences.
// Its answers are kept beside the customer's others, under `legacy` and the name of the operation.
import { useQueries, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { createClient, type Client, type Methods } from '#sdk/legacy.ts';
import {
  useChanging,
  useReading,
  type Call,
  type ChangeOptions,
  type Input,
  type ReadOptions,
  type Result,
} from './read.ts';
import { currentSession } from './session.ts';

let made: { readonly key: string; readonly client: Client } | undefined;

/** With the key of whoever is signed in at this moment. */
function legacy(): Client {
  const key = currentSession()?.key ?? '';
  if (made?.key !== key) made = { key, client: createClient({ url: location.origin, timeoutMs: 60_000, key }) };
  return made.client;
}

export function useLegacyRead<Name extends keyof Methods>(
  name: Name,
  input: Input<Methods, Name>,
  options: ReadOptions = {},
): UseQueryResult<Result<Methods, Name>> {
  return useReading(
    'customer',
    `legacy ${name}`,
    input,
    (given, more) => (legacy()[name] as Call)(given, more),
    options,
  );
}

/** The same of several, each kept by itself. */
export function useLegacyReads<Name extends keyof Methods>(
  name: Name,
  inputs: readonly Input<Methods, Name>[],
): UseQueryResult<Result<Methods, Name>>[] {
  return useQueries({
    queries: inputs.map((input) => ({
      queryKey: ['customer', `legacy ${name}`, input],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        (legacy()[name] as Call)(input, { signal }) as Promise<Result<Methods, Name>>,
    })),
  });
}

export function useLegacyChange<Name extends keyof Methods>(
  name: Name,
  options: ChangeOptions = {},
): UseMutationResult<Result<Methods, Name>, Error, Input<Methods, Name>> {
  return useChanging('customer', (given) => (legacy()[name] as Call)(given), options);
}
