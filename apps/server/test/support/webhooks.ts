import type { Event, EventPage, Webhook, WebhookDelivery, WebhookWithSecret } from '@roster/api';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { bodyOf, type Page } from './fixtures.ts';
import type { TestServer } from './index.ts';

/** So quick that a test need not wait; as many attempts as in earnest. */
export const QUICKLY = { retryDelaysMs: Array.from({ length: 9 }, () => 10), pollMs: 20 };

type Requests = Pick<TestServer, 'request'>;

async function successful<Value>(result: Promise<Response>): Promise<Value> {
  const response = await result;
  const body = await response.text();
  expect(response.ok, `${response.status} ${body}`).toBe(true);
  return JSON.parse(body);
}

/** What tests do with webhooks over REST; every call must succeed. */
export function webhooksOf({ request }: Requests) {
  return {
    create: (body: object) => successful<WebhookWithSecret>(request('POST', '/webhooks', body)),
    get: (id: string) => successful<Webhook>(request('GET', `/webhooks/${id}`)),
    patch: (id: string, body: object) => successful<Webhook>(request('PATCH', `/webhooks/${id}`, body)),
    put: <Value = Webhook>(id: string, verb: string, body?: object) =>
      successful<Value>(request('PUT', `/webhooks/${id}/${verb}`, body)),
    /** The deliveries of a webhook, the oldest first. */
    deliveries: async (id: string, query = ''): Promise<WebhookDelivery[]> => {
      const path = `/webhooks/${id}/deliveries?limit=200${query}`;
      const { items } = await bodyOf<Page<WebhookDelivery>>(await request('GET', path));
      return items.reverse();
    },
  };
}

/** Waits until something is so; asks again and again. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await expect.poll(isSo, { timeout: 25_000, interval: 10, message: what }).toBe(true);
}

/**
 * The events after a position, when all events that were written have their positions. As messages have them: no caller reads those,
 * so they do not name the actor.
 */
export async function eventsAfter(server: TestServer, after: number): Promise<Event[]> {
  await until(async () => {
    const { rows } = await sql`select from event where position is null`.execute(server.database.db);
    return rows.length === 0;
  }, 'the positions');
  const path = `/events?after=${after}&limit=200`;
  const { items } = await bodyOf<EventPage>(await server.request('GET', path));
  return items.map((event) => ({ ...event, actor: event.actor && { ...event.actor, name: null } }));
}
