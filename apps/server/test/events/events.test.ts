import type { Event, KeyWithSecret } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { eventOf, follow } from '../support/http/event-streams.ts';
import { type Message, messagesOf, take } from '../support/http/server-sent-events.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

let one: TestServer;
let other: TestServer;
beforeAll(async () => {
  one = await startTestServer({ streamLimits: { heartbeatMs: 100 } });
  other = await startTestServer({ database: one.database });
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

const subjectsOf = (events: Event[]) => events.map(({ subject }) => subject);

async function keyWith(scopes: string[]): Promise<KeyWithSecret> {
  return bodyOf<KeyWithSecret>(await one.request('POST', '/keys', { name: 'Reader', scopes }));
}

describe('GET /events', () => {
  it('says what a cursor is if it gets something else', async () => {
    const problem = await expectProblem(await one.request('GET', '/events?after=first'), 'invalid_parameter');
    const detail = 'must be latest, the position of an event, or nextAfter of a page';
    expect(problem.errors).toEqual([{ parameter: 'after', code: 'invalid_format', detail }]);
  });

  it('returns the history of one record with the actor of each change', async () => {
    const { id } = await directoryOf(one).office();
    const key = await keyWith(['offices:write', 'events:read']);
    await one.request(
      'PATCH',
      `/offices/${id}`,
      { phone: '+351210000001' },
      {
        Authorization: `Bearer ${key.secret}`,
        'X-Request-Id': 'audit-1',
      },
    );
    const history = async () => {
      const page = await bodyOf<{ items: Event[] }>(await one.request('GET', `/events?subject=${id}`));
      return page.items;
    };
    await expect.poll(async () => (await history()).length).toBe(2);
    expect((await history())[1]).toMatchObject({
      type: 'office.updated',
      actorId: key.id,
      requestId: 'audit-1',
      version: 2,
      previous: { phone: null, version: 1 },
    });
  });

  it.each([
    'after=x',
    'after=-1',
    'after=01',
    'types=office.painted',
    'subject=1',
    'lastEventId=1',
    'cursor=1',
  ])('rejects %s', async (query) => {
    await expectProblem(await one.request('GET', `/events?${query}`), 'invalid_parameter');
  });

  it.each(['/events', '/events/stream'])('requires the scope events:read at %s', async (path) => {
    const { secret } = await keyWith(['offices:read', 'agents:read']);
    const headers = { Authorization: `Bearer ${secret}` };
    await expectProblem(await one.request('GET', path, undefined, headers), 'insufficient_scope');
  });

  it.each(['/events', '/events/stream'])(
    'says at %s how to start again if the cursor is not in the log',
    async (path) => {
      await expectProblem(await one.request('GET', `${path}?after=1000000`), 'cursor_expired');
    },
  );
});

describe('GET /events/stream', () => {
  it('sends the events of all servers to the clients of each, in the same order', async () => {
    using here = await follow(one);
    using there = await follow(other);
    const { id } = await directoryOf(one).office();
    await directoryOf(other).patch('offices', id, { phone: '+351210000001' });
    const events = await here.events(2);
    expect(events.map(({ type }) => type)).toEqual(['office.created', 'office.updated']);
    expect(await there.events(2)).toEqual(events);
    expect(here.response.headers.get('Content-Type')).toBe('text/event-stream');
  });

  it('continues after the Last-Event-ID, and sends its position before the first event', async () => {
    using first = await follow(one);
    const { value: start } = await first.messages.next();
    const created = [await directoryOf(one).office(), await directoryOf(one).office()];
    const [message] = await take(first.messages, 1);
    using again = await follow(one, { headers: { 'Last-Event-ID': `${start?.id}` } });
    expect(subjectsOf(await again.events(2))).toEqual(created.map(({ id }) => id));
    using onward = await follow(one, { headers: { 'Last-Event-ID': `${message?.id}` }, query: 'after=0' });
    expect(subjectsOf(await onward.events(1))).toEqual([created[1]?.id]);
  });

  it('sends only the selected types and the selected record', async () => {
    const { id } = await directoryOf(one).office();
    using updates = await follow(one, { query: 'types=office.updated&types=office.deleted' });
    using ofOne = await follow(one, { query: `subject=${id}&after=0` });
    const another = await directoryOf(one).office();
    await directoryOf(one).patch('offices', id, { phone: '+351210000001' });
    await directoryOf(one).remove('offices', another.id);
    expect(subjectsOf(await updates.events(2))).toEqual([id, another.id]);
    expect((await ofOne.events(2)).map(({ version }) => version)).toEqual([1, 2]);
  });

  it('sends every event once and in order when a long transaction commits late', async () => {
    const { create } = directoryOf(one);
    using following = await follow(one);
    const { value: start } = await following.messages.next();
    const early = await create('offices');
    await one.database.db.transaction().execute(async (trx) => {
      const late = trx.updateTable('office').set({ version: 2 }).where('id', '=', early.id);
      await late.execute();
      // The event takes its number now, and commits after those below have been seen.
      await sql`
        insert into event (type, subject_id, version, occurred_at, record, previous)
        select 'office.updated', subject_id, 2, occurred_at, record, '{}' from event where subject_id = ${early.id}`.execute(
        trx,
      );
      const others = [await create('offices'), await create('offices')];
      const seen = await following.events(3);
      expect(subjectsOf(seen)).toEqual([early.id, ...others.map(({ id }) => id)]);
    });
    const [last] = await following.events(1);
    expect(last).toMatchObject({ subject: early.id, version: 2, position: Number(start?.id) + 4 });
  });

  it('sends heartbeats', async () => {
    using following = await follow(one, { query: 'types=agent.purged' });
    await following.messages.next();
    expect((await following.messages.next()).value).toEqual({ comment: 'still here' });
  });

  it('ends with a problem when its key is revoked', async () => {
    const { id, secret } = await keyWith(['events:read', 'offices:read', 'agents:read', 'teams:read']);
    using following = await follow(one, { headers: { Authorization: `Bearer ${secret}` } });
    await one.request('PUT', `/keys/${id}/revoke`);
    const [last] = await take(following.messages, 1);
    expect(last?.event).toBe('problem');
    expect(JSON.parse(last?.data ?? '')).toMatchObject({ code: 'unauthenticated', status: 401 });
    expect((await following.messages.next()).done).toBe(true);
  });
});

describe('the subscription events.stream', () => {
  it('sends the same events over RPC, each with the cursor after it', async () => {
    const input = encodeURIComponent(JSON.stringify({ after: '0', types: ['agent.created'] }));
    const left = new AbortController();
    const response = await fetch(`${one.url}/trpc/events.stream?input=${input}`, {
      headers: { Authorization: `Bearer ${one.key}`, Accept: 'text/event-stream' },
      signal: left.signal,
    });
    const messages = messagesOf(response);
    const { id } = await directoryOf(one).agent();
    const seen: Message[] = [];
    while (!seen.some(({ data }) => data?.includes(id))) seen.push(...(await take(messages, 1)));
    const [page] = (await bodyOf<{ items: Event[] }>(await one.request('GET', `/events?subject=${id}`)))
      .items;
    const last = seen.at(-1);
    expect(eventOf(last ?? {})).toEqual(page);
    expect(last?.id).toBe(String(page?.position));
    left.abort();
  });
});
