import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { childrenOf, connectToBoth } from '../support/processes/server-processes.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/service-process.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const start = (processes: string) =>
  startServiceProcess({
    databaseUrl: database.url,
    settings: { ROSTER_PROCESSES: processes, ROSTER_METRICS_PORT: '0' },
  });

async function scrape(service: ServiceProcess): Promise<string> {
  const [, url = ''] = /Metrics are at\s+(\S+)/.exec(service.output()) ?? [];
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

/** The samples of a scrape, by name and labels as they are written. */
async function samples(service: ServiceProcess): Promise<Map<string, number>> {
  const lines = (await scrape(service)).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

const LISTS = 'roster_requests_total{operation="offices.list",interface="rest",status="200"}';
const LIST_TIMES = 'roster_request_duration_seconds_count{operation="offices.list",interface="rest"}';

it('one address serves the sum over the processes, of what is read from the database the newest, and the same names', async () => {
  await using alone = await start('1');
  const named = async (service: ServiceProcess) =>
    new Set(Array.from((await scrape(service)).matchAll(/^# TYPE (roster_\w+ \w+)$/gm), ([, name]) => name));
  const names = await named(alone);
  await using service = await start('2');
  using connections = await connectToBoth(service);
  expect((await connections[0].request('POST', '/offices', { name: 'Porto' })).status).toBe(201);
  for (const [index, { request }] of connections.entries())
    for (let count = 0; count <= index; count += 1) await request('GET', '/offices');
  await expect.poll(async () => (await samples(service)).get(LISTS)).toBe(3);
  const seen = await samples(service);
  expect(seen.get(LIST_TIMES)).toBe(3);
  expect(seen.get('roster_requests_in_flight')).toBe(0);
  expect(seen.get('roster_database_up')).toBe(1);
  const [{ position } = { position: null }] = await database.db
    .selectFrom('event')
    .select(({ fn }) => fn.max('position').as('position'))
    .execute();
  expect(seen.get('roster_events_last_position')).toBe(Number(position));
  expect([...seen].find(([name]) => name.startsWith('roster_build_info'))?.[1]).toBe(1);
  expect(await named(service)).toEqual(names);
});

it('a scrape is answered again when a process has been replaced', async () => {
  await using service = await start('2');
  const [first] = childrenOf(service.pid);
  process.kill(first ?? 0, 'SIGKILL');
  await expect.poll(() => service.output()).toContain('a process that replaces another listens');
  await service.request('GET', '/offices');
  await expect.poll(async () => (await samples(service)).get(LISTS)).toBe(1);
});
