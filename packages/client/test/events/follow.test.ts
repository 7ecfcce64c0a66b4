import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { followEvents } from '../../src/events/follow.ts';
import { createRosterClient, type FollowOptions, RosterError } from '../../src/index.ts';
import { collect } from '../support/outcomes.ts';
import {
  closesConnection,
  hangs,
  type Responder,
  rejectsRest,
  type ScriptedServer,
  scriptedServer,
  streams,
} from '../support/scripted-server.ts';

// Pauses have no random part.
beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterAll(() => void vi.restoreAllMocks());

const event = (position: number) => ({
  position,
  type: 'office.updated',
  subject: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  version: position,
  record: { name: 'Atlântico 東京' },
});

/** An event in the format of the stream; its cursor is `c` and the position. */
const sent = (position: number) => `id: c${position}\ndata: ${JSON.stringify(event(position))}\n\n`;

const problem = (status: number, code: string) => ({
  status,
  code,
  type: `/docs/errors#${code}`,
  title: code,
  detail: `It is ${code}.`,
  instance: '/events/stream',
  requestId: 'r',
});

async function startFollowing(...responses: [Responder, ...Responder[]]) {
  const server = await scriptedServer(...responses);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, client: createRosterClient({ url: server.url, key: 'rst_secret' }) };
}

const urlsOf = ({ requests }: ScriptedServer) => requests.map(({ url }) => url);
const positions = (events: { position: number }[]) => events.map(({ position }) => position);

describe('the request of follow', () => {
  it('has the query, and the API key of the client', async () => {
    const { server, client } = await startFollowing(streams([sent(1)]));
    const query = { after: 'c 0', types: ['office.updated', 'agent.deleted'] as const, subject: 'x' };
    await collect(client.events.follow({ ...query, types: [...query.types] }), 1);
    const { url, headers, method } = server.requests[0] ?? {};
    expect(`${method} ${url}`).toBe(
      'GET /events/stream?types=office.updated&types=agent.deleted&subject=x&after=c+0',
    );
    expect(headers).toMatchObject({ authorization: 'Bearer rst_secret', accept: 'text/event-stream' });
  });

  it('yields each event with its cursor', async () => {
    const { client } = await startFollowing(streams([': alive\n\n', sent(1), sent(2)]));
    expect(await collect(client.events.follow(), 2)).toEqual([
      { ...event(1), cursor: 'c1' },
      { ...event(2), cursor: 'c2' },
    ]);
  });

  it('yields an event as soon as it arrives', async () => {
    const { client } = await startFollowing(streams([sent(1)], { isOpen: true }));
    expect(positions(await collect(client.events.follow(), 1))).toEqual([1]);
  });
});

describe('follow tells', () => {
  it('at which cursor a connection begins, so that a follower without an event can continue there', async () => {
    const begins = (cursor: string) => `id: ${cursor}\n\n`;
    const { client } = await startFollowing(streams([begins('c0')]), streams([begins('c0'), sent(1)]));
    const told: string[] = [];
    const options: FollowOptions = {
      onConnected: () => told.push('connected'),
      onCursor: (cursor) => told.push(cursor),
    };
    await collect(client.events.follow({}, options), 1);
    expect(told).toEqual(['connected', 'c0', 'connected', 'c0']);
  });
});

