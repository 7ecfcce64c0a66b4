import type { Event } from '@roster/api';
import { compactEvents } from '@roster/api/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import {
  type Received,
  type Receiver,
  type Reply,
  startReceiver,
  verified,
} from '../support/http/receiver.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { eventsAfter, QUICKLY, until, webhooksOf } from '../support/webhooks.ts';

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  server = await startTestServer({ webhooks: { ...QUICKLY, backlogMax: 20 } });
});
afterAll(() => server[Symbol.asyncDispose]());
const made: string[] = [];
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const id of made.splice(0)) await server.request('DELETE', `/webhooks/${id}`);
  await receiver[Symbol.asyncDispose]();
});

async function aWebhook(body: object = {}) {
  const webhook = await webhooksOf(server).create({ url: receiver.url, ...body });
  made.push(webhook.id);
  return webhook;
}

const office = () => directoryOf(server).office();
const rename = (id: string, name: string) => directoryOf(server).patch('offices', id, { name });

async function deliveriesOf(id: string, statuses: string[]) {
  const seen = async () => (await webhooksOf(server).deliveries(id)).map(({ status }) => status);
  await expect.poll(seen, { interval: 10 }).toEqual(statuses);
  return webhooksOf(server).deliveries(id);
}

describe('a message', () => {
  it('is an event as in the log, signed according to Standard Webhooks', async () => {
    const { secret, readTo } = await aWebhook();
    const { id, name } = await office();
    await until(() => receiver.received.length === 1, 'the message');
    const [event] = await eventsAfter(server, readTo);
    const [message] = receiver.received as [Received];
    expect(message.path).toBe('/hook');
    expect(verified(message, secret)).toEqual({
      type: 'office.created',
      timestamp: event?.occurredAt,
      data: event,
    });
    expect(message.data).toMatchObject({ subject: id, record: { name } });
    expect(message.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Roster-Webhooks',
      'webhook-id': `evt_${event?.position}`,
    });
    expect(() => verified({ ...message, body: message.body.replace(name, 'x') }, secret)).toThrow();
  });

  it('leaves out the record if the body were larger than 20 kB, and says so in the message', async () => {
    const { readTo } = await aWebhook();
    await directoryOf(server).office({ bio: '💥'.repeat(4_000), metadata: pairs(20, 'é'.repeat(250)) });
    await until(() => receiver.received.length === 1, 'the message');
    const [message] = receiver.received as [Received];
    const [event] = await eventsAfter(server, readTo);
    const { record: _, previous: __, ...rest } = event as Event;
    expect(message.data).toEqual({ ...rest, isThin: true });
  });

  it('is sent only for the selected types of events', async () => {
    const { id } = await aWebhook({ types: ['office.updated'] });
    const first = await office();
    await rename(first.id, 'Renamed');
    await until(() => receiver.received.length === 1, 'the message');
    expect(receiver.received[0]).toMatchObject({ type: 'office.updated', data: { subject: first.id } });
    await office();
    const [last] = (await eventsAfter(server, 0)).slice(-1);
    await until(async () => (await webhooksOf(server).get(id)).readTo === last?.position, 'reading on');
    expect(await webhooksOf(server).deliveries(id)).toHaveLength(1);
  });
});

function pairs(count: number, value: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, value]));
}

