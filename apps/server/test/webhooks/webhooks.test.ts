import { setTimeout } from 'node:timers/promises';
import {
  type Webhook,
  Webhook as WebhookSchema,
  type WebhookTest,
  type WebhookWithSecret,
} from '@roster/api';
import { purgeDeliveries } from '@roster/api/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { call, dataOf } from '../support/calls.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { scripts } from '../support/full-records.ts';
import { type Received, startReceiver, verified } from '../support/http/receiver.ts';
import { openTransactions } from '../support/locks.ts';
import { expectFault, expectProblem } from '../support/problems.ts';
import { until, webhooksOf } from '../support/webhooks.ts';
import { useWebhooks } from './webhook-scene.ts';

const DAY_MS = 24 * 3_600_000;

const { server, receiver, aWebhook } = useWebhooks();

/** Both interfaces do the same. */
const interfaces = {
  REST: {
    create: async (body: object) =>
      bodyOf<WebhookWithSecret>(await server().request('POST', '/webhooks', body)),
    update: async (id: string, body: object) =>
      bodyOf<Webhook>(await server().request('PATCH', `/webhooks/${id}`, body)),
    rotate: async (id: string, body?: object) =>
      bodyOf<WebhookWithSecret>(await server().request('PUT', `/webhooks/${id}/rotate`, body)),
    test: async (id: string) => bodyOf<WebhookTest>(await server().request('PUT', `/webhooks/${id}/test`)),
  },
  RPC: {
    create: async (body: object) =>
      dataOf<WebhookWithSecret>(await call(server(), ['webhooks.create', body])),
    update: async (id: string, body: object) =>
      dataOf<Webhook>(await call(server(), ['webhooks.update', { id, ...body }])),
    rotate: async (id: string, body: object = {}) =>
      dataOf<WebhookWithSecret>(await call(server(), ['webhooks.rotate', { id, ...body }])),
    test: async (id: string) => dataOf<WebhookTest>(await call(server(), ['webhooks.test', { id }])),
  },
};

