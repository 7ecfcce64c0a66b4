import { setTimeout } from 'node:timers/promises';
import { type Agent, type Event, type KeyWithSecret, type Office, scopes } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { batch, type Call, type CallResult } from '../support/calls.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { messagesOf, take } from '../support/http/server-sent-events.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let one: TestServer;
let other: TestServer;
let office: Office;
let elsewhere: Office;
let agent: Agent;
let hidden: Agent;
let key: KeyWithSecret;
beforeAll(async () => {
  one = await startTestServer({ streamLimits: { heartbeatMs: 100 } });
  other = await startTestServer({ database: one.database, connection: {} });
  const directory = directoryOf(one);
  [office, elsewhere] = [await directory.office(), await directory.office()];
  agent = await directory.agent({ officeId: office.id });
  hidden = await directory.agent({ officeId: elsewhere.id });
  key = await keyWith(
    one,
    scopes.filter((scope) => !/^(keys|people)/.test(scope)),
    { officeIds: [office.id] },
  );
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

const asLimited = (server: TestServer, method: string, path: string, body?: object, headers = {}) =>
  server.request(method, path, body, { ...bearer(key.secret), ...headers });

/** Waits until a request of the limited key gets a status. */
async function untilStatus(path: string, status: number): Promise<void> {
  await expect.poll(async () => (await asLimited(other, 'GET', path)).status).toBe(status);
}

describe('a key that is limited to an office', () => {
  it('gets 304 for a visible record, and 404 for another whose version it guesses', async () => {
    const headers = { 'If-None-Match': '"1"' };
    expect((await asLimited(one, 'GET', `/agents/${agent.id}`, undefined, headers)).status).toBe(304);
    expect((await asLimited(one, 'GET', `/agents/${hidden.id}`, undefined, headers)).status).toBe(404);
    expect((await asLimited(one, 'GET', `/offices/${elsewhere.id}`, undefined, headers)).status).toBe(404);
  });

  it('gets for each call of a batch what the call alone gets', async () => {
    const calls: Call[] = [
      ['agents.get', { id: agent.id }],
      ['agents.get', { id: hidden.id }],
      ['agents.list', { includeTotal: true }],
    ];
    const response = await batch(one, calls, bearer(key.secret));
    const results = await bodyOf<CallResult<{ id?: string; total?: number }>[]>(response);
    expect(
      results.map(({ result, error }) => result?.data.id ?? result?.data.total ?? error?.data?.httpStatus),
    ).toEqual([agent.id, 404, 1]);
  });

  it('works in a branch as soon as it has made it, and on other servers within a second', async () => {
    const response = await asLimited(one, 'POST', '/offices', { name: 'Branch', mainOfficeId: office.id });
    const branch = await bodyOf<Office>(response);
    const created = { firstName: 'Rui', lastName: 'Reis', officeId: branch.id };
    expect((await asLimited(one, 'POST', '/agents', created)).status).toBe(201);
    await untilStatus(`/offices/${branch.id}`, 200);
    await directoryOf(one).patch('offices', branch.id, { mainOfficeId: elsewhere.id });
    expect((await asLimited(one, 'GET', `/offices/${branch.id}`)).status).toBe(404);
    await untilStatus(`/offices/${branch.id}`, 404);
  });

  it('follows the events of its offices on another server, as its limit changes', async () => {
    const left = new AbortController();
    const response = await fetch(`${other.url}/events/stream`, {
      headers: bearer(key.secret),
      signal: left.signal,
    });
    const messages = messagesOf(response);
    const next = async () => {
      const [message] = await take(messages, 1);
      return (JSON.parse(message?.data ?? '') as Event).subject;
    };
    const directory = directoryOf(one);
    await directory.patch('agents', hidden.id, { title: 'Hidden' });
    await directory.patch('agents', agent.id, { title: 'Visible' });
    expect(await next()).toBe(agent.id);
    await one.request('PATCH', `/keys/${key.id}`, { officeIds: [elsewhere.id] });
    await setTimeout(1_000);
    await directory.patch('agents', agent.id, { title: 'Hidden' });
    await directory.patch('agents', hidden.id, { title: 'Visible' });
    expect(await next()).toBe(hidden.id);
    left.abort();
    await one.request('PATCH', `/keys/${key.id}`, { officeIds: [office.id] });
  });
});
