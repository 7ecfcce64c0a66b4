import { TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { createRosterClient } from './index.ts';
import { refusalOf } from './testing/refusal.ts';
import {
  type Answer,
  breaksOff,
  hangsUp,
  refuses,
  scriptedServer,
  succeeds,
  unavailable,
} from './testing/scripted-server.ts';

const id = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
const office = { id, name: 'Atlântico' };

const emailTaken = {
  type: '/docs/errors#email_taken',
  title: 'Another agent has this e-mail address',
  status: 409,
  detail: 'email is the e-mail address of another agent.',
  instance: '/trpc/agents.create',
  code: 'email_taken',
  requestId: 'req-1',
  errors: [{ pointer: '#/email', code: 'taken', detail: 'is the e-mail address of another agent' }],
};

describe('what travels', () => {
  it('sends the key of the caller with every call', async () => {
    await using server = await scriptedServer(succeeds(office));
    const client = createRosterClient({ url: server.url, key: 'rst_secret' });
    await client.offices.get.query({ id });
    await client.offices.create.mutate({ name: 'Atlântico' }, { context: { idempotencyKey: 'k' } });
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer rst_secret',
      'Bearer rst_secret',
    ]);
  });

  it('sends no Authorization without a key', async () => {
    await using server = await scriptedServer(succeeds(office));
    await createRosterClient({ url: server.url }).offices.get.query({ id });
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  it('keeps the path of the base URL, with or without a slash at its end', async () => {
    await using server = await scriptedServer(succeeds(office));
    await createRosterClient({ url: `${server.url}/directory/` }).offices.get.query({ id });
    await createRosterClient({ url: `${server.url}/directory` }).offices.get.query({ id });
    for (const { url } of server.seen) expect(url).toMatch(/^\/directory\/trpc\/offices\.get\?/);
  });

  it('puts calls of one tick into batches of 20 at most', async () => {
    await using server = await scriptedServer(succeeds(office));
    const client = createRosterClient({ url: server.url });
    await Promise.all(Array.from({ length: 45 }, () => client.offices.get.query({ id })));
    const sizes = server.seen.map(({ url }) => url.split('?')[0]?.split(',').length);
    expect(sizes).toEqual([20, 20, 5]);
  });

  it('lets the service judge an input too long for a URL', async () => {
    await using server = await scriptedServer(succeeds({ items: [] }));
    const client = createRosterClient({ url: server.url });
    await client.offices.list.query({ q: 'x'.repeat(9_000) });
    expect(server.seen[0]?.url.length).toBeGreaterThan(9_000);
  });

  it.each([
    [{ attempts: 0 }, 'attempts must be 1 or more, and is 0'],
    [{ attempts: Number.NaN }, 'attempts must be 1 or more, and is NaN'],
    [{ timeoutMs: 0 }, 'timeoutMs must be from 1 to 2147483647, and is 0'],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs must be from 1 to 2147483647, and is Infinity'],
  ])('refuses %o when the client is made', (options, message) => {
    expect(() => createRosterClient({ url: 'http://127.0.0.1', ...options })).toThrow(
      new RangeError(message),
    );
  });

  it('refuses a URL that is none when the client is made', () => {
    expect(() => createRosterClient({ url: 'localhost:3000' })).toThrow(TypeError);
    expect(() => createRosterClient({ url: 'nothing' })).toThrow(
      'url must be an http or https URL, and is "nothing"',
    );
  });
});

describe('what is tried again', () => {
  const passing: [string, Answer][] = [
    ['a 503', unavailable()],
    ['a connection that breaks before the answer', hangsUp],
    ['a connection that breaks in the middle of the answer', breaksOff],
    ['a 502 of a proxy, in HTML', (_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>')],
  ];

  it.each(passing)('repeats a query after %s', async (_, answer) => {
    await using server = await scriptedServer(answer, succeeds(office));
    expect(await createRosterClient({ url: server.url }).offices.get.query({ id })).toEqual(office);
    expect(server.seen).toHaveLength(2);
  });

  it.each(passing)(
    'repeats a mutation that has an idempotency key after %s, with the same key',
    async (_, answer) => {
      await using server = await scriptedServer(answer, succeeds(office));
      const client = createRosterClient({ url: server.url });
      const created = await client.offices.create.mutate(
        { name: 'x' },
        { context: { idempotencyKey: 'once' } },
      );
      expect(created).toEqual(office);
      expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['once', 'once']);
    },
  );

  it.each(passing)('never repeats another mutation after %s', async (_, answer) => {
    await using server = await scriptedServer(answer, succeeds(office));
    await refusalOf(createRosterClient({ url: server.url }).offices.delete.mutate({ id }));
    expect(server.seen).toHaveLength(1);
  });

  it('repeats any mutation that was not begun, because it was over the rate', async () => {
    const overRate = { ...emailTaken, status: 429, code: 'rate_limited', errors: undefined };
    await using server = await scriptedServer(refuses(overRate, { 'Retry-After': '0' }), succeeds(office));
    await createRosterClient({ url: server.url }).offices.delete.mutate({ id });
    expect(server.seen).toHaveLength(2);
  });

  it('waits as long as Retry-After asks', async () => {
    await using server = await scriptedServer(unavailable({ 'Retry-After': '1' }), succeeds(office));
    const started = performance.now();
    await createRosterClient({ url: server.url }).offices.get.query({ id });
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  it('does not wait for a Retry-After that is longer than a request may take', async () => {
    await using server = await scriptedServer(unavailable({ 'Retry-After': '3600' }));
    const error = await refusalOf(createRosterClient({ url: server.url }).offices.get.query({ id }));
    expect(error.retryAfterMs).toBe(3_600_000);
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    [undefined, 3],
    [1, 1],
    [2, 2],
  ])('with attempts: %s tries %i times', async (attempts, expected) => {
    await using server = await scriptedServer(unavailable());
    const client = createRosterClient({ url: server.url, ...(attempts !== undefined && { attempts }) });
    const error = await refusalOf(client.offices.get.query({ id }));
    expect(error).toMatchObject({ code: 'unavailable', status: 503 });
    expect(server.seen).toHaveLength(expected);
  });

  it('waits for the answer of an attempt that still runs', async () => {
    const running = { ...emailTaken, code: 'idempotency_in_progress', errors: undefined };
    await using server = await scriptedServer(hangsUp, refuses(running), succeeds(office));
    const client = createRosterClient({ url: server.url });
    const call = client.offices.create.mutate({ name: 'x' }, { context: { idempotencyKey: 'once' } });
    expect(await call).toEqual(office);
    expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['once', 'once', 'once']);
  });

  it('does not repeat what was refused for good', async () => {
    await using server = await scriptedServer(refuses({ ...emailTaken, status: 404, code: 'not_found' }));
    await refusalOf(createRosterClient({ url: server.url }).offices.get.query({ id }));
    expect(server.seen).toHaveLength(1);
  });
});

describe('what an error says', () => {
  it('carries every field of the problem', async () => {
    await using server = await scriptedServer(refuses(emailTaken));
    const client = createRosterClient({ url: server.url });
    const error = await refusalOf(client.agents.create.mutate({ firstName: 'Ana', lastName: 'Reis' }));
    expect(error).toMatchObject({ ...emailTaken, name: 'RosterError', message: emailTaken.detail });
    expect(JSON.parse(JSON.stringify(error))).toEqual(emailTaken);
  });

  it('carries the counts of has_dependents', async () => {
    const problem = { ...emailTaken, code: 'has_dependents', errors: undefined, dependents: { agents: 3 } };
    await using server = await scriptedServer(refuses(problem));
    const error = await refusalOf(createRosterClient({ url: server.url }).offices.delete.mutate({ id }));
    expect(error.dependents).toEqual({ agents: 3 });
    expect(error.errors).toEqual([]);
  });

  it('carries the version of version_conflict', async () => {
    const problem = { ...emailTaken, code: 'version_conflict', errors: undefined, currentVersion: 4 };
    await using server = await scriptedServer(refuses(problem));
    const error = await refusalOf(createRosterClient({ url: server.url }).offices.delete.mutate({ id }));
    expect(error.currentVersion).toBe(4);
    expect(error.toJSON()).toMatchObject({ currentVersion: 4 });
  });

  it('is an error of tRPC too, with its shape and the answer behind it', async () => {
    await using server = await scriptedServer(refuses(emailTaken));
    const error = await refusalOf(createRosterClient({ url: server.url }).offices.get.query({ id }));
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(error.data?.problem.code).toBe('email_taken');
    expect(error.meta?.response).toMatchObject({ status: 409 });
  });

  it('names the URL where nothing listens', async () => {
    const server = await scriptedServer(hangsUp);
    await server[Symbol.asyncDispose]();
    const error = await refusalOf(createRosterClient({ url: server.url }).offices.get.query({ id }));
    expect(error).toMatchObject({ code: 'network', status: 0, requestId: undefined });
    expect(error.message).toBe(`No answer from ${server.url}/trpc: nothing listens there.`);
  });

  it.each([
    ['in HTML', '<h1>Hello</h1>'],
    ['in other JSON', '{"hello":"world"}'],
  ])('says so when something other than Roster answers %s', async (_, body) => {
    const answer: Answer = (_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(body);
    await using server = await scriptedServer(answer);
    const error = await refusalOf(createRosterClient({ url: server.url }).offices.get.query({ id }));
    expect(error).toMatchObject({ code: 'unreadable_answer', status: 200 });
    expect(error.message).toContain(`${server.url}/trpc answered 200 (text/html)`);
  });

  it('leaves a mistake in the call itself as it is', async () => {
    await using server = await scriptedServer(succeeds(office));
    const client = createRosterClient({ url: server.url });
    const unsendable = { context: { idempotencyKey: '東京' } };
    await expect(client.offices.create.mutate({ name: 'x' }, unsendable)).rejects.toThrow('ByteString');
    const circular: { name: string; metadata?: unknown } = { name: 'x' };
    circular.metadata = circular;
    const call = client.offices.create.mutate(circular as { name: string });
    await expect(call).rejects.toThrow('circular');
    expect(server.seen).toHaveLength(0);
  });
});
