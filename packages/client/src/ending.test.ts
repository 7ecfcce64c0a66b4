import { getUntypedClient } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { createRosterClient } from './index.ts';
import { refusalOf } from './testing/refusal.ts';
import {
  type Answer,
  keepsSilent,
  scriptedServer,
  succeeds,
  unavailable,
} from './testing/scripted-server.ts';

const id = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
const office = { id, name: 'Atlântico' };

describe('what ends a call', () => {
  it('gives up after the time a request may take', async () => {
    await using server = await scriptedServer(keepsSilent);
    const client = createRosterClient({ url: server.url, timeoutMs: 50, attempts: 1 });
    const error = await refusalOf(client.offices.get.query({ id }));
    expect(error).toMatchObject({ code: 'network', status: 0 });
    expect(error.message).toBe(`No answer from ${server.url}/trpc: nothing came within 0.05 s.`);
  });

  it('ends at once when its signal fires while it runs', async () => {
    await using server = await scriptedServer(keepsSilent);
    const controller = new AbortController();
    const call = createRosterClient({ url: server.url }).offices.get.query(
      { id },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(new Error('changed my mind')), 30);
    expect(await refusalOf(call)).toMatchObject({
      code: 'aborted',
      status: 0,
      cause: { message: 'changed my mind' },
    });
  });

  it('ends at once when its signal fires while it waits', async () => {
    await using server = await scriptedServer(unavailable({ 'Retry-After': '20' }));
    const leaving = new AbortController();
    const { signal } = leaving;
    const call = createRosterClient({ url: server.url }).offices.get.query({ id }, { signal });
    const refused = refusalOf(call);
    await expect.poll(() => server.seen.length).toBe(1);
    const started = performance.now();
    leaving.abort();
    expect((await refused).code).toBe('aborted');
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(server.seen).toHaveLength(1);
  });

  it('takes null for no signal, as the hooks of tRPC give it, and still repeats what failed in passing', async () => {
    await using server = await scriptedServer(unavailable({ 'Retry-After': '0' }), succeeds(office));
    const untyped = getUntypedClient(createRosterClient({ url: server.url }));
    const none = JSON.parse('{"signal":null}') as { signal?: AbortSignal };
    expect(await untyped.query('offices.get', { id }, none)).toEqual(office);
    expect(await untyped.mutation('offices.update', { id }, none)).toEqual(office);
    expect(server.seen).toHaveLength(3);
  });

  it('sends nothing when its signal has already fired', async () => {
    await using server = await scriptedServer(succeeds(office));
    const client = createRosterClient({ url: server.url });
    expect((await refusalOf(client.offices.get.query({ id }, { signal: AbortSignal.abort() }))).code).toBe(
      'aborted',
    );
    expect(server.seen).toHaveLength(0);
  });

  it('ends one call of a batch and leaves the others', async () => {
    const slowly: Answer = (request, response) =>
      void setTimeout(() => succeeds(office)(request, response), 100);
    await using server = await scriptedServer(slowly);
    const client = createRosterClient({ url: server.url });
    const [first, second] = await Promise.allSettled([
      client.offices.get.query({ id }, { signal: AbortSignal.timeout(20) }),
      client.offices.get.query({ id }),
    ]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'aborted' } });
    expect(second).toMatchObject({ status: 'fulfilled', value: office });
  });
});
