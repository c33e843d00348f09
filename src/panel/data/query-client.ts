// The query cache shared by all pages. A 401 response opens the sign-in prompt over the page, which keeps what was
// typed; failed queries are refetched after signing in.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { HostyardError } from '#sdk/v2.ts';
import { showSignInPrompt } from './sign-in-prompt.ts';

function onError(error: Error): void {
  if (error instanceof HostyardError && error.status === 401) showSignInPrompt();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The SDK client already retries.
      retry: false,
      refetchOnWindowFocus: true,
    },
  },
});
