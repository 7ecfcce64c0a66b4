import { CliError, exitCodes } from '../errors.ts';

export interface TerminalSession {
  token: string;
  /** RFC 3339. */
  expiresAt: string;
  name: string;
}

export interface SignInTarget {
  url: string;
  signal: AbortSignal;
}

interface Result<Body> {
  status: number;
  body: Body;
}

const TIMEOUT_MS = 15_000;

/**
 * Calls a route of the sign-in, which is no operation of the API. Resolves to an error of the service too, whose `detail` says why.
 * Throws `CliError` if the URL is not that of a Roster service.
 */
export async function callSignIn<Body>(
  { url, signal }: SignInTarget,
  path: string,
  { method = 'POST', body, key }: { method?: string; body?: object; key?: string } = {},
): Promise<Result<Body & { detail?: string }>> {
  const headers = {
    Accept: 'application/json',
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
  };
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse((await response.text()) || '{}') };
  } catch (error) {
    if (signal.aborted) throw error;
    throw new CliError(`can't reach Roster at ${url}`, {
      hint: 'Set the URL of the service with --url or ROSTER_URL.',
    });
  }
}

export function rejected({ detail = 'The service rejects the sign-in.' }: { detail?: string }): CliError {
  return new CliError(`sign-in failed: ${detail}`, { exitCode: exitCodes.notAllowed });
}

export interface SignInMethods {
  /** Whether there is an identity provider. */
  provider: boolean;
  /** The URL at which browsers reach the service, if it differs. */
  url?: string | null;
}

/** Reads the ways in which people can sign in at a service; a release without sign-in has keys alone. */
export async function readMethods(target: SignInTarget): Promise<SignInMethods> {
  const { status, body } = await callSignIn<SignInMethods>(target, '/sign-in/methods', { method: 'GET' });
  return status === 200 ? body : { provider: false };
}
