import type { Event, EventPage, Key, KeyWithSecret, Webhook, WebhookWithSecret } from '@roster/api';
import { createFirstKey } from '@roster/api/server';
import { compactEvents } from '@roster/api/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startReceiver } from '../support/http/receiver.ts';
import { messagesOf, take } from '../support/http/server-sent-events.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';
import { QUICKLY, until, webhooksOf } from '../support/webhooks.ts';

const ADMIN = '00000000-0000-0000-0000-000000000000';
const CLOSED_PORT_URL = 'http://127.0.0.1:9/';
const quiet = { url: CLOSED_PORT_URL, types: ['office.purged'] };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ webhooks: QUICKLY });
});
afterAll(() => server[Symbol.asyncDispose]());

const ofKeys = 'types=key.created&types=key.updated&types=key.rotated&types=key.revoked';
const ofWebhooks = [
  ...['types=webhook.created&types=webhook.updated&types=webhook.rotated'],
  ...['types=webhook.replayed&types=webhook.deleted'],
].join('&');

async function eventsOf(query: string): Promise<Event[]> {
  return (await bodyOf<EventPage>(await server.request('GET', `/events?limit=200&${query}`))).items;
}

/** Who created something, if a key did. */
const createdByKey = (id: string, name: string) => ({ type: 'key', id, name });

const manager = () =>
  keyWith(server, ['keys:manage', 'webhooks:manage', 'offices:read'], { name: 'Manager' });

describe('a change of a key', () => {
  it('is an event with the actor and the previous values, without a secret', async () => {
    const { id: actorId, secret } = await manager();
    const as = async <Body>(method: string, path: string, body?: object) =>
      bodyOf<Body>(await server.request(method, path, body, { ...bearer(secret), 'X-Request-Id': 'audit' }));
    const scopes = ['offices:read'];
    const key = await as<KeyWithSecret>('POST', '/keys', { name: 'Watched', scopes });
    expect(key.createdBy).toEqual(createdByKey(actorId, 'Manager'));
    await as('PATCH', `/keys/${key.id}`, { name: 'Renamed' });
    await as('PATCH', `/keys/${key.id}`, { name: 'Renamed' });
    const rotated = await as<KeyWithSecret>('PUT', `/keys/${key.id}/rotate`);
    await as('PUT', `/keys/${key.id}/revoke`);
    const revoked = await as<Key>('PUT', `/keys/${key.id}/revoke`);
    const events = await eventsOf(`subject=${key.id}&${ofKeys}`);
    const asked = { subject: key.id, actorId, requestId: 'audit', reason: null };
    expect(events).toMatchObject([
      { ...asked, type: 'key.created', version: 1, record: { name: 'Watched', scopes }, previous: {} },
      { ...asked, type: 'key.updated', version: 2, previous: { name: 'Watched' } },
      { ...asked, type: 'key.rotated', version: 3, previous: { hint: key.hint } },
      { ...asked, type: 'key.revoked', version: 4, record: revoked, previous: { revokedAt: null } },
    ]);
    const text = JSON.stringify(events);
    for (const one of [key.secret, rotated.secret]) expect(text).not.toContain(one);
  });

  it('that is rejected is no event', async () => {
    const { secret } = await manager();
    const strong = await keyWith(server, ['agents:read']);
    const rejected = await server.request('PUT', `/keys/${strong.id}/rotate`, {}, bearer(secret));
    await expectProblem(rejected, 'insufficient_scope');
    const events = await eventsOf(`subject=${strong.id}&${ofKeys}`);
    expect(events.map(({ type }) => type)).toEqual(['key.created']);
  });

  it('has the service as its actor for the first key, and the administrator’s key otherwise', async () => {
    await using empty = await startTestServer();
    const first = await createFirstKey(empty.database.db, {
      now: new Date(),
      beforeCommit: async () => undefined,
    });
    expect(first?.createdBy).toBeNull();
    const page = await bodyOf<EventPage>(await empty.request('GET', '/events?types=key.created'));
    expect(page.items).toMatchObject([{ subject: first?.id, actorId: null, position: 1 }]);
    const { createdBy } = await keyWith(server, ['agents:read']);
    expect(createdBy).toEqual(createdByKey(ADMIN, 'ROSTER_ADMIN_KEY'));
  });
});

