import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { createTestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkNew, checkPatch, pathOfPointer } from '../src/check.ts';
import { callsByName, createRosterClient, type RosterClient, RosterError } from '../src/index.ts';
import { collect } from './support/outcomes.ts';
import { startService } from './support/service-process.ts';

const key = `test-key-${randomUUID()}`;

let client: RosterClient;
let serviceUrl: string;
const cleanups: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  cleanups.unshift(async () => database[Symbol.asyncDispose]());
  const { url, stop } = await startService({
    ...process.env,
    DATABASE_URL: database.url,
    ROSTER_ADMIN_KEY: key,
    ROSTER_RATE_LIMIT: '0',
  });
  cleanups.unshift(stop);
  serviceUrl = url;
  client = createRosterClient({ url, key });
});

afterAll(async () => {
  for (const step of cleanups) await step();
});

it('records of the service are created, updated, read, listed and deleted', async () => {
  const office = await client.offices.create.mutate({
    name: 'Ατλαντικός 東京',
    address: { city: '東京', country: 'JP' },
  });
  const agent = await client.agents.create.mutate({
    firstName: 'Ana',
    lastName: 'Reis',
    officeId: office.id,
  });
  const updated = await client.agents.update.mutate({ id: agent.id, title: 'Broker' });
  expect(updated).toMatchObject({ id: agent.id, title: 'Broker', version: 2 });
  const page = await client.agents.list.query({ expand: 'office', officeId: office.id, includeTotal: true });
  expect(page).toMatchObject({ items: [{ id: agent.id, office: { name: 'Ατλαντικός 東京' } }], total: 1 });
  expect(await client.agents.delete.mutate({ id: agent.id })).toBeUndefined();
  const gone = await client.agents.get.query({ id: agent.id }).catch((error: unknown) => error);
  expect(gone).toBeInstanceOf(RosterError);
  expect(gone).toMatchObject({ code: 'not_found', status: 404, requestId: expect.any(String) });
});

it('more calls in one tick than a batch of the service takes each get their own response', async () => {
  const names = Array.from({ length: 50 }, (_, number) => `Office ${number}`);
  const created = await Promise.all(names.map((name) => client.offices.create.mutate({ name })));
  expect(created.map(({ name }) => name)).toEqual(names);
  const unknown = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
  const calls = [...created.map(({ id }) => id), unknown].map((id) => client.offices.get.query({ id }));
  const settled = await Promise.allSettled(calls);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
  expect(settled.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
});

it('all yields every page of offices, agents and keys, with the filters of the list', async () => {
  const numbers = Array.from({ length: 11 }, (_, number) => number);
  const { id: officeId } = await client.offices.create.mutate({ name: 'Paged' });
  for (const number of numbers) {
    await client.agents.create.mutate({ firstName: 'Paged', lastName: `Agent ${number + 10}`, officeId });
  }
  const agents = await collect(client.agents.all({ officeId, sort: 'lastName', limit: 3 }));
  expect(agents.map(({ lastName }) => lastName)).toEqual(numbers.map((number) => `Agent ${number + 10}`));
  const offices = await collect(client.offices.all({ q: 'paged', limit: 1 }));
  expect(offices.map(({ id }) => id)).toEqual([officeId]);
  for (const name of ['One', 'Other']) await client.keys.create.mutate({ name, scopes: ['offices:read'] });
  const keys = await collect(client.keys.all({ limit: 1, sort: 'name' }));
  expect(keys.map(({ name }) => name)).toEqual(['One', 'Other']);
});

it('a create that is sent twice, because the first response was lost, happens once', async () => {
  let sent = 0;
  const unreliable = createRosterClient({
    url: serviceUrl,
    key,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      sent += 1;
      if (sent === 1) throw new TypeError('fetch failed');
      return response;
    },
  });
  const { id } = await unreliable.offices.create.mutate({ name: 'Created once' });
  expect(sent).toBe(2);
  const found = await collect(client.offices.all({ q: 'created once' }));
  expect(found.map((office) => office.id)).toEqual([id]);
});

it('an invalid record is rejected with all its errors', async () => {
  const invalid = { lastName: 'x'.repeat(101), email: 'invalid' };
  await expect(client.agents.create.mutate(invalid)).rejects.toMatchObject({
    code: 'validation_failed',
    status: 422,
    errors: [{ pointer: '#/lastName' }, { pointer: '#/email' }],
  });
});

it('follow yields the past and the new events of one record', async () => {
  const { id } = await client.offices.create.mutate({ name: 'Belém' });
  await client.offices.update.mutate({ id, phone: '+351210000001' });
  const seen: string[] = [];
  for await (const event of client.events.follow({ after: '0', subject: id })) {
    seen.push(`${event.type} ${event.version}`);
    if (seen.length === 2) await client.offices.deactivate.mutate({ id, reason: 'Moved' });
    if (event.type === 'office.deactivated') {
      expect(event).toMatchObject({ reason: 'Moved', record: { name: 'Belém', phone: '+351210000001' } });
      break;
    }
  }
  expect(seen).toEqual(['office.created 1', 'office.updated 2', 'office.deactivated 3']);
});

it('follow fails with cursor_expired after a cursor that is not in the event log', async () => {
  const following = client.events.follow({ after: '999999' }).next();
  await expect(following).rejects.toMatchObject({ code: 'cursor_expired', status: 410 });
});

it.each([
  { firstName: ' ', lastName: '', nickname: 'x'.repeat(300), email: 'ana', licenses: [{ region: '11' }] },
  { firstName: 'Ana', officeId: 'x', languages: 'pt', address: { country: 'PT', street: 'Rua' }, nothing: 1 },
])('the check of a form finds what the service finds, in the same places and words: %j', async (agent) => {
  const record = Object.assign({ lastName: 'Reis' }, agent);
  const error = await callsByName(client)
    .mutate('agents.create', record)
    .catch((reason) => reason);
  const told = ({ path, code, detail }: { path: readonly string[]; code: string; detail: string }) =>
    `${path.join('.')} ${code} ${detail}`;
  const ofService = (error as RosterError).errors.map(({ pointer = '', code, detail }) => {
    return told({ path: pathOfPointer(pointer), code, detail });
  });
  const found = checkNew('agents', record);
  expect(found.map(told).sort()).toEqual(ofService.sort());
  expect(found.length).toBeGreaterThan(3);
});

it('the check of a patch requires no field, and takes null where a new value is taken back', () => {
  expect(checkPatch('offices', { phone: null, metadata: { colour: null } })).toEqual([]);
  expect(checkPatch('offices', { name: null })).toMatchObject([{ path: ['name'], code: 'invalid_type' }]);
  expect(checkNew('offices', {})).toEqual([{ path: ['name'], code: 'required', detail: 'is required' }]);
});