describe.each(Object.entries(interfaces))('over %s', (_, api) => {
  it('a new webhook returns its secret once, and starts at the end of the log', async () => {
    await directoryOf(server()).office();
    const { secret, ...webhook } = await api.create({
      url: receiver().url,
      description: ' Website ',
      types: ['office.purged', 'office.purged'],
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(WebhookSchema.parse(webhook)).toMatchObject({
      url: receiver().url,
      description: 'Website',
      types: ['office.purged'],
      status: 'active',
      statusReason: null,
      failingSince: null,
      pausedUntil: null,
    });
    expect(webhook.readTo).toBeGreaterThanOrEqual(0);
    const read = await server().request('GET', `/webhooks/${webhook.id}`);
    expect(await read.text()).not.toContain('whsec_');
    expect(await (await server().request('GET', '/webhooks')).text()).not.toContain('whsec_');
  });

  it('a merge patch changes the fields it has, and an empty one nothing', async () => {
    // How far the log was read goes on by itself.
    const { id, secret: _, readTo: __, updatedAt, ...before } = await aWebhook({ description: 'Website' });
    const same = await api.update(id, { description: 'Website' });
    expect(same).toMatchObject({ ...before, updatedAt });
    await setTimeout(2);
    const changed = await api.update(id, { description: null, types: null, url: `${receiver().url}/moved` });
    expect(changed).toMatchObject({ description: null, types: null, url: `${receiver().url}/moved` });
    expect(changed.updatedAt > updatedAt).toBe(true);
    expect(changed.statusChangedAt).toBe(before.statusChangedAt);
    const disabled = await api.update(id, { status: 'disabled' });
    expect(disabled).toMatchObject({ status: 'disabled', statusReason: null });
    expect(disabled.statusChangedAt > before.statusChangedAt).toBe(true);
  });

  it('a test sends one signed message at once, and returns the response', async () => {
    const { id, secret } = await aWebhook();
    const path = new URL((await webhooksOf(server()).get(id)).url).pathname;
    receiver().onMessage = () => ({ status: 418, body: 'a\0b \ud83d\ude00 no coffee' });
    const { messageId, ...came } = await api.test(id);
    expect(came).toEqual({
      at: expect.stringMatching(/Z$/),
      status: 418,
      durationMs: expect.any(Number),
      error: 'The receiver returned 418.',
      body: 'a\ufffdb 😀 no coffee',
    });
    const [message, ...more] = receiver().received.filter((one) => one.path === path) as [Received];
    expect(more).toEqual([]);
    expect(message.id).toBe(messageId);
    expect(verified(message, secret)).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
    receiver().onMessage = () => ({ status: 204 });
    expect(await api.test(id)).toMatchObject({ status: 204, error: null, body: '' });
    expect(await webhooksOf(server()).deliveries(id)).toEqual([]);
  });

  it('a test has no transaction open while the receiver has not answered', async () => {
    const { id } = await aWebhook();
    let open: string[] | undefined;
    receiver().onMessage = async () => {
      open = await openTransactions(server().database.db);
      return { status: 204 };
    };
    await api.test(id);
    receiver().onMessage = () => ({ status: 204 });
    expect(open).toEqual([]);
  });

  it('a rotated secret signs together with the new one until the overlap ends', async () => {
    const { id, secret: first } = await aWebhook();
    const { secret: second } = await api.rotate(id);
    await api.test(id);
    const both = receiver().received.at(-1) as Received;
    verified(both, first);
    verified(both, second);
    expect(both.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    const { secret: third } = await api.rotate(id, { overlapSeconds: 0 });
    await api.test(id);
    const alone = receiver().received.at(-1) as Received;
    verified(alone, third);
    for (const old of [first, second]) expect(() => verified(alone, old)).toThrow();
  });
});

describe('a webhook', () => {
  it('signs deliveries with both secrets during a rotation, over the bytes that it sends', async () => {
    const { id, secret } = await aWebhook({ types: ['office.created'] });
    const rotated = await webhooksOf(server()).put<WebhookWithSecret>(id, 'rotate', { overlapSeconds: 60 });
    // Texts that a copy of the body could have in other bytes: composed and decomposed letters, and surrogate pairs.
    const given = { name: Object.values(scripts).join(' ') };
    const { id: subject, name } = await directoryOf(server()).office(given);
    const message = () => receiver().taken.find(({ data }) => data.subject === subject) as Received;
    await until(() => message() !== undefined, 'the message');
    for (const one of [secret, rotated.secret])
      expect(verified(message(), one)).toMatchObject({ data: { record: { name } } });
  });

  it('is deleted with its deliveries', async () => {
    const { id } = await aWebhook();
    expect((await server().request('DELETE', `/webhooks/${id}`)).status).toBe(204);
    for (const path of [`/webhooks/${id}`, `/webhooks/${id}/deliveries`]) {
      await expectProblem(await server().request('GET', path), 'not_found');
    }
    await expectProblem(await server().request('DELETE', `/webhooks/${id}`), 'not_found');
  });

  it('cannot start beyond the end of the log', async () => {
    const body = { url: receiver().url, after: '999999' };
    await expectProblem(await server().request('POST', '/webhooks', body), 'cursor_expired');
    const { id } = await aWebhook();
    const replay = await server().request('PUT', `/webhooks/${id}/replay`, { after: '999999' });
    await expectProblem(replay, 'cursor_expired');
    await expectFault(await server().request('PUT', `/webhooks/${id}/replay`), 'validation_failed', {
      pointer: '#/after',
      code: 'required',
    });
  });

  it('is listed in pages, and its deliveries newest first', async () => {
    const webhook = await aWebhook({ types: ['agent.created'] });
    for (let count = 0; count < 3; count += 1) await directoryOf(server()).agent();
    const all = async () => webhooksOf(server()).deliveries(webhook.id);
    await until(async () => (await all()).length === 3, 'the deliveries');
    const pages: unknown[] = [];
    let query = '?limit=2';
    do {
      const response = await server().request('GET', `/webhooks/${webhook.id}/deliveries${query}`);
      const page = await bodyOf<{ items: { position: number }[]; nextCursor?: string }>(response);
      pages.push(page.items.map(({ position }) => position));
      expect(/rel="next"/.test(response.headers.get('Link') ?? '')).toBe(page.nextCursor !== undefined);
      query = page.nextCursor === undefined ? '' : `?limit=2&cursor=${page.nextCursor}`;
    } while (query !== '');
    const [first, second, third] = (await all()).map(({ position }) => position);
    expect(pages).toEqual([[third, second], [first]]);
    const { items } = await bodyOf<{ items: Webhook[] }>(await server().request('GET', '/webhooks?limit=1'));
    expect(items[0]?.id).toBe(webhook.id);
  });

  it('keeps finished deliveries for the retention', async () => {
    const { id } = await aWebhook({ types: ['office.created'] });
    await directoryOf(server()).office();
    await until(async () => (await webhooksOf(server()).deliveries(id))[0]?.status === 'delivered', 'it');
    const { db } = server().database;
    await sql`
      insert into webhook_delivery (id, webhook_id, position, type, subject_id, due_at, created_at)
      select gen_random_uuid(), webhook_id, position, type, subject_id, 'infinity', created_at
      from webhook_delivery where webhook_id = ${id}`.execute(db);
    const purge = (ms: number) => purgeDeliveries(db, { now: new Date(Date.now() + ms), retentionDays: 30 });
    expect(await purge(29 * DAY_MS)).toBe(0);
    expect(await purge(31 * DAY_MS)).toBeGreaterThan(0);
    expect(await webhooksOf(server()).deliveries(id)).toMatchObject([{ status: 'pending' }]);
  });
});

describe('a redirect', () => {
  it('is not followed, to a private address or anywhere', async () => {
    await using other = await startReceiver();
    const { id } = await aWebhook();
    for (const status of [301, 302, 303, 307, 308]) {
      receiver().onMessage = () => ({ status, headers: { Location: other.url } });
      const error = `The receiver returned ${status}.`;
      expect(await webhooksOf(server()).put<WebhookTest>(id, 'test')).toMatchObject({ status, error });
    }
    expect(other.received).toEqual([]);
  });
});
