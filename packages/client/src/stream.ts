import { type RosterError, refusalOf, unreachable, unreadable } from './errors.ts';
import { type Message, MessageReader } from './server-sent-events.ts';

/** How the events of a service are reached. */
export interface StreamSource {
  /** Where they are, without what is asked of them. */
  url: string;
  headers: Record<string, string>;
  fetch: typeof globalThis.fetch;
  /** How long the service may take to begin, in milliseconds. */
  timeoutMs: number;
  /** After how many milliseconds without a byte a connection is taken for dead. */
  silenceMs: number;
}

/** One connection to the events. */
export interface EventStream {
  /** Everything it says until it ends; throws a RosterError of code `network` when it breaks or falls silent. */
  messages: AsyncGenerator<Message, void, undefined>;
  /** How long the service asks to wait before the next connection, in milliseconds. */
  retryMs(): number | undefined;
}

/** A connection that can be ended, and ends by itself when what it waits for does not come in time. */
class Deadline {
  readonly #controller = new AbortController();
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal | undefined) {
    this.signal = signal ? AbortSignal.any([signal, this.#controller.signal]) : this.#controller.signal;
  }

  /** What a promise gives, if it does so in time; throws a RosterError where it fails, and where it does not. */
  async within<Value>(promise: Promise<Value>, ms: number, url: string): Promise<Value> {
    const late = new DOMException('Nothing came in time', 'TimeoutError');
    const timer = setTimeout(() => this.#controller.abort(late), ms);
    try {
      return await promise;
    } catch (cause) {
      // Not every browser gives the reason of the signal.
      throw unreachable(url, this.#controller.signal.aborted ? late : cause, ms);
    } finally {
      clearTimeout(timer);
    }
  }

  end(): void {
    this.#controller.abort();
  }
}

/** Opens a connection after a cursor. Throws a RosterError where it is refused, or not answered in time. */
export async function openStream(
  source: StreamSource,
  { query, signal }: { query: URLSearchParams; signal: AbortSignal | undefined },
): Promise<EventStream> {
  const { url, fetch, timeoutMs } = source;
  // A header that no request can carry is a mistake in the key, and no failure of the network.
  const headers = new Headers({ ...source.headers, Accept: 'text/event-stream' });
  const deadline = new Deadline(signal);
  const search = query.toString();
  const opened = fetch(search === '' ? url : `${url}?${search}`, {
    headers,
    cache: 'no-store',
    signal: deadline.signal,
  });
  const response = await deadline.within(opened, timeoutMs, url);
  const type = response.headers.get('Content-Type') ?? '';
  if (response.ok && type.startsWith('text/event-stream') && response.body !== null) {
    const reader = new MessageReader(query.get('after') ?? undefined);
    const body = response.body.getReader();
    return { messages: messagesOf({ body, reader, deadline, source }), retryMs: () => reader.retryMs };
  }
  if (response.ok) {
    deadline.end();
    throw unreadable({ url, answer: response });
  }
  throw refusalOf(url, response, await deadline.within(response.text(), timeoutMs, url));
}

interface Connection {
  body: ReadableStreamDefaultReader<Uint8Array>;
  reader: MessageReader;
  deadline: Deadline;
  source: StreamSource;
}

async function* messagesOf({ body, reader, deadline, source }: Connection): EventStream['messages'] {
  try {
    for (;;) {
      const { done, value } = await deadline.within(body.read(), source.silenceMs, source.url);
      if (done) return;
      yield* reader.push(value);
    }
  } finally {
    deadline.end();
  }
}

/** The failure of a connection that ended, though events have no end. */
export function ended(url: string): RosterError {
  return unreachable(url, new Error('the connection was closed'), 0);
}
