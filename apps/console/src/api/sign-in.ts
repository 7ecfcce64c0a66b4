import { queryOptions } from '@tanstack/react-query';

interface Problem {
  detail?: string;
  title?: string;
}

/**
 * Calls a route of the sign-in, which is no operation of the API: a POST if there is a body. Rejects with what the service says is
 * wrong.
 */
export async function callSignIn<Result>(path: `/sign-in/${string}`, body?: object): Promise<Result> {
  const response = await fetch(path, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as Result;
  const { detail, title } = (await response.json().catch(() => ({}))) as Problem;
  throw new Error(detail ?? title ?? `HTTP ${response.status}`);
}

export interface SignInMethods {
  provider: boolean;
  /** The URL at which browsers reach the service; null if it does not know. */
  url: string | null;
  /** The origin at which browsers have passkeys for the service; null if people do not sign in with them. */
  passkeyOrigin: string | null;
  mail: boolean;
  /** Whether the service sends links to sign in by email. */
  email: boolean;
}

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in', 'methods'],
  queryFn: () => callSignIn<SignInMethods>('/sign-in/methods'),
  staleTime: 60_000,
});