describe('a change of a webhook', () => {
  it('is an event with the actor and the previous values, without a secret', async () => {
    const { id: actorId, secret } = await manager();
    const as = async <Body>(method: string, path: string, body?: object) =>
      bodyOf<Body>(await server.request(method, path, body, bearer(secret)));
    const webhook = await as<WebhookWithSecret>('POST', '/webhooks', quiet);
    expect(webhook.createdBy).toEqual(createdByKey(actorId, 'Manager'));
    await as('PATCH', `/webhooks/${webhook.id}`, { description: 'Website' });
    const rotated = await as<WebhookWithSecret>('PUT', `/webhooks/${webhook.id}/rotate`);
    await as('PUT', `/webhooks/${webhook.id}/replay`, { after: '0' });
    await server.request('DELETE', `/webhooks/${webhook.id}`, undefined, bearer(secret));
    const events = await eventsOf(`subject=${webhook.id}&${ofWebhooks}`);
    const asked = { subject: webhook.id, actorId };
    expect(events).toMatchObject([
      { ...asked, type: 'webhook.created', version: 1, record: { url: CLOSED_PORT_URL, description: null } },
      { ...asked, type: 'webhook.updated', version: 2, previous: { description: null } },
      { ...asked, type: 'webhook.rotated', version: 3 },
      { ...asked, type: 'webhook.replayed', version: 4 },
      {
        ...asked,
        type: 'webhook.deleted',
        version: 5,
        record: { url: CLOSED_PORT_URL, description: 'Website' },
      },
    ]);
    const text = JSON.stringify(events);
    for (const one of [webhook.secret, rotated.secret]) expect(text).not.toContain(one);
  });

  it('has no actor if the service disables the webhook', async () => {
    await using receiver = await startReceiver();
    receiver.onMessage = () => ({ status: 410 });
    const body = { url: receiver.url, types: ['office.created'] };
    const { id } = await webhooksOf(server).create(body);
    await directoryOf(server).office();
    await until(async () => (await eventsOf(`subject=${id}&${ofWebhooks}`)).length === 2, 'the event');
    const [, disabled] = await eventsOf(`subject=${id}&${ofWebhooks}`);
    expect(disabled).toMatchObject({
      type: 'webhook.updated',
      actorId: null,
      record: { status: 'disabled', statusReason: 'The receiver returned 410 Gone.' },
      previous: { status: 'active', statusReason: null },
    });
  });
});

