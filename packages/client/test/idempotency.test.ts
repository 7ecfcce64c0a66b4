import { expect, it } from 'vitest';
import { createRosterClient } from '../src/index.ts';
import { closesConnection, scriptedServer, succeeds } from './support/scripted-server.ts';

const id = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

function server() {
  return scriptedServer(succeeds({ id }));
}

function keysOf({ requests }: Awaited<ReturnType<typeof server>>) {
  return requests.map(({ headers }) => headers['idempotency-key']);
}

it('every create and update has an idempotency key of its own', async () => {
  await using service = await server();
  const client = createRosterClient({ url: service.url });
  await client.offices.create.mutate({ name: 'x' });
  await client.offices.update.mutate({ id, name: 'y' });
  await client.agents.create.mutate({ firstName: 'Ana', lastName: 'Reis' });
  await client.agents.update.mutate({ id, title: 'Broker' });
  await client.keys.update.mutate({ id, name: 'y' });
  for (const key of keysOf(service)) expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keysOf(service)).size).toBe(5);
});

it('a retry has the key of the first attempt', async () => {
  await using service = await scriptedServer(closesConnection, succeeds({ id }));
  await createRosterClient({ url: service.url }).offices.create.mutate({ name: 'x' });
  const [first, second] = keysOf(service);
  expect(first).toBeTypeOf('string');
  expect(second).toBe(first);
});

it('procedures that take no key have none', async () => {
  await using service = await server();
  const client = createRosterClient({ url: service.url });
  await client.keys.create.mutate({ name: 'x', scopes: ['offices:read'] });
  await client.keys.rotate.mutate({ id });
  await client.offices.deactivate.mutate({ id });
  await client.offices.delete.mutate({ id });
  await client.offices.get.query({ id });
  expect(keysOf(service)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

it('the key of the caller is used instead, in a request of its own', async () => {
  await using service = await server();
  const client = createRosterClient({ url: service.url });
  await Promise.all(
    ['a', 'b'].map((idempotencyKey) =>
      client.offices.create.mutate({ name: 'x' }, { context: { idempotencyKey } }),
    ),
  );
  expect(keysOf(service).sort()).toEqual(['a', 'b']);
  for (const { url } of service.requests) expect(url).toBe('/trpc/offices.create');
});

it('keys can be switched off for one call or for all', async () => {
  await using service = await server();
  const client = createRosterClient({ url: service.url });
  await client.offices.create.mutate({ name: 'x' }, { context: { idempotencyKey: false } });
  const without = createRosterClient({ url: service.url, idempotencyKeys: false });
  await without.offices.create.mutate({ name: 'x' });
  expect(keysOf(service)).toEqual([undefined, undefined]);
});