describe('follow reconnects', () => {
  const closesDuringEvent: Responder = (request, response) => {
    streams([sent(1), sent(2), sent(3).slice(0, -30)], { isOpen: true })(request, response);
    setTimeout(() => request.socket.destroy(), 20);
  };

  it.each([
    ['the service closes the connection', streams([sent(1), sent(2)])],
    ['the connection breaks during an event', closesDuringEvent],
  ])('and yields each event exactly once when %s', async (_, responder) => {
    const { server, client } = await startFollowing(responder, streams([sent(2), sent(3), sent(4)]));
    const events = await collect(client.events.follow({ after: 'c0', subject: 'x' }), 4);
    expect(positions(events)).toEqual([1, 2, 3, 4]);
    expect(urlsOf(server)).toEqual([
      '/events/stream?subject=x&after=c0',
      '/events/stream?subject=x&after=c2',
    ]);
  });

  it('after an id that came without an event', async () => {
    const { server, client } = await startFollowing(streams([sent(1), 'id: c9\n\n']), streams([sent(10)]));
    await collect(client.events.follow(), 2);
    expect(urlsOf(server)).toEqual(['/events/stream', '/events/stream?after=c9']);
  });

  it('from the beginning if no event came', async () => {
    const { server, client } = await startFollowing(streams([]), streams([sent(1)]));
    await collect(client.events.follow(), 1);
    expect(urlsOf(server)).toEqual(['/events/stream', '/events/stream']);
  });

  const transient: [string, Responder][] = [
    ['a restart', closesConnection],
    ['a 503', rejectsRest(problem(503, 'unavailable'), { 'Retry-After': '0' })],
    ['a 429', rejectsRest(problem(429, 'rate_limited'), { 'Retry-After': '0' })],
    ['a 502 of a proxy, in HTML', (_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>')],
  ];

  it.each(transient)('after %s, more often than a call is attempted', async (_, responder) => {
    const { server, client } = await startFollowing(
      streams([sent(1)]),
      responder,
      responder,
      responder,
      streams([sent(2)]),
    );
    expect(positions(await collect(client.events.follow(), 2))).toEqual([1, 2]);
    expect(server.requests).toHaveLength(5);
  });

  it('after a connection without a byte for the idle timeout', async () => {
    const server = await scriptedServer(streams([sent(1)], { isOpen: true }), streams([sent(2)]));
    onTestFinished(() => server[Symbol.asyncDispose]());
    const source = { url: server.url, headers: {}, fetch, timeoutMs: 5_000, idleTimeoutMs: 50 };
    const interruptions: string[] = [];
    const options: FollowOptions = { onInterruption: ({ message }) => interruptions.push(message) };
    const policy = { attemptsMax: 1, retryAfterMaxMs: 0, isRepeatable: true };
    const events = await collect(followEvents({ source, policy }, {}, options), 2);
    expect(positions(events)).toEqual([1, 2]);
    expect(interruptions).toEqual([`No response from ${server.url}: timeout after 0.05 s.`]);
  });

  it('after the time of Retry-After, which it reports', async () => {
    const unavailable = rejectsRest(problem(503, 'unavailable'), { 'Retry-After': '1' });
    const { client } = await startFollowing(streams([sent(1)]), unavailable, streams([sent(2)]));
    const waits: [string, number][] = [];
    const onInterruption: FollowOptions['onInterruption'] = ({ code }, delayMs) =>
      waits.push([code, delayMs]);
    const started = performance.now();
    await collect(client.events.follow({}, { onInterruption }), 2);
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
    expect(waits.map(([code]) => code)).toEqual(['network', 'unavailable']);
    expect(waits[1]?.[1]).toBeGreaterThanOrEqual(1_000);
  });

  it('after the time that the stream asks for', async () => {
    const { client } = await startFollowing(streams(['retry: 300\n\n', sent(1)]), streams([sent(2)]));
    const waits: number[] = [];
    await collect(client.events.follow({}, { onInterruption: (_, delayMs) => waits.push(delayMs) }), 2);
    expect(waits[0]).toBeGreaterThanOrEqual(300);
  });
});

describe('follow continues if the service ends the stream with a problem', () => {
  const ended = (status: number, code: string) =>
    streams([sent(1), `event: problem\ndata: ${JSON.stringify(problem(status, code))}\n\n`]);

  it('that may pass, after the last event', async () => {
    const { server, client } = await startFollowing(ended(503, 'unavailable'), streams([sent(2)]));
    expect(positions(await collect(client.events.follow(), 2))).toEqual([1, 2]);
    expect(urlsOf(server)).toEqual(['/events/stream', '/events/stream?after=c1']);
  });

  it('and rejects with one that does not', async () => {
    const { client } = await startFollowing(ended(401, 'unauthenticated'));
    await expect(collect(client.events.follow(), 2)).rejects.toMatchObject({
      code: 'unauthenticated',
      status: 401,
    });
  });
});

describe('follow ends', () => {
  it.each([
    [410, 'cursor_expired'],
    [401, 'unauthenticated'],
    [403, 'insufficient_scope'],
  ])('with the problem of a %i, at the start and later', async (status, code) => {
    const { server, client } = await startFollowing(streams([sent(1)]), rejectsRest(problem(status, code)));
    const feed = client.events.follow();
    await feed.next();
    const error = await feed.next().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RosterError);
    expect(error).toMatchObject({ code, status, requestId: 'r', message: `It is ${code}.` });
    await expect(client.events.follow().next()).rejects.toMatchObject({ code });
    expect(server.requests).toHaveLength(3);
  });

  it('like any call if the first connection cannot be established', async () => {
    const { server, client } = await startFollowing(closesConnection);
    await expect(client.events.follow().next()).rejects.toMatchObject({ code: 'network', status: 0 });
    expect(server.requests).toHaveLength(3);
  });

  it('after the timeout if the service does not respond', async () => {
    const { server } = await startFollowing(hangs);
    const client = createRosterClient({ url: server.url, timeoutMs: 30, attempts: 1 });
    await expect(client.events.follow().next()).rejects.toMatchObject({
      code: 'network',
      message: `No response from ${server.url}/events/stream: timeout after 0.03 s.`,
    });
  });

  it.each([
    ['a page', (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('hello')],
    ['text', streams(['data: hello\n\n'])],
    ['an event without a cursor', streams([`data: ${JSON.stringify(event(1))}\n\n`])],
  ] satisfies [string, Responder][])('with invalid_response if the response is %s', async (_, responder) => {
    const { client } = await startFollowing(responder);
    await expect(client.events.follow().next()).rejects.toMatchObject({ code: 'invalid_response' });
  });

  it('with a TypeError for a key that a header cannot contain', async () => {
    const client = createRosterClient({ url: 'http://127.0.0.1:1', key: '東京' });
    await expect(client.events.follow().next()).rejects.toBeInstanceOf(TypeError);
  });

  it('and closes the connection when the loop is left', async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await startFollowing((request, response) => {
      request.socket.once('close', () => closed.resolve());
      streams([sent(1), sent(2)], { isOpen: true })(request, response);
    });
    await collect(client.events.follow(), 1);
    await closed.promise;
  });

  it('with `aborted` when its signal fires: while reading, waiting, and between two events', async () => {
    const unavailable = rejectsRest(problem(503, 'unavailable'), { 'Retry-After': '20' });
    const open = streams([sent(1), sent(2)], { isOpen: true });
    const { client } = await startFollowing(open, open, streams([sent(1)]), unavailable);
    const aborted = { name: 'RosterError', code: 'aborted', cause: { message: 'enough' } };
    const controller = new AbortController();
    const between = client.events.follow({}, { signal: controller.signal });
    await between.next();
    controller.abort(new Error('enough'));
    await expect(between.next()).rejects.toMatchObject(aborted);

    const whileReading = new AbortController();
    const reading = client.events.follow({}, { signal: whileReading.signal });
    await reading.next();
    await reading.next();
    const third = reading.next();
    whileReading.abort(new Error('enough'));
    await expect(third).rejects.toMatchObject(aborted);

    const whileWaiting = new AbortController();
    const onInterruption: FollowOptions['onInterruption'] = ({ code }) => {
      if (code === 'unavailable') queueMicrotask(() => whileWaiting.abort(new Error('enough')));
    };
    const waiting = client.events.follow({}, { signal: whileWaiting.signal, onInterruption });
    await waiting.next();
    await expect(waiting.next()).rejects.toMatchObject(aborted);
  });

  it('without listeners on the signal of the caller, even after interruptions', async () => {
    const { client } = await startFollowing(
      streams([sent(1)]),
      closesConnection,
      closesConnection,
      streams([sent(2)]),
    );
    const { signal } = new AbortController();
    expect(positions(await collect(client.events.follow({}, { signal }), 2))).toEqual([1, 2]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('without a request if its signal has already fired', async () => {
    const { server, client } = await startFollowing(streams([sent(1)]));
    const feed = client.events.follow({}, { signal: AbortSignal.abort() });
    await expect(feed.next()).rejects.toMatchObject({ code: 'aborted' });
    expect(server.requests).toHaveLength(0);
  });
});
