import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createConsistency } from './consistency.ts';
import { followEvents } from './follow.ts';
import { createRosterClient, type FollowOptions, RosterError } from './index.ts';
import {
  type Answer,
  hangsUp,
  keepsSilent,
  refusesRest,
  type ScriptedServer,
  scriptedServer,
  streams,
} from './testing/scripted-server.ts';
import { taken } from './testing/taken.ts';

// The random part of a pause is left out.
beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterAll(() => void vi.restoreAllMocks());

const event = (position: number) => ({
  position,
  type: 'office.updated',
  subject: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  version: position,
  record: { name: 'Atlântico 東京' },
});

/** An event as the service sends it; its cursor is `c` and the position. */
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

async function following(...answers: [Answer, ...Answer[]]) {
  const server = await scriptedServer(...answers);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, client: createRosterClient({ url: server.url, key: 'rst_secret' }) };
}

const asked = ({ seen }: ScriptedServer) => seen.map(({ url }) => url);
const positions = (events: { position: number }[]) => events.map(({ position }) => position);

describe('what travels', () => {
  it('asks for what is wanted, with the key of the caller', async () => {
    const { server, client } = await following(streams([sent(1)]));
    const query = { after: 'c 0', types: ['office.updated', 'agent.deleted'] as const, subject: 'x' };
    await taken(client.events.follow({ ...query, types: [...query.types] }), 1);
    const { url, headers, method } = server.seen[0] ?? {};
    expect(`${method} ${url}`).toBe(
      'GET /events/stream?types=office.updated&types=agent.deleted&subject=x&after=c+0',
    );
    expect(headers).toMatchObject({ authorization: 'Bearer rst_secret', accept: 'text/event-stream' });
  });

  it('gives each event with the cursor to go on from', async () => {
    const { client } = await following(streams([': alive\n\n', sent(1), sent(2)]));
    expect(await taken(client.events.follow(), 2)).toEqual([
      { ...event(1), cursor: 'c1' },
      { ...event(2), cursor: 'c2' },
    ]);
  });

  it('gives an event as soon as it is there', async () => {
    const { client } = await following(streams([sent(1)], { isOpen: true }));
    expect(positions(await taken(client.events.follow(), 1))).toEqual([1]);
  });
});

