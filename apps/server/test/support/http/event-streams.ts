import type { Event } from '@roster/api';
import type { TestServer } from '../index.ts';
import { type Message, messagesOf, take } from './server-sent-events.ts';

interface Following {
  query?: string;
  headers?: Record<string, string>;
}

/** Opens the stream of events of a server, with all rights unless the headers say otherwise; it is left when it is disposed of. */
export async function follow(server: TestServer, { query = '', headers = {} }: Following = {}) {
  const left = new AbortController();
  const response = await fetch(`${server.url}/events/stream?${query}`, {
    headers: { Authorization: `Bearer ${server.key}`, ...headers },
    signal: left.signal,
  });
  const messages = messagesOf(response);
  return {
    response,
    messages,
    events: async (count: number) => (await take(messages, count)).map(eventOf),
    [Symbol.dispose]: () => left.abort(),
  };
}

/** The event of a message. */
export const eventOf = ({ data = '' }: Message) => JSON.parse(data) as Event;