describe('a receiver that fails', () => {
  it('is retried, and every attempt is listed', async () => {
    const replies = [
      { status: 500, body: `${'x'.repeat(600)}` },
      'cut',
      { status: 302, headers: { Location: receiver.url } },
      { status: 200, body: 'thanks' },
    ] as const;
    receiver.onMessage = ({ count }) => replies[count - 1] ?? 'cut';
    const { id, secret } = await aWebhook();
    await office();
    const [delivery] = await deliveriesOf(id, ['delivered']);
    expect(delivery?.attempts).toMatchObject([
      { status: 500, error: 'The receiver returned 500.', body: 'x'.repeat(500) },
      { status: null, error: expect.stringMatching(/ECONNRESET/), body: null },
      { status: 302, error: 'The receiver returned 302.' },
      { status: 200, error: null, body: 'thanks' },
    ]);
    expect(delivery).toMatchObject({ nextAttemptAt: null, finishedAt: expect.any(String) });
    expect(new Set(receiver.received.map((message) => message.id)).size).toBe(1);
    for (const message of receiver.received) verified(message, secret);
  });

  it('delays later events of the same record, and no others', async () => {
    const { id } = await aWebhook();
    const end = Promise.withResolvers<Reply>();
    receiver.onMessage = ({ data, count }) =>
      data.subject === held && count === 1 && data.version === 1 ? end.promise : { status: 204 };
    const { id: held } = await office();
    await rename(held, 'Second');
    await rename(held, 'Third');
    const other = await office();
    await until(() => receiver.taken.some(({ data }) => data.subject === other.id), 'the other record');
    const ofHeld = () => receiver.received.filter(({ data }) => data.subject === held);
    expect(ofHeld().map(({ data }) => data.version)).toEqual([1]);
    end.resolve({ status: 503 });
    await deliveriesOf(id, ['delivered', 'delivered', 'delivered', 'delivered']);
    const inOrder = receiver.taken.filter(({ data }) => data.subject === held);
    expect(inOrder.map(({ data }) => data.version)).toEqual([1, 2, 3]);
  });

  it('is not retried after ten attempts, and later events of the record are delivered', async () => {
    const { id } = await aWebhook();
    receiver.onMessage = ({ data }) => ({ status: data.version === 1 ? 400 : 204 });
    const { id: subject } = await office();
    await rename(subject, 'Second');
    const [given, next] = await deliveriesOf(id, ['failed', 'delivered']);
    expect(given).toMatchObject({ nextAttemptAt: null, finishedAt: expect.any(String) });
    expect(given?.attempts).toHaveLength(10);
    expect(next?.attempts).toHaveLength(1);
    expect(await webhooksOf(server).deliveries(id, '&status=failed')).toEqual([given]);
  });

  it.each([429, 503])(
    'with %i and Retry-After is left alone until then, for all that waits',
    async (status) => {
      const { id } = await aWebhook();
      receiver.onMessage = ({ count }) =>
        count === 1 && receiver.received.length === 1
          ? { status, headers: { 'Retry-After': '1' } }
          : { status: 204 };
      await office();
      await until(async () => (await webhooksOf(server).get(id)).pausedUntil !== null, 'the pause');
      await office();
      const [first, second] = await deliveriesOf(id, ['delivered', 'delivered']);
      const asked = Date.parse(first?.attempts[0]?.at ?? '');
      for (const attempt of [first?.attempts[1], second?.attempts[0]]) {
        expect(Date.parse(attempt?.at ?? '') - asked).toBeGreaterThanOrEqual(990);
      }
      expect([first?.attempts.length, second?.attempts.length]).toEqual([2, 1]);
    },
  );

  it('with 410 is disabled with the reason, and continues from there when it is active again', async () => {
    const { id } = await aWebhook();
    receiver.onMessage = () => ({ status: 410 });
    const { id: subject } = await office();
    await until(async () => (await webhooksOf(server).get(id)).status === 'disabled', 'being disabled');
    const disabled = await webhooksOf(server).get(id);
    expect(disabled).toMatchObject({
      statusReason: 'The receiver returned 410 Gone.',
      failingSince: expect.any(String),
    });
    expect(disabled.statusChangedAt > disabled.createdAt).toBe(true);
    await rename(subject, 'Meanwhile');
    expect(await webhooksOf(server).deliveries(id)).toMatchObject([{ status: 'pending' }]);
    receiver.onMessage = () => ({ status: 204 });
    const active = await webhooksOf(server).patch(id, { status: 'active' });
    expect(active).toMatchObject({ status: 'active', statusReason: null });
    await deliveriesOf(id, ['delivered', 'delivered']);
    expect(receiver.taken.map(({ data }) => data.version)).toEqual([1, 2]);
    expect((await webhooksOf(server).get(id)).failingSince).toBe(null);
  });
});

