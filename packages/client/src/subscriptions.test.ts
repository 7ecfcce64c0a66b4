import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRosterClient, RosterError } from './index.ts';
import { type Answer, hangsUp, refusesRest, scriptedServer, streams } from './testing/scripted-server.ts';
import { taken } from './testing/taken.ts';

// The random part of a pause is left out.
beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterAll(() => void vi.restoreAllMocks());

const event = (position: number) => ({ position, type: 'office.updated', version: position });
const sent = (position: number) => `id: c${position}\ndata: ${JSON.stringify(event(position))}\n\n`;
const data = (position: number) => ({ id: `c${position}`, data: event(position) });

async function serving(...answers: [Answer, ...Answer[]]) {
  const server = await scriptedServer(...answers);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, client: createRosterClient({ url: server.url, key: 'rst_secret', attempts: 1 }) };
}

/** Everything that a subscriber is told, in order, as short texts and the data. */
function recorder() {
  const seen: unknown[] = [];
  const note = (what: unknown) => void seen.push(what);
  const callbacks = {
    onStarted: () => note('started'),
    onData: note,
    onError: (error: unknown) => note(error instanceof RosterError ? `error ${error.code}` : error),
    onStopped: () => note('stopped'),
    onComplete: () => note('complete'),
    onConnectionStateChange: ({ state, error }: { state: string; error: unknown }) =>
      note(error instanceof RosterError ? `${state} ${error.code}` : state),
  };
  return { seen, callbacks };
}

describe('a subscription to the events', () => {
  it('sends the key in a header, and resumes after a broken connection', async () => {
    const { server, client } = await serving(streams([sent(1)]), streams([sent(2)], { isOpen: true }));
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
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/events/stream?types=office.updated',
      '/events/stream?types=office.updated&after=c1',
    ]);
    expect(server.seen[0]?.headers.authorization).toBe('Bearer rst_secret');
  });

  it('begins where tRPC says it stopped', async () => {
    const { server, client } = await serving(streams([sent(8)], { isOpen: true }));
    const events = client.events.stream.subscribe({ after: '3', lastEventId: '7' });
    const [first] = await taken(events, 1);
    expect(first).toEqual(data(8));
    expect(server.seen[0]?.url).toBe('/events/stream?after=7');
  });

  it('ends with the error of the service where going on makes no sense', async () => {
    const problem = { status: 410, code: 'cursor_expired', title: 'x', detail: 'x', requestId: 'r' };
    const { client } = await serving(refusesRest(problem));
    const { seen, callbacks } = recorder();
    client.events.stream.subscribe({ after: '1' }, callbacks);
    await expect.poll(() => seen).toEqual(['connecting', 'error cursor_expired']);
  });

  it('ends without an error when its signal fires, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await serving((request, response) => {
      response.once('close', closed.resolve);
      streams([sent(1)], { isOpen: true })(request, response);
    });
    const leaving = new AbortController();
    const { seen, callbacks } = recorder();
    client.events.stream.subscribe({}, { ...callbacks, signal: leaving.signal });
    await expect.poll(() => seen).toContainEqual(data(1));
    leaving.abort();
    await closed.promise;
    await expect.poll(() => seen.slice(-3)).toEqual(['stopped', 'idle', 'complete']);
  });

  it('that is left says nothing more, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await serving((request, response) => {
      response.once('close', closed.resolve);
      streams([sent(1)], { isOpen: true })(request, response);
    }, hangsUp);
    const { seen, callbacks } = recorder();
    const subscription = client.events.stream.subscribe({}, callbacks);
    await expect.poll(() => seen).toContainEqual(data(1));
    subscription.unsubscribe();
    await closed.promise;
    expect(seen).toEqual(['connecting', 'started', 'pending', data(1)]);
  });
});
