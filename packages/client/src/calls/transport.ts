import type { HTTPLinkOptions } from '@trpc/client';
import { invalidResponse, parseJson, unreachable } from '../errors.ts';

type Fetch = NonNullable<HTTPLinkOptions<{ transformer: false; errorShape: never }>['fetch']>;

interface TransportOptions {
  /** For messages, without the inputs, which may contain personal data. */
  url: string;
  timeoutMs: number;
  fetch: typeof globalThis.fetch;
}

/** Lists repeat their parameter, objects are JSON. */
export function searchParamsOf(query: object): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const item of value) parameters.append(name, String(item));
    else parameters.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return parameters;
}

/** Reads the whole body, so that a connection lost during it is a network failure, not invalid JSON. */
export function createTransport({ url, timeoutMs, fetch }: TransportOptions): Fetch {
  return async (input, init) => {
    // An invalid header value is a programming error, not a network failure, so it is thrown here.
    const headers = new Headers(init?.headers as ConstructorParameters<typeof Headers>[0]);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    let response: Response;
    let text: string;
    try {
      response = await fetch(input, { ...(init as RequestInit), headers, signal });
      text = await response.text();
    } catch (cause) {
      throw unreachable(url, cause, timeoutMs);
    }
    const json = parseJson(text);
    if (json === undefined) throw invalidResponse({ url, response });
    return { ok: response.ok, status: response.status, headers: response.headers, json: async () => json };
  };
}
