import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRosterClient, RosterError } from '../../src/index.ts';
import { collect } from '../support/outcomes.ts';
import {
  closesConnection,
  type Responder,
  rejectsRest,
  scriptedServer,
  streams,
} from '../support/scripted-server.ts';

// Pauses have no random part.
beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterAll(() => void vi.restoreAllMocks());

const event = (position: number) => ({ position, type: 'office.updated', version: position });
const sent = (position: number) => `id: c${position}\ndata: ${JSON.stringify(event(position))}\n\n`;
const data = (position: number) => ({ id: `c${position}`, data: event(position) });

async function subscribing(...responders: [Responder, ...Responder[]]) {
  const server = await scriptedServer(...responders);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, client: createRosterClient({ url: server.url, key: 'rst_secret', attempts: 1 }) };
}

/** Records all callbacks in order, as short texts and the data. */
function recorder() {
  const seen: unknown[] = [];
  const record = (what: unknown) => void seen.push(what);
  const callbacks = {
    onStarted: () => record('started'),
    onData: record,
    onError: (error: unknown) => record(error instanceof RosterError ? `error ${error.code}` : error),
    onStopped: () => record('stopped'),
    onComplete: () => record('complete'),
    onConnectionStateChange: ({ state, error }: { state: string; error: unknown }) =>
      record(error instanceof RosterError ? `${state} ${error.code}` : state),
  };
  return { seen, callbacks };
}

describe('a subscription to the events', () => {
  it('sends the key in a header, and reconnects after a broken connection', async () => {
    const { server, client } = await subscribing(streams([sent(1)]), streams([sent(2)], { isOpen: true }));
    const { seen, callbacks } = recorder();
    const subscription = client.events.stream.subscribe({ types: ['office.updated'] }, callbacks);
    await expect.poll(() => seen).toContainEqual(data(2));
    subscription.unsubscribe();
    expect(seen).toEqual([
      'connecting',
      ...['started', 'pending', data(1)],
      'connecting network',
      ...['started', 'pending', data(2)],
    ]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/events/stream?types=office.updated',
      '/events/stream?types=office.updated&after=c1',
    ]);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer rst_secret');
  });

  it('starts after the lastEventId of tRPC', async () => {
    const { server, client } = await subscribing(streams([sent(8)], { isOpen: true }));
    const events = client.events.stream.subscribe({ after: '3', lastEventId: '7' });
    const [first] = await collect(events, 1);
    expect(first).toEqual(data(8));
    expect(server.requests[0]?.url).toBe('/events/stream?after=7');
  });

  it('ends with the error of the service if it is not transient', async () => {
    const problem = { status: 410, code: 'cursor_expired', title: 'x', detail: 'x', requestId: 'r' };
    const { client } = await subscribing(rejectsRest(problem));
    const { seen, callbacks } = recorder();
    client.events.stream.subscribe({ after: '1' }, callbacks);
    await expect.poll(() => seen).toEqual(['connecting', 'error cursor_expired']);
  });

  it('ends without an error when its signal fires, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await subscribing((request, response) => {
      response.once('close', closed.resolve);
      streams([sent(1)], { isOpen: true })(request, response);
    });
    const controller = new AbortController();
    const { seen, callbacks } = recorder();
    client.events.stream.subscribe({}, { ...callbacks, signal: controller.signal });
    await expect.poll(() => seen).toContainEqual(data(1));
    controller.abort();
    await closed.promise;
    await expect.poll(() => seen.slice(-3)).toEqual(['stopped', 'idle', 'complete']);
  });

  it('calls no callback after unsubscribe, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await subscribing((request, response) => {
      response.once('close', closed.resolve);
      streams([sent(1)], { isOpen: true })(request, response);
    }, closesConnection);
    const { seen, callbacks } = recorder();
    const subscription = client.events.stream.subscribe({}, callbacks);
    await expect.poll(() => seen).toContainEqual(data(1));
    subscription.unsubscribe();
    await closed.promise;
    expect(seen).toEqual(['connecting', 'started', 'pending', data(1)]);
  });
});
