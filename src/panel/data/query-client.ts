// The query cache shared by all pages. A 401 response opens the sign-in prompt over the page, which keeps what was
// typed; failed queries are refetched after signing in.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { HostyardError } from '#sdk/v2.ts';
import { hasSession, portalOf, type Portal } from './session.ts';
import { showSignInPrompt } from './sign-in-prompt.ts';

/** The response may come after the person has ended the session. */
function onError(error: Error, portal: Portal): void {
  if (error instanceof HostyardError && error.status === 401 && hasSession(portal)) showSignInPrompt(portal);
}

export const queryClient = new QueryClient({
  // The response to a query of one portal may come after the person has gone to the other.
  queryCache: new QueryCache({ onError: (error, { queryKey: [portal] }) => onError(error, portal as Portal) }),
  mutationCache: new MutationCache({ onError: (error) => onError(error, portalOf(location.pathname)) }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The SDK client already retries.
      retry: false,
      refetchOnWindowFocus: true,
      // Fails without a connection, in place of waiting silently; a change must not happen when nobody expects it any more.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});
