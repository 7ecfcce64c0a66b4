import { getUntypedClient } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { createRosterClient } from '../src/index.ts';
import { errorOf } from './support/outcomes.ts';
import { hangs, type Responder, scriptedServer, succeeds, unavailable } from './support/scripted-server.ts';

const id = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
const office = { id, name: 'Atlântico' };

describe('a call', () => {
  it('fails after the timeout of a request', async () => {
    await using server = await scriptedServer(hangs);
    const client = createRosterClient({ url: server.url, timeoutMs: 50, attempts: 1 });
    const error = await errorOf(client.offices.get.query({ id }));
    expect(error).toMatchObject({ code: 'network', status: 0 });
    expect(error.message).toBe(`No response from ${server.url}/trpc: timeout after 0.05 s.`);
  });

  it('ends when its signal fires during a request', async () => {
    await using server = await scriptedServer(hangs);
    const controller = new AbortController();
    const call = createRosterClient({ url: server.url }).offices.get.query(
      { id },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(new Error('changed my mind')), 30);
    expect(await errorOf(call)).toMatchObject({
      code: 'aborted',
      status: 0,
      cause: { message: 'changed my mind' },
    });
  });

  it('ends when its signal fires during the pause before a retry', async () => {
    await using server = await scriptedServer(unavailable({ 'Retry-After': '20' }));
    const abortController = new AbortController();
    const { signal } = abortController;
    const call = createRosterClient({ url: server.url }).offices.get.query({ id }, { signal });
    const error = errorOf(call);
    await expect.poll(() => server.requests.length).toBe(1);
    abortController.abort();
    expect((await error).code).toBe('aborted');
    expect(server.requests).toHaveLength(1);
  });

  it('accepts null as its signal, as the hooks of tRPC pass it, and is still retried', async () => {
    await using server = await scriptedServer(unavailable({ 'Retry-After': '0' }), succeeds(office));
    const untyped = getUntypedClient(createRosterClient({ url: server.url }));
    const none = JSON.parse('{"signal":null}') as { signal?: AbortSignal };
    expect(await untyped.query('offices.get', { id }, none)).toEqual(office);
    expect(await untyped.mutation('offices.update', { id }, none)).toEqual(office);
    expect(server.requests).toHaveLength(3);
  });

  it('sends nothing if its signal has already fired', async () => {
    await using server = await scriptedServer(succeeds(office));
    const client = createRosterClient({ url: server.url });
    expect((await errorOf(client.offices.get.query({ id }, { signal: AbortSignal.abort() }))).code).toBe(
      'aborted',
    );
    expect(server.requests).toHaveLength(0);
  });

  it('in a batch ends alone when its signal fires', async () => {
    const slow: Responder = (request, response) =>
      void setTimeout(() => succeeds(office)(request, response), 100);
    await using server = await scriptedServer(slow);
    const client = createRosterClient({ url: server.url });
    const [first, second] = await Promise.allSettled([
      client.offices.get.query({ id }, { signal: AbortSignal.timeout(20) }),
      client.offices.get.query({ id }),
    ]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'aborted' } });
    expect(second).toMatchObject({ status: 'fulfilled', value: office });
  });
});