describe('a webhook', () => {
  it('that is disabled gets no messages, loses none, and can get a new URL', async () => {
    const { id } = await aWebhook({ url: 'http://127.0.0.1:9/closed-port' });
    await office();
    await until(async () => (await webhooksOf(server).get(id)).failingSince !== null, 'a failure');
    await webhooksOf(server).patch(id, { status: 'disabled' });
    await office();
    await webhooksOf(server).patch(id, { url: receiver.url });
    expect(receiver.received).toEqual([]);
    await webhooksOf(server).patch(id, { status: 'active' });
    await deliveriesOf(id, ['delivered', 'delivered']);
    expect(receiver.taken).toHaveLength(2);
  });

  it('can start at any position of the log', async () => {
    const events = await eventsAfter(server, 0);
    const from = events.length - 3;
    await aWebhook({ after: String(events[from - 1]?.position) });
    await until(() => receiver.taken.length === 3, 'the last three');
    expect(receiver.taken.map(({ data }) => data)).toEqual(expect.arrayContaining(events.slice(from)));
    const { readTo, id } = await aWebhook({ after: '0', types: ['office.deleted'] });
    expect(readTo).toBe(0);
    await until(
      async () => (await webhooksOf(server).get(id)).readTo >= (events.at(-1)?.position ?? 0),
      'the end',
    );
  });

  it('has at most backlogMax deliveries pending, and gets the rest when those are done', async () => {
    receiver.onMessage = () => ({ status: isDown ? 500 : 204 });
    let isDown = true;
    const { id, readTo } = await aWebhook();
    await webhooksOf(server).patch(id, { status: 'disabled' });
    for (let count = 0; count < 30; count += 1) await office();
    await webhooksOf(server).patch(id, { status: 'active' });
    await until(async () => (await webhooksOf(server).deliveries(id)).length === 20, 'as many as may be');
    await until(() => receiver.received.length > 3, 'some attempts');
    expect((await webhooksOf(server).deliveries(id)).length).toBe(20);
    // Its own creation and its own change have positions before those of the offices.
    expect((await webhooksOf(server).get(id)).readTo).toBe(readTo + 2 + 20);
    isDown = false;
    await until(() => new Set(receiver.taken.map((message) => message.id)).size === 30, 'all of them');
  });

  it('redelivers the events after a position, with the same ids and in order', async () => {
    const { id, readTo } = await aWebhook();
    // After the position of its own creation.
    const { id: subject } = await office();
    await rename(subject, 'Second');
    await rename(subject, 'Third');
    await deliveriesOf(id, ['delivered', 'delivered', 'delivered']);
    const replayed = await webhooksOf(server).put(id, 'replay', { after: String(readTo + 2) });
    expect(replayed.readTo).toBeGreaterThanOrEqual(readTo + 2);
    await deliveriesOf(id, Array(5).fill('delivered'));
    expect(receiver.taken.map(({ data }) => data.version)).toEqual([1, 2, 3, 2, 3]);
    expect(receiver.taken.slice(3).map((message) => message.id)).toEqual(
      receiver.taken.slice(1, 3).map((message) => message.id),
    );
  });

  it('that was disabled while the log was compacted gets the newest event of each record', async () => {
    const { id } = await aWebhook({ url: 'http://127.0.0.1:9/closed-port' });
    const { id: subject } = await office();
    await until(async () => (await webhooksOf(server).get(id)).failingSince !== null, 'a failure');
    await webhooksOf(server).patch(id, { status: 'disabled', url: receiver.url });
    for (const name of ['Second', 'Third']) await rename(subject, name);
    const [last] = (await eventsAfter(server, 0)).slice(-1);
    expect(last).toMatchObject({ subject, version: 3 });
    const now = new Date(Date.now() + 31 * 24 * 3_600_000);
    await compactEvents(server.database.db, { now, retentionDays: 30 });
    await webhooksOf(server).patch(id, { status: 'active' });
    await deliveriesOf(id, ['superseded', 'delivered']);
    expect(receiver.received.map(({ data }) => data)).toEqual([last]);
  });

  it('whose receiver does not respond has at most ten messages in progress, and delays no other', async () => {
    receiver.onMessage = ({ path }) => (path === '/slow' ? 'hang' : { status: 204 });
    await aWebhook({ url: new URL('/slow', receiver.url).href });
    await aWebhook();
    for (let count = 0; count < 15; count += 1) await office();
    await until(() => receiver.taken.length === 15, 'what the other one is sent');
    expect(receiver.received.filter(({ path }) => path === '/slow')).toHaveLength(10);
  });

  it('that is rewound does not deliver pending events twice', async () => {
    const { promise, resolve: response } = Promise.withResolvers<Reply>();
    receiver.onMessage = () => promise;
    const { id, readTo } = await aWebhook();
    await office();
    await until(() => receiver.received.length > 0, 'an attempt');
    // Before its end, or the attempts after it might use up all there are.
    await webhooksOf(server).patch(id, { status: 'disabled' });
    response({ status: 500 });
    await until(
      async () => (await webhooksOf(server).deliveries(id)).every(({ attempts }) => attempts.length > 0),
      'the end of the attempt',
    );
    receiver.onMessage = () => ({ status: 204 });
    await webhooksOf(server).put(id, 'replay', { after: String(readTo) });
    await webhooksOf(server).patch(id, { status: 'active' });
    const [first] = await deliveriesOf(id, ['superseded', 'delivered']);
    expect(first?.attempts.length).toBeGreaterThan(0);
    expect(receiver.taken).toHaveLength(1);
  });
});
