// What the pages have read, shared among them. An answer that says that nobody is signed in opens the sign-in over the page, which
// stays as it is, with what was typed into it; afterwards what failed is read again.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { HostyardError } from '#sdk/v2.ts';
import { askToSignIn } from './expiry.ts';

function onError(error: Error): void {
  if (error instanceof HostyardError && error.status === 401) askToSignIn();
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The client itself tries again where that helps.
      retry: false,
      refetchOnWindowFocus: true,
    },
  },
});