describe('going on where it was', () => {
  const breaksOffLate: Answer = (request, response) => {
    streams([sent(1), sent(2), sent(3).slice(0, -30)], { isOpen: true })(request, response);
    setTimeout(() => request.socket.destroy(), 20);
  };

  it.each([
    ['the service ends the connection', streams([sent(1), sent(2)])],
    ['the connection breaks in the middle of an event', breaksOffLate],
  ])('leaves no event out and gives none twice when %s', async (_, answer) => {
    const { server, client } = await following(answer, streams([sent(2), sent(3), sent(4)]));
    const events = await taken(client.events.follow({ after: 'c0', subject: 'x' }), 4);
    expect(positions(events)).toEqual([1, 2, 3, 4]);
    expect(asked(server)).toEqual(['/events/stream?subject=x&after=c0', '/events/stream?subject=x&after=c2']);
  });

  it('goes on from an id that came without an event', async () => {
    const { server, client } = await following(streams([sent(1), 'id: c9\n\n']), streams([sent(10)]));
    await taken(client.events.follow(), 2);
    expect(asked(server)).toEqual(['/events/stream', '/events/stream?after=c9']);
  });

  it('goes on from the beginning as long as nothing came', async () => {
    const { server, client } = await following(streams([]), streams([sent(1)]));
    await taken(client.events.follow(), 1);
    expect(asked(server)).toEqual(['/events/stream', '/events/stream']);
  });

  const passing: [string, Answer][] = [
    ['a restart', hangsUp],
    ['a 503', refusesRest(problem(503, 'unavailable'), { 'Retry-After': '0' })],
    ['a 429', refusesRest(problem(429, 'rate_limited'), { 'Retry-After': '0' })],
    ['a 502 of a proxy, in HTML', (_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>')],
  ];

  it.each(passing)('outlives %s, more often than a call is tried', async (_, answer) => {
    const { server, client } = await following(
      streams([sent(1)]),
      answer,
      answer,
      answer,
      streams([sent(2)]),
    );
    expect(positions(await taken(client.events.follow(), 2))).toEqual([1, 2]);
    expect(server.seen).toHaveLength(5);
  });

  it('takes a connection that says nothing for dead', async () => {
    const server = await scriptedServer(streams([sent(1)], { isOpen: true }), streams([sent(2)]));
    onTestFinished(() => server[Symbol.asyncDispose]());
    const source = { url: server.url, headers: {}, fetch, timeoutMs: 5_000, silenceMs: 50 };
    const interruptions: string[] = [];
    const options: FollowOptions = { onInterruption: ({ message }) => interruptions.push(message) };
    const policy = { attemptsMax: 1, waitMaxMs: 0, isRepeatable: true };
    const events = await taken(
      followEvents({ source, policy, consistency: createConsistency() }, {}, options),
      2,
    );
    expect(positions(events)).toEqual([1, 2]);
    expect(interruptions).toEqual([`No answer from ${server.url}: nothing came within 0.05 s.`]);
  });

  it('waits as long as Retry-After asks, and says so', async () => {
    const later = refusesRest(problem(503, 'unavailable'), { 'Retry-After': '1' });
    const { client } = await following(streams([sent(1)]), later, streams([sent(2)]));
    const waits: [string, number][] = [];
    const onInterruption: FollowOptions['onInterruption'] = ({ code }, waitMs) => waits.push([code, waitMs]);
    const started = performance.now();
    await taken(client.events.follow({}, { onInterruption }), 2);
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
    expect(waits.map(([code]) => code)).toEqual(['network', 'unavailable']);
    expect(waits[1]?.[1]).toBeGreaterThanOrEqual(1_000);
  });

  it('waits as long as the stream asks before the next connection', async () => {
    const { client } = await following(streams(['retry: 300\n\n', sent(1)]), streams([sent(2)]));
    const waits: number[] = [];
    await taken(client.events.follow({}, { onInterruption: (_, waitMs) => waits.push(waitMs) }), 2);
    expect(waits[0]).toBeGreaterThanOrEqual(300);
  });
});

describe('what ends it', () => {
  it.each([
    [410, 'cursor_expired'],
    [401, 'unauthenticated'],
    [403, 'insufficient_scope'],
  ])('throws the problem of a %i, at once and after it has run', async (status, code) => {
    const { server, client } = await following(streams([sent(1)]), refusesRest(problem(status, code)));
    const feed = client.events.follow();
    await feed.next();
    const error = await feed.next().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RosterError);
    expect(error).toMatchObject({ code, status, requestId: 'r', message: `It is ${code}.` });
    await expect(client.events.follow().next()).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(3);
  });

  it('gives up like any call where the first connection never stands', async () => {
    const { server, client } = await following(hangsUp);
    await expect(client.events.follow().next()).rejects.toMatchObject({ code: 'network', status: 0 });
    expect(server.seen).toHaveLength(3);
  });

  it('gives up where the service does not begin in time', async () => {
    const { server } = await following(keepsSilent);
    const client = createRosterClient({ url: server.url, timeoutMs: 30, attempts: 1 });
    await expect(client.events.follow().next()).rejects.toMatchObject({
      code: 'network',
      message: `No answer from ${server.url}/events/stream: nothing came within 0.03 s.`,
    });
  });

  it.each([
    ['no stream', (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('hello')],
    ['no events', streams(['data: hello\n\n'])],
    ['an event without a cursor', streams([`data: ${JSON.stringify(event(1))}\n\n`])],
  ] satisfies [string, Answer][])('says so when %s is answered', async (_, answer) => {
    const { client } = await following(answer);
    await expect(client.events.follow().next()).rejects.toMatchObject({ code: 'unreadable_answer' });
  });

  it('leaves a key that no request can carry as the mistake it is', async () => {
    const client = createRosterClient({ url: 'http://127.0.0.1:1', key: '東京' });
    await expect(client.events.follow().next()).rejects.toBeInstanceOf(TypeError);
  });

  it('closes the connection when the loop is left', async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await following((request, response) => {
      request.socket.once('close', () => closed.resolve());
      streams([sent(1), sent(2)], { isOpen: true })(request, response);
    });
    await taken(client.events.follow(), 1);
    await closed.promise;
  });

  it('ends with `aborted` when its signal fires: while it reads, waits, and between two events', async () => {
    const later = refusesRest(problem(503, 'unavailable'), { 'Retry-After': '20' });
    const open = streams([sent(1), sent(2)], { isOpen: true });
    const { client } = await following(open, open, streams([sent(1)]), later);
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

  it('leaves nothing on the signal of the caller, however often it was interrupted', async () => {
    const { client } = await following(streams([sent(1)]), hangsUp, hangsUp, streams([sent(2)]));
    const { signal } = new AbortController();
    expect(positions(await taken(client.events.follow({}, { signal }), 2))).toEqual([1, 2]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('sends nothing when its signal has already fired', async () => {
    const { server, client } = await following(streams([sent(1)]));
    const feed = client.events.follow({}, { signal: AbortSignal.abort() });
    await expect(feed.next()).rejects.toMatchObject({ code: 'aborted' });
    expect(server.seen).toHaveLength(0);
  });
});
