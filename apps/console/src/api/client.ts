import { type AppRouter, createRosterClient, RosterError } from '@roster/client';
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { observedFetch } from './connection.ts';
import { markSignedOut, onSignIn } from './session-end.ts';

/** Longer than the service takes, and not longer than someone waits for a page if it does not answer. */
const ANSWER_MS = 1_000;

async function readEnd(): Promise<string | undefined> {
  // Who signs in has read nothing.
  if (window.location.pathname === '/console/sign-in') return undefined;
  try {
    const response = await fetch('/events?after=latest', { signal: AbortSignal.timeout(ANSWER_MS) });
    const { nextAfter } = (await response.json()) as { nextAfter?: string };
    return nextAfter;
  } catch {
    return undefined;
  }
}

/**
 * The cursor at the end of the log before the page reads anything, from which its stream of events goes on: a change in between is not
 * missed. Asked for before the page is built. Undefined if the caller may not read the log of offices and agents, or if the service does
 * not answer in time: then the page reads again when its stream is connected.
 */
export const startCursor: Promise<string | undefined> = readEnd();

/** Reads nothing before it is known where the log ended. */
const fetchAfterStart: typeof fetch = async (request, init) => {
  await startCursor;
  return observedFetch(request, init);
};

/** The service that this page comes from. The browser adds the cookie of the session. */
export const roster = createRosterClient({ url: window.location.origin, fetch: fetchAfterStart });

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

type Call = (input: unknown, options: { signal: AbortSignal }) => Promise<unknown>;

/** Calls a procedure that reads, by its name. */
export function callProcedure(
  resource: string,
  procedure: string,
  input: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const procedures = (roster as unknown as Record<string, Record<string, { query: Call }>>)[resource];
  const call = procedures?.[procedure];
  if (call === undefined) throw new Error(`There is no procedure ${resource}.${procedure}`);
  return call.query(input, { signal });
}

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
    queryFn: ({ signal }) => callProcedure(resource, procedure, input, signal) as Promise<Outputs[R][P]>,
  });
}

/** Whether a call failed because nobody is signed in (any more). */
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

// A page whose session had ended goes on as it is, with what whoever signed in may read.
onSignIn(() => void queryClient.invalidateQueries());
