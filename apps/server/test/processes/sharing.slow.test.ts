import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Connection, connectToBoth } from '../support/processes/server-processes.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/service-process.ts';

/** What processes of one server agree on. Each is a server as those of several machines are: the details are tested there. */

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const startTwo = (settings: Record<string, string> = {}): Promise<ServiceProcess> =>
  startServiceProcess({ databaseUrl: database.url, settings: { ROSTER_PROCESSES: '2', ...settings } });

async function createOffice({ request }: Connection): Promise<string> {
  const { status, json } = await request('POST', '/offices', { name: 'Rua da Prata' });
  expect(status).toBe(201);
  return (json as { id: string }).id;
}

it('a stream of events has every change, whichever process has made it', async () => {
  await using service = await startTwo();
  using readers = await connectToBoth(service);
  using writers = await connectToBoth(service);
  const streams = await Promise.all(readers.map(({ open }) => open('/events/stream')));
  const received = streams.map(() => '');
  for (const [index, stream] of streams.entries())
    stream.on('data', (chunk: Buffer) => {
      received[index] += chunk.toString();
    });
  const ids = await Promise.all(writers.map(createOffice));
  for (const index of received.keys()) {
    for (const id of ids) await expect.poll(() => received[index]).toContain(id);
  }
  for (const stream of streams) stream.destroy();
});

it('a key is limited over all processes: each allows its part of the quota when they have counted each other', async () => {
  await using service = await startTwo({ ROSTER_RATE_LIMIT: '60' });
  using connections = await connectToBoth(service);
  for (const { request } of connections) {
    const policyOf = async () => (await request('GET', '/openapi.json')).headers['ratelimit-policy'];
    // Processes that were killed, as those of other tests here, are counted for 15 seconds.
    await expect.poll(policyOf, { interval: 1_000 }).toBe('"default";q=30;w=60');
  }
  const begun = performance.now();
  let allowed = 0;
  for (const { request } of connections) {
    const responses = await Promise.all(Array.from({ length: 60 }, () => request('GET', '/agents?limit=1')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]));
    allowed += responses.filter(({ status }) => status === 200).length;
  }
  expect(allowed).toBeLessThanOrEqual(60 + Math.ceil((performance.now() - begun) / 1_000));
});
