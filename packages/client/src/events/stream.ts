import { invalidResponse, problemError, type RosterError, unreachable } from '../errors.ts';
import { EventStreamParser, type Message } from './sse.ts';

export interface StreamSource {
  url: string;
  headers: Record<string, string>;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  /** Without a byte for this long, a connection counts as lost. */
  idleTimeoutMs: number;
}

export interface EventStream {
  /** Throws a RosterError of code `network` if the connection is lost or idle. */
  messages: AsyncGenerator<Message, void, undefined>;
  /** The reconnection delay the service asks for. */
  retryMs(): number | undefined;
}

/** Throws a RosterError if the service rejects the connection or does not respond in time. */
export async function openStream(
  source: StreamSource,
  { query, signal }: { query: URLSearchParams; signal: AbortSignal | undefined },
): Promise<EventStream> {
  const { url, fetch, timeoutMs, idleTimeoutMs } = source;
  // An invalid header value is a programming error, not a network failure, so it is thrown here.
  const headers = new Headers({ ...source.headers, Accept: 'text/event-stream' });
  const ended = new AbortController();

  /** Throws a RosterError on rejection, and ends the connection after `ms`. */
  async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
    const timeout = new DOMException('The time is over', 'TimeoutError');
    const timer = setTimeout(() => ended.abort(timeout), ms);
    try {
      return await promise;
    } catch (cause) {
      // Not every browser rejects with the reason of the signal.
      throw unreachable(url, ended.signal.aborted ? timeout : cause, ms);
    } finally {
      clearTimeout(timer);
    }
  }

  async function* readMessages(
    body: ReadableStreamDefaultReader<Uint8Array>,
    parser: EventStreamParser,
  ): EventStream['messages'] {
    try {
      for (;;) {
        const { done, value } = await within(body.read(), idleTimeoutMs);
        if (done) return;
        yield* parse(parser, value, source);
      }
    } finally {
      ended.abort();
    }
  }

  const search = query.toString();
  const opened = fetch(search === '' ? url : `${url}?${search}`, {
    headers,
    cache: 'no-store',
    signal: signal ? AbortSignal.any([signal, ended.signal]) : ended.signal,
  });
  const response = await within(opened, timeoutMs);
  const type = response.headers.get('Content-Type') ?? '';
  if (response.ok && type.startsWith('text/event-stream') && response.body !== null) {
    const parser = new EventStreamParser(query.get('after') ?? undefined);
    return { messages: readMessages(response.body.getReader(), parser), retryMs: () => parser.retryMs };
  }
  if (response.ok) {
    ended.abort();
    throw invalidResponse({ url, response });
  }
  throw problemError(url, response, await within(response.text(), timeoutMs));
}

function parse(parser: EventStreamParser, chunk: Uint8Array, source: StreamSource): Message[] {
  try {
    return parser.push(chunk);
  } catch (cause) {
    throw invalidStream(source, cause);
  }
}

/** The problem with which the service ended a stream, or an invalid message. */
export function streamProblem({ url }: StreamSource, data: string): RosterError {
  const headers = new Headers({ 'Content-Type': 'text/event-stream' });
  return problemError(url, { status: 200, headers }, data);
}

export function invalidStream({ url }: StreamSource, cause?: unknown): RosterError {
  const headers = new Headers({ 'Content-Type': 'text/event-stream' });
  return invalidResponse({ url, response: { status: 200, headers }, cause });
}

/** The event stream should have no end. */
export function connectionClosed(url: string): RosterError {
  return unreachable(url, new Error('the connection was closed'), 0);
}
