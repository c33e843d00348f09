// Queries and mutations over the legacy API, for what only it offers: single switch ports, null routes, address requests and licence
// orders. Responses are cached with the customer's others, under `legacy` and the operation's name.
import { useQueries, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { createClient, type Client, type Methods } from '#sdk/legacy.ts';
import {
  useApiMutation,
  useApiQuery,
  type Call,
  type ChangeOptions,
  type Input,
  type ReadOptions,
  type Result,
} from './operations.ts';
import { currentSession } from './session.ts';

let cached: { readonly key: string; readonly client: Client } | undefined;

function legacyApi(): Client {
  const key = currentSession()?.key ?? '';
  if (cached?.key !== key) cached = { key, client: createClient({ url: location.origin, timeoutMs: 60_000, key }) };
  return cached.client;
}

export function useLegacyRead<Name extends keyof Methods>(
  name: Name,
  input: Input<Methods, Name>,
  options: ReadOptions = {},
): UseQueryResult<Result<Methods, Name>> {
  return useApiQuery(
    'customer',
    `legacy ${name}`,
    input,
    (request, callOptions) => (legacyApi()[name] as Call)(request, callOptions),
    options,
  );
}

/** Runs the same query for several inputs, each cached separately. */
export function useLegacyReads<Name extends keyof Methods>(
  name: Name,
  inputs: readonly Input<Methods, Name>[],
): UseQueryResult<Result<Methods, Name>>[] {
  return useQueries({
    queries: inputs.map((input) => ({
      queryKey: ['customer', `legacy ${name}`, input],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        (legacyApi()[name] as Call)(input, { signal }) as Promise<Result<Methods, Name>>,
    })),
  });
}

export function useLegacyChange<Name extends keyof Methods>(
  name: Name,
  options: ChangeOptions = {},
): UseMutationResult<Result<Methods, Name>, Error, Input<Methods, Name>> {
  return useApiMutation('customer', (request) => (legacyApi()[name] as Call)(request), options);
}
