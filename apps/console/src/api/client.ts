import { type AppRouter, callsByName, createRosterClient, RosterError } from '@roster/client';
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { observedFetch } from './connection.ts';
import { markSignedOut, onSignIn } from './session-end.ts';

export const roster = createRosterClient({ url: window.location.origin, fetch: observedFetch });

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

export const calls = callsByName(roster);

/**
 * The query of a procedure that reads, for `useQuery` and for the cache: `rosterQuery('agents', 'get', { id })`. Its key is
 * `[resource, procedure, input]`, so that `['agents']` invalidates all of a resource.
 */
export function rosterQuery<R extends keyof Outputs & string, P extends keyof Outputs[R] & string>(
  resource: R,
  procedure: P,
  input: P extends keyof Inputs[R] ? Inputs[R][P] : never,
) {
  return queryOptions({
    queryKey: [resource, procedure, input] as const,
    queryFn: ({ signal }) => calls.query<Outputs[R][P]>(`${resource}.${procedure}`, input, { signal }),
  });
}

export function isUnauthenticated(error: unknown): boolean {
  return error instanceof RosterError && error.code === 'unauthenticated';
}

function markIfSignedOut(error: unknown): void {
  if (isUnauthenticated(error)) markSignedOut();
}

/** The cache of what was read. The client retries by itself, so that this does not. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: markIfSignedOut }),
  mutationCache: new MutationCache({ onError: markIfSignedOut }),
  defaultOptions: {
    // "always": a browser that takes itself for offline may still reach a service near it, and what fails is to be said.
    queries: { networkMode: 'always', retry: false, staleTime: 30_000, refetchOnWindowFocus: 'always' },
    mutations: { networkMode: 'always', retry: false },
  },
});

// A page whose session had ended stays as it is, with the rights of the person who signed in.
onSignIn(() => void queryClient.invalidateQueries());
