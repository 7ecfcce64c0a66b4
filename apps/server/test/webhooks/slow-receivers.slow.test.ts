import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookTest } from '@roster/api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { batch, type CallResult } from '../support/calls.ts';
import { directoryOf } from '../support/fixtures.ts';
import { type Receiver, startReceiver } from '../support/http/receiver.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';
import { QUICKLY, until, webhooksOf } from '../support/webhooks.ts';

const SLOW_AFTER_MS = 300;

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

const startQuick = (options: Parameters<typeof startTestServer>[0] = {}) =>
  startTestServer({
    // Longer than the test: what is not answered stays under way.
    webhooks: { ...QUICKLY, slowAfterMs: SLOW_AFTER_MS, timeoutMs: 60_000, graceMs: 0 },
    ...options,
  });

/** Makes a webhook whose receiver is at a path of its own. */
const createAt = (server: TestServer, path: string, more: object = {}) =>
  webhooksOf(server).create({ url: new URL(path, receiver.url).href, types: ['office.created'], ...more });

/** Creates offices one after the other. */
async function createOffices(server: TestServer, count: number): Promise<void> {
  for (let created = 0; created < count; created += 1) await directoryOf(server).office();
}

describe('a receiver that does not respond in time', () => {
  it('is retried, and every attempt is listed', async () => {
    // On a busy machine an attempt after the first may time out too.
    await using server = await startQuick({ webhooks: { ...QUICKLY, timeoutMs: 150 } });
    receiver.onMessage = ({ count }) => (count === 1 ? 'hang' : { status: 204 });
    const { id } = await createAt(server, '/hook');
    await createOffices(server, 1);
    const delivery = async () => (await webhooksOf(server).deliveries(id))[0];
    await until(async () => (await delivery())?.status === 'delivered', 'the delivery');
    const attempts = (await delivery())?.attempts ?? [];
    expect(attempts.pop()).toMatchObject({ status: 204, error: null });
    expect(attempts.length).toBeGreaterThan(0);
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({ status: null, error: 'No response within 0.15 s.', body: null });
      expect(attempt.durationMs).toBeGreaterThanOrEqual(149);
    }
  });
});

describe('a webhook whose receiver responds', () => {
  it.each([
    ['three receivers that do not respond to ten messages each', 3, 12],
    ['forty that do not respond to one each', 40, 2],
  ])('receives every event while %s are waited for', async (_, silent, events) => {
    await using server = await startQuick();
    receiver.onMessage = ({ path }) => (path.startsWith('/silent') ? 'hang' : { status: 204 });
    for (let made = 0; made < silent; made += 1) await createAt(server, `/silent-${made}`);
    await createAt(server, '/good');
    await createOffices(server, events);
    const ofGood = () => receiver.taken.filter(({ path }) => path === '/good').length;
    await until(() => ofGood() === events, 'what the good one is sent');
    const asked = new Set(receiver.received.map(({ path }) => path).filter((path) => path !== '/good'));
    await until(
      () => new Set(receiver.received.map(({ path }) => path)).size === silent + 1,
      'every webhook',
    );
    expect(asked.size).toBeGreaterThan(0);
  });

  it('has slots that webhooks known as slow cannot take', async () => {
    await using server = await startQuick();
    receiver.onMessage = ({ path }) => (path.startsWith('/silent') ? 'hang' : { status: 204 });
    const slow = [await createAt(server, '/silent-1'), await createAt(server, '/silent-2')];
    await createOffices(server, 1);
    const isSlow = async ({ id }: { id: string }) => (await webhooksOf(server).get(id)).slowSince !== null;
    await until(async () => (await Promise.all(slow.map(isSlow))).every(Boolean), 'being slow');
    await createAt(server, '/good');
    await createOffices(server, 20);
    await until(() => receiver.taken.length === 20, 'what the good one is sent');
    const ofSlow = () => receiver.received.filter(({ path }) => path !== '/good').length;
    await until(() => ofSlow() === 15, 'the share of the slow ones');
  });

  it('is no longer slow after a fast response', async () => {
    await using server = await startQuick();
    const late = Promise.withResolvers<{ status: number }>();
    receiver.onMessage = () => (receiver.received.length === 1 ? late.promise : { status: 204 });
    const { id } = await createAt(server, '/hook');
    await createOffices(server, 1);
    await until(async () => (await webhooksOf(server).get(id)).slowSince !== null, 'being slow');
    late.resolve({ status: 204 });
    await createOffices(server, 1);
    await until(async () => (await webhooksOf(server).get(id)).slowSince === null, 'being quick again');
  });
});

