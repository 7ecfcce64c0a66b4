import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personWith, type TestPerson } from '../support/auth/people.ts';
import { directoryOf } from '../support/fixtures.ts';
import { type Message, messagesOf } from '../support/http/server-sent-events.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

/** Two servers of one database. */
let here: TestServer;
let there: TestServer;
beforeAll(async () => {
  here = await startTestServer();
  there = await startTestServer({ database: here.database });
});
afterAll(async () => {
  await there[Symbol.asyncDispose]();
  await here[Symbol.asyncDispose]();
});

async function lastOf(messages: AsyncGenerator<Message>): Promise<Message | undefined> {
  let last: Message | undefined;
  for await (const message of messages) last = message;
  return last;
}

type Change = (person: TestPerson) => Promise<Response>;

const changes: [string, Change, number][] = [
  ['ended', ({ sessionId }) => here.request('PUT', `/sessions/${sessionId}/revoke`), 401],
  ['one of all that are ended', ({ id }) => here.request('PUT', `/people/${id}/revoke-sessions`), 401],
  ['that of a person who is deactivated', ({ id }) => here.request('PUT', `/people/${id}/deactivate`), 401],
  ['that of a person who is deleted', ({ id }) => here.request('DELETE', `/people/${id}`), 401],
  [
    'that of a person whose grants are for another office',
    async ({ id }) => {
      const { id: other } = await directoryOf(here).office();
      return here.request('PATCH', `/people/${id}`, { grants: [{ role: 'viewer', officeIds: [other] }] });
    },
    404,
  ],
];

describe('a session', () => {
  it.each(changes)('that is %s ends on every server', async (_, change, status) => {
    const { id: officeId } = await directoryOf(here).office();
    const person = await personWith(here, [{ role: 'editor' }]);
    const statusAt = async (server: TestServer) =>
      (await server.request('GET', `/offices/${officeId}`, undefined, person.headers)).status;
    expect([await statusAt(here), await statusAt(there)]).toEqual([200, 200]);
    expect((await change(person)).ok).toBe(true);
    expect(await statusAt(here)).toBe(status);
    await expect.poll(() => statusAt(there)).toBe(status);
  });

  it.each(changes.slice(0, 4))('that is %s has no stream of events on any server', async (_, change) => {
    const person = await personWith(here, [{ role: 'viewer' }]);
    const open = async (server: TestServer) => {
      const response = await server.request('GET', '/events/stream', undefined, person.headers);
      expect(response.status).toBe(200);
      return { last: lastOf(messagesOf(response)) };
    };
    const streams = await Promise.all([open(here), open(there)]);
    await change(person);
    for (const { last } of streams) expect(await last).toMatchObject({ event: 'problem' });
  });
});
