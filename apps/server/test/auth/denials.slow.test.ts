import type { Event, EventPage } from '@roster/api';
import { createDenialLog } from '@roster/api/server';
import { createTestDatabase } from '@roster/db/testing';
import { expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { personWith } from '../support/auth/people.ts';
import { call } from '../support/calls.ts';
import { bodyOf } from '../support/fixtures.ts';
import { startTestServer } from '../support/index.ts';
import { until } from '../support/webhooks.ts';

const INTERVAL_MS = 300;

async function startWithDenials(onFailure: (error: unknown) => void = () => undefined) {
  const database = await createTestDatabase({ requiresEvents: true });
  const now = () => new Date();
  const denials = createDenialLog({ db: database.db, now, onFailure, intervalMs: INTERVAL_MS });
  const server = await startTestServer({ database, denials });
  const events = async (headers = {}): Promise<Event[]> => {
    const path = '/events?types=access.denied&limit=200';
    return (await bodyOf<EventPage>(await server.request('GET', path, undefined, headers))).items;
  };
  return {
    server,
    events,
    database,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

it('a denied right is an event at once, and repeated ones are counted in at most one event an interval', async () => {
  await using scene = await startWithDenials();
  const { server, events } = scene;
  const { id, name, secret } = await keyWith(server, ['agents:read']);
  const started = performance.now();
  const denied = async () => (await server.request('GET', '/offices', undefined, bearer(secret))).status;
  expect(await Promise.all(Array.from({ length: 20 }, denied))).toEqual(Array(20).fill(403));
  await call(server, ['keys.list', {}], bearer(secret));
  const caller = { type: 'key', id, name };
  const countsOf = async (procedure: string) =>
    (await events()).flatMap(({ record }) =>
      record !== null && 'count' in record && record.procedure === procedure ? record.count : [],
    );
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  await until(async () => sum(await countsOf('offices.list')) === 20, 'the events');
  const counts = await countsOf('offices.list');
  expect(counts.length).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - started) / INTERVAL_MS));
  expect(await countsOf('keys.list')).toEqual([1]);
  for (const { record, actor } of await events()) {
    expect(record).toMatchObject({ caller, errorCode: 'insufficient_scope' });
    expect(actor).toEqual(caller);
  }
});

it('denied rights are read with people:manage by callers that are not limited', async () => {
  await using scene = await startWithDenials();
  const { server } = scene;
  const office = await bodyOf<{ id: string }>(await server.request('POST', '/offices', { name: 'Porto' }));
  const path = '/events?types=access.denied';
  const statusFor = async (headers: Record<string, string>) =>
    (await server.request('GET', path, undefined, headers)).status;
  expect(await statusFor((await personWith(server, [{ role: 'admin' }])).headers)).toBe(200);
  expect(await statusFor((await personWith(server, [{ role: 'manager' }])).headers)).toBe(403);
  const limited = { role: 'admin', officeIds: [office.id] } as const;
  const mixed = [{ ...limited, officeIds: [office.id] }, { role: 'viewer' as const }];
  expect(await statusFor((await personWith(server, mixed)).headers)).toBe(403);
  const withEvents = await keyWith(server, ['events:read', 'people:manage']);
  expect(await statusFor(bearer(withEvents.secret))).toBe(200);
});

it('a denied right has the same error if its event cannot be written', async () => {
  const failures: unknown[] = [];
  await using scene = await startWithDenials((error) => failures.push(error));
  const { server, database } = scene;
  const { secret } = await keyWith(server, ['agents:read']);
  await database.db.schema.alterTable('admin_event').renameTo('gone').execute();
  const response = await server.request('GET', '/offices', undefined, bearer(secret));
  expect(response.status).toBe(403);
  await until(async () => failures.length === 1, 'the failure');
});