describe('events of keys and webhooks', () => {
  it('are returned if their types are named, ordered by position among the others', async () => {
    const after = (await bodyOf<EventPage>(await server.request('GET', '/events?after=latest'))).nextAfter;
    const office = await directoryOf(server).office();
    await until(async () => (await eventsOf(`after=${after}`)).length === 1, 'the position of the office');
    const key = await keyWith(server, ['offices:read']);
    const webhook = await webhooksOf(server).create(quiet);
    const second = await directoryOf(server).office();
    await until(async () => (await eventsOf(`after=${after}`)).length === 2, 'the position of the second');
    const named = 'types=office.created&types=key.created&types=webhook.created';
    const events = await eventsOf(`after=${after}&${named}`);
    expect(events.map(({ subject }) => subject)).toEqual([office.id, key.id, webhook.id, second.id]);
    expect(events.map(({ position }) => position)).toEqual([1, 2, 3, 4].map((step) => Number(after) + step));
    const without = await eventsOf(`after=${after}`);
    expect(without.map(({ subject }) => subject)).toEqual([office.id, second.id]);
    const left = new AbortController();
    const stream = await fetch(`${server.url}/events/stream?after=${after}&${named}`, {
      headers: { Authorization: `Bearer ${server.key}` },
      signal: left.signal,
    });
    const followed = await take(messagesOf(stream), 4);
    expect(followed.map(({ data }) => JSON.parse(data ?? ''))).toEqual(events);
    left.abort();
  });

  it('are read page by page, each once', async () => {
    const all = await eventsOf(`${ofKeys}&${ofWebhooks}&types=office.created`);
    const read: Event[] = [];
    let after = '0';
    for (let hasMore = true; hasMore; ) {
      const query = `limit=3&after=${after}&${ofKeys}&${ofWebhooks}&types=office.created`;
      const page = await bodyOf<EventPage>(await server.request('GET', `/events?${query}`));
      read.push(...page.items);
      ({ hasMore, nextAfter: after } = page);
    }
    expect(read).toEqual(all);
    expect(all.length).toBeGreaterThan(5);
  });

  it('are sent to no webhook, and no webhook can select them', async () => {
    await using receiver = await startReceiver();
    const { id } = await webhooksOf(server).create({ url: receiver.url });
    await keyWith(server, ['offices:read']);
    const { id: subject } = await directoryOf(server).office();
    await until(() => receiver.taken.some(({ data }) => data.subject === subject), 'the office');
    expect(receiver.received.filter(({ type }) => !type.startsWith('office.'))).toEqual([]);
    await server.request('DELETE', `/webhooks/${id}`);
    const rejected = await server.request('POST', '/webhooks', {
      url: CLOSED_PORT_URL,
      types: ['key.created'],
    });
    await expectProblem(rejected, 'validation_failed');
  });

  it('have unique positions when many are written at the same time', async () => {
    const { office } = directoryOf(server);
    const changes = Array.from({ length: 20 }, (_, count) =>
      count % 2 === 0 ? office() : keyWith(server, ['offices:read']),
    );
    await Promise.all(changes);
    const { db } = server.database;
    await until(async () => {
      const { rows } = await sql`select from event where position is null`.execute(db);
      return rows.length === 0;
    }, 'the positions');
    const { rows } = await sql<{ count: number; distinct: number; last: number }>`
      select count(*)::int as count, count(distinct position)::int as "distinct",
        (select last_position::int from event_log) as last
      from (select position from event union all select position from admin_event) as placed`.execute(db);
    expect(rows[0]?.distinct).toBe(rows[0]?.count);
    expect(rows[0]?.last).toBe(rows[0]?.count);
  });

  it('are compacted to the newest of each key and webhook after the retention', async () => {
    await using old = await startTestServer();
    const { id } = await keyWith(old, ['offices:read']);
    await old.request('PATCH', `/keys/${id}`, { name: 'Second' });
    await directoryOf(old).office();
    await until(async () => {
      const { items } = await bodyOf<EventPage>(await old.request('GET', '/events'));
      return items.length === 1;
    }, 'the position');
    await compactEvents(old.database.db, {
      now: new Date(Date.now() + 31 * 24 * 3_600_000),
      retentionDays: 30,
    });
    const { items } = await bodyOf<EventPage>(await old.request('GET', `/events?${ofKeys}`));
    expect(items).toMatchObject([{ type: 'key.updated', version: 2, record: { name: 'Second' } }]);
  });
});

it('a webhook keeps its creator when the key is renamed', async () => {
  const { id: keyId, secret } = await manager();
  const created = await server.request('POST', '/webhooks', quiet, bearer(secret));
  const { id } = await bodyOf<Webhook>(created);
  await server.request('PATCH', `/keys/${keyId}`, { name: 'Renamed' });
  expect((await webhooksOf(server).get(id)).createdBy).toEqual(createdByKey(keyId, 'Renamed'));
});