describe('a response whose body never ends', () => {
  it('completes the delivery by its status, with what arrived of the body within a second', async () => {
    const open = new Set<ServerResponse>();
    const dripping = createServer((request, response) => {
      request.resume();
      open.add(response);
      response.writeHead(200).write('begun');
    }).listen(0, '127.0.0.1');
    await using server = await startQuick();
    const { port } = dripping.address() as AddressInfo;
    const { id } = await createAt(server, '/', { url: `http://127.0.0.1:${port}/` });
    await createOffices(server, 1);
    await until(
      async () => (await webhooksOf(server).deliveries(id))[0]?.status === 'delivered',
      'the status',
    );
    const [delivery] = await webhooksOf(server).deliveries(id);
    expect(delivery?.attempts).toMatchObject([{ status: 200, error: null, body: 'begun' }]);
    for (const response of open) response.destroy();
    dripping.close();
  });
});

describe('a test of a webhook', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startQuick({ requestsMax: 2 });
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const test = (id: string) => server.request('PUT', `/webhooks/${id}/test`);
  const arrived = (count: number) => until(() => receiver.received.length === count, `${count} tests`);

  it('holds no slot of the concurrency limit while it waits for the receiver', async () => {
    receiver.onMessage = () => 'hang';
    const tests: Promise<Response>[] = [];
    for (let count = 1; count <= 4; count += 1) {
      const { id } = await createAt(server, `/test-${count}`);
      tests.push(test(id));
      await arrived(count);
    }
    expect((await server.request('GET', '/offices')).status).toBe(200);
    await receiver.stop();
    expect((await Promise.all(tests)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // Each place that was given back and taken again is free, and was freed once.
    for (let index = 0; index < 5; index += 1) {
      expect((await server.request('GET', '/offices')).status).toBe(200);
    }
  });

  it('is rejected while another test of the webhook runs on any server', async () => {
    await using other = await startQuick({ database: server.database });
    receiver.onMessage = ({ count }) =>
      count === 1 && receiver.received.length === 1 ? 'hang' : { status: 204 };
    const { id } = await createAt(server, '/one-at-a-time');
    const first = test(id);
    await arrived(1);
    for (const asked of [server, other]) {
      const rejected = await asked.request('PUT', `/webhooks/${id}/test`);
      expect(Number(rejected.headers.get('Retry-After'))).toBe(5);
      await expectProblem(rejected, 'test_in_progress');
    }
    await receiver.stop();
    expect(((await (await first).json()) as WebhookTest).status).toBeNull();
    await receiver.start();
    expect(((await (await test(id)).json()) as WebhookTest).status).toBe(204);
  });

  it('is rejected while ten others of the server wait for their receivers', async () => {
    receiver.onMessage = () => 'hang';
    const calls: [string, { id: string }][] = [];
    for (let count = 0; count < 12; count += 1) {
      const { id } = await createAt(server, `/many-${count}`);
      calls.push(['webhooks.test', { id }]);
    }
    const key = { Authorization: `Bearer ${server.key}` };
    const statusesOf = async (response: Response) =>
      ((await response.json()) as CallResult[]).map(({ error }) => error?.data.httpStatus ?? 200);
    const waiting = batch(server, calls.slice(0, 10), key);
    await arrived(10);
    expect(await statusesOf(await batch(server, calls.slice(10), key))).toEqual([429, 429]);
    await receiver.stop();
    expect(await statusesOf(await waiting)).toEqual(Array(10).fill(200));
  });

  it('ends after five seconds at most', async () => {
    receiver.onMessage = () => 'hang';
    const { id } = await createAt(server, '/silent');
    const result = (await (await test(id)).json()) as WebhookTest;
    expect(result).toMatchObject({ status: null, error: 'No response within 5 s.' });
  });
});

describe('webhooks beyond the limit', () => {
  it('are rejected, also if many are created at the same time, until one is deleted', async () => {
    await using server = await startQuick({ webhooksMax: 6 });
    const body = { url: receiver.url, types: ['office.purged'] };
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => server.request('POST', '/webhooks', body)),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(3).fill(201), ...Array(5).fill(409)]);
    const rejected = responses.find(({ status }) => status === 409);
    await expectProblem(rejected as Response, 'limit_reached');
    const created = responses.find(({ status }) => status === 201);
    const { id } = (await (created as Response).json()) as { id: string };
    await server.request('DELETE', `/webhooks/${id}`);
    expect((await server.request('POST', '/webhooks', body)).status).toBe(201);
  });
});
