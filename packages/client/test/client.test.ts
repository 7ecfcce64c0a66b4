import { TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { callsByName, createRosterClient } from '../src/index.ts';
import { errorOf } from './support/outcomes.ts';
import {
  closesConnection,
  closesDuringBody,
  type Responder,
  rejects,
  scriptedServer,
  succeeds,
  unavailable,
} from './support/scripted-server.ts';

const id = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
const office = { id, name: 'Atlântico' };

const emailTaken = {
  type: '/docs/errors#email_taken',
  title: 'Email already in use',
  status: 409,
  detail: 'email is already in use by another agent.',
  instance: '/trpc/agents.create',
  code: 'email_taken',
  requestId: 'req-1',
  errors: [{ pointer: '#/email', code: 'taken', detail: 'is already in use by another agent' }],
};

describe('requests of the client', () => {
  it('have the API key of the client', async () => {
    await using server = await scriptedServer(succeeds(office));
    const client = createRosterClient({ url: server.url, key: 'rst_secret' });
    await client.offices.get.query({ id });
    await client.offices.create.mutate({ name: 'Atlântico' }, { context: { idempotencyKey: 'k' } });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer rst_secret',
      'Bearer rst_secret',
    ]);
  });

  it('have no Authorization without a key', async () => {
    await using server = await scriptedServer(succeeds(office));
    await createRosterClient({ url: server.url }).offices.get.query({ id });
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('keep the path of the base URL, with or without a trailing slash', async () => {
    await using server = await scriptedServer(succeeds(office));
    await createRosterClient({ url: `${server.url}/directory/` }).offices.get.query({ id });
    await createRosterClient({ url: `${server.url}/directory` }).offices.get.query({ id });
    for (const { url } of server.requests) expect(url).toMatch(/^\/directory\/trpc\/offices\.get\?/);
  });

  it('batch calls of one tick, 20 at most', async () => {
    await using server = await scriptedServer(succeeds(office));
    const client = createRosterClient({ url: server.url });
    await Promise.all(Array.from({ length: 45 }, () => client.offices.get.query({ id })));
    const sizes = server.requests.map(({ url }) => url.split('?')[0]?.split(',').length);
    expect(sizes).toEqual([20, 20, 5]);
  });

  it('by name are those of the typed procedures, with their keys, retries and errors', async () => {
    await using server = await scriptedServer(unavailable(), succeeds(office), rejects(emailTaken));
    const { query, mutate } = callsByName(createRosterClient({ url: server.url }));
    expect(await query('offices.get', { id })).toEqual(office);
    expect(await errorOf(mutate('agents.create', {}))).toMatchObject({ code: 'email_taken' });
    expect(
      server.requests.map(({ url, headers }) => [url.split('?')[0], 'idempotency-key' in headers]),
    ).toEqual([
      ['/trpc/offices.get', false],
      ['/trpc/offices.get', false],
      ['/trpc/agents.create', true],
    ]);
  });

  it('send an input that is too long for a URL, so that the service rejects it', async () => {
    await using server = await scriptedServer(succeeds({ items: [] }));
    const client = createRosterClient({ url: server.url });
    await client.offices.list.query({ q: 'x'.repeat(9_000) });
    expect(server.requests[0]?.url.length).toBeGreaterThan(9_000);
  });

  it.each([
    [{ attempts: 0 }, 'attempts must be 1 or more, but is 0'],
    [{ attempts: Number.NaN }, 'attempts must be 1 or more, but is NaN'],
    [{ timeoutMs: 0 }, 'timeoutMs must be from 1 to 2147483647, but is 0'],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs must be from 1 to 2147483647, but is Infinity'],
  ])('createRosterClient rejects %o', (options, message) => {
    expect(() => createRosterClient({ url: 'http://127.0.0.1', ...options })).toThrow(
      new RangeError(message),
    );
  });

  it('createRosterClient rejects an invalid URL', () => {
    expect(() => createRosterClient({ url: 'localhost:3000' })).toThrow(TypeError);
    expect(() => createRosterClient({ url: 'nothing' })).toThrow(
      'url must be an http or https URL, but is "nothing"',
    );
  });
});

describe('retries', () => {
  const transient: [string, Responder][] = [
    ['a 503', unavailable()],
    ['a connection that breaks before the response', closesConnection],
    ['a connection that breaks during the response', closesDuringBody],
    ['a 502 of a proxy, in HTML', (_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>')],
  ];

  it.each(transient)('retries a query after %s', async (_, responder) => {
    await using server = await scriptedServer(responder, succeeds(office));
    expect(await createRosterClient({ url: server.url }).offices.get.query({ id })).toEqual(office);
    expect(server.requests).toHaveLength(2);
  });

  it.each(transient)(
    'retries a mutation with an idempotency key after %s, with the same key',
    async (_, responder) => {
      await using server = await scriptedServer(responder, succeeds(office));
      const client = createRosterClient({ url: server.url });
      const created = await client.offices.create.mutate(
        { name: 'x' },
        { context: { idempotencyKey: 'once' } },
      );
      expect(created).toEqual(office);
      expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['once', 'once']);
    },
  );

  it.each(transient)('does not retry another mutation after %s', async (_, responder) => {
    await using server = await scriptedServer(responder, succeeds(office));
    await errorOf(createRosterClient({ url: server.url }).offices.delete.mutate({ id }));
    expect(server.requests).toHaveLength(1);
  });

  it('retries any mutation that was over the rate limit, because it was not started', async () => {
    const overRate = { ...emailTaken, status: 429, code: 'rate_limited', errors: undefined };
    await using server = await scriptedServer(rejects(overRate, { 'Retry-After': '0' }), succeeds(office));
    await createRosterClient({ url: server.url }).offices.delete.mutate({ id });
    expect(server.requests).toHaveLength(2);
  });

  it('waits as long as Retry-After asks', async () => {
    await using server = await scriptedServer(unavailable({ 'Retry-After': '1' }), succeeds(office));
    const started = performance.now();
    await createRosterClient({ url: server.url }).offices.get.query({ id });
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  it('does not wait for a Retry-After that is longer than the timeout of a request', async () => {
    await using server = await scriptedServer(unavailable({ 'Retry-After': '3600' }));
    const error = await errorOf(createRosterClient({ url: server.url }).offices.get.query({ id }));
    expect(error.retryAfterMs).toBe(3_600_000);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [undefined, 3],
    [1, 1],
    [2, 2],
  ])('with attempts: %s makes %i attempts', async (attempts, expected) => {
    await using server = await scriptedServer(unavailable());
    const client = createRosterClient({ url: server.url, ...(attempts !== undefined && { attempts }) });
    const error = await errorOf(client.offices.get.query({ id }));
    expect(error).toMatchObject({ code: 'unavailable', status: 503 });
    expect(server.requests).toHaveLength(expected);
  });

  it('retries until the first attempt, which is still running, has its response', async () => {
    const running = { ...emailTaken, code: 'idempotency_in_progress', errors: undefined };
    await using server = await scriptedServer(closesConnection, rejects(running), succeeds(office));
    const client = createRosterClient({ url: server.url });
    const call = client.offices.create.mutate({ name: 'x' }, { context: { idempotencyKey: 'once' } });
    expect(await call).toEqual(office);
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
      'once',
      'once',
      'once',
    ]);
  });

  it('does not retry errors that are not transient', async () => {
    await using server = await scriptedServer(rejects({ ...emailTaken, status: 404, code: 'not_found' }));
    await errorOf(createRosterClient({ url: server.url }).offices.get.query({ id }));
    expect(server.requests).toHaveLength(1);
  });
});

describe('a RosterError', () => {
  it('has every field of the problem document', async () => {
    await using server = await scriptedServer(rejects(emailTaken));
    const client = createRosterClient({ url: server.url });
    const error = await errorOf(client.agents.create.mutate({ firstName: 'Ana', lastName: 'Reis' }));
    expect(error).toMatchObject({ ...emailTaken, name: 'RosterError', message: emailTaken.detail });
    expect(JSON.parse(JSON.stringify(error))).toEqual(emailTaken);
  });

  it('of has_dependents has the counts', async () => {
    const problem = { ...emailTaken, code: 'has_dependents', errors: undefined, dependents: { agents: 3 } };
    await using server = await scriptedServer(rejects(problem));
    const error = await errorOf(createRosterClient({ url: server.url }).offices.delete.mutate({ id }));
    expect(error.dependents).toEqual({ agents: 3 });
    expect(error.errors).toEqual([]);
  });

  it('of version_conflict has the current version', async () => {
    const problem = { ...emailTaken, code: 'version_conflict', errors: undefined, currentVersion: 4 };
    await using server = await scriptedServer(rejects(problem));
    const error = await errorOf(createRosterClient({ url: server.url }).offices.delete.mutate({ id }));
    expect(error.currentVersion).toBe(4);
    expect(error.toJSON()).toMatchObject({ currentVersion: 4 });
  });

  it('is an error of tRPC, with its shape and the response', async () => {
    await using server = await scriptedServer(rejects(emailTaken));
    const error = await errorOf(createRosterClient({ url: server.url }).offices.get.query({ id }));
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(error.data?.problem.code).toBe('email_taken');
    expect(error.meta?.response).toMatchObject({ status: 409 });
  });

  it('of a refused connection names the URL', async () => {
    const server = await scriptedServer(closesConnection);
    await server[Symbol.asyncDispose]();
    const error = await errorOf(createRosterClient({ url: server.url }).offices.get.query({ id }));
    expect(error).toMatchObject({ code: 'network', status: 0, requestId: undefined });
    expect(error.message).toBe(`No response from ${server.url}/trpc: the connection was refused.`);
  });

  it.each([
    ['in HTML', '<h1>Hello</h1>'],
    ['in other JSON', '{"hello":"world"}'],
  ])('is invalid_response if another service responds %s', async (_, body) => {
    const responder: Responder = (_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(body);
    await using server = await scriptedServer(responder);
    const error = await errorOf(createRosterClient({ url: server.url }).offices.get.query({ id }));
    expect(error).toMatchObject({ code: 'invalid_response', status: 200 });
    expect(error.message).toContain(`${server.url}/trpc responded with 200 (text/html)`);
  });

  it('is that of the service if the URL leads to a path that it does not have', async () => {
    const responder: Responder = (_request, response) =>
      response.writeHead(404, { 'Content-Type': 'application/problem+json' }).end(
        JSON.stringify({
          code: 'no_such_route',
          status: 404,
          title: 'x',
          detail: 'There is nothing there.',
          requestId: id,
        }),
      );
    await using server = await scriptedServer(responder);
    const error = await errorOf(createRosterClient({ url: `${server.url}/there` }).offices.get.query({ id }));
    expect(error).toMatchObject({ code: 'no_such_route', message: 'There is nothing there.', requestId: id });
  });

  it('is not thrown for a mistake of the caller', async () => {
    await using server = await scriptedServer(succeeds(office));
    const client = createRosterClient({ url: server.url });
    const unsendable = { context: { idempotencyKey: '東京' } };
    await expect(client.offices.create.mutate({ name: 'x' }, unsendable)).rejects.toThrow('ByteString');
    const circular: { name: string; metadata?: unknown } = { name: 'x' };
    circular.metadata = circular;
    const call = client.offices.create.mutate(circular as { name: string });
    await expect(call).rejects.toThrow('circular');
    expect(server.requests).toHaveLength(0);
  });
});
