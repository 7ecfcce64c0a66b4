import { invalidResponse, problemError, type RosterError, unreachable } from '../errors.ts';
import { EventStreamParser, type Message } from './sse.ts';

/** The event stream of a service, and the limits of a connection to it. */
export interface StreamSource {
  /** Without the query. */
  url: string;
  headers: Record<string, string>;
  fetch: typeof globalThis.fetch;
  /** The longest time in which the service may respond, in milliseconds. */
  timeoutMs: number;
  /** After how many milliseconds without a byte a connection counts as lost. */
  idleTimeoutMs: number;
}

/** One connection to the event stream. */
export interface EventStream {
  /** The messages until the connection ends; throws a RosterError of code `network` if it is lost or idle. */
  messages: AsyncGenerator<Message, void, undefined>;
  /** The time that the service asks to wait before the next connection, in milliseconds. */
  retryMs(): number | undefined;
}

/** Opens a connection. Throws a RosterError if the service rejects it or does not respond in time. */
export async function openStream(
  source: StreamSource,
  { query, signal }: { query: URLSearchParams; signal: AbortSignal | undefined },
): Promise<EventStream> {
  const { url, fetch, timeoutMs, idleTimeoutMs } = source;
  // An invalid header value is a mistake of the caller, not a network failure, so it throws here.
  const headers = new Headers({ ...source.headers, Accept: 'text/event-stream' });
  const ended = new AbortController();

  /** The value of a promise. Throws a RosterError if it is rejected, or ends the connection because it takes longer than `ms`. */
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

/** The error for a message that is no event: the problem with which the service ends a stream, or that it is not one of the service. */
export function streamProblem({ url }: StreamSource, data: string): RosterError {
  const headers = new Headers({ 'Content-Type': 'text/event-stream' });
  return problemError(url, { status: 200, headers }, data);
}

/** The error for a stream whose messages are not events of the service. */
export function invalidStream({ url }: StreamSource, cause?: unknown): RosterError {
  const headers = new Headers({ 'Content-Type': 'text/event-stream' });
  return invalidResponse({ url, response: { status: 200, headers }, cause });
}

/** The error for a connection that the service closed; the event stream has no end. */
export function connectionClosed(url: string): RosterError {
  return unreachable(url, new Error('the connection was closed'), 0);
}
