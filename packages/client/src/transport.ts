import type { HTTPLinkOptions } from '@trpc/client';
import type { Consistency } from './consistency.ts';
import { unreachable, unreadable } from './errors.ts';

type Fetch = NonNullable<HTTPLinkOptions<{ transformer: false; errorShape: never }>['fetch']>;

interface TransportOptions {
  /** Where the calls go, for messages: without their inputs, which may be personal. */
  url: string;
  timeoutMs: number;
  consistency: Consistency;
  fetch: typeof globalThis.fetch;
}

/**
 * A `fetch` that gives up after a time and whose every failure is a RosterError. It reads the whole body, so that a
 * connection lost half way is a failure of the network too, and not of the JSON.
 */
export function transport({ url, timeoutMs, consistency, fetch }: TransportOptions): Fetch {
  return async (input, init) => {
    // A header that no request can carry is a mistake in the call, and no failure of the network.
    const headers = new Headers(init?.headers as ConstructorParameters<typeof Headers>[0]);
    const asked = consistency.ask();
    if (asked.token !== undefined) headers.set('Consistency-Token', asked.token);
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
    asked.learn(response.headers);
    const json = parsed(text);
    if (json === undefined) throw unreadable({ url, answer: response });
    return { ok: response.ok, status: response.status, headers: response.headers, json: async () => json };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
