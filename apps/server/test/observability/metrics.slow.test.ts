import { readFile } from 'node:fs/promises';
import { createTestDatabase, startProxy, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWatchedService, type WatchedService } from '../support/processes/watched-service.ts';

const SETTINGS = { ROSTER_METRICS_PORT: '0' };

let database: TestDatabase;
let service: WatchedService;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startWatchedService(database, SETTINGS);
});
afterAll(async () => {
  await service.close();
  await database[Symbol.asyncDispose]();
});

/** The samples of a scrape, by name and labels as they are written. */
async function samples({ scrape } = service): Promise<Map<string, number>> {
  const lines = (await scrape()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

/** The events without a position, the webhooks that fail and the deliveries that are left. */
function queueOf(seen: Map<string, number>) {
  return {
    waiting: seen.get('roster_events_waiting'),
    failing: seen.get('roster_webhooks_failing'),
    pending: seen.get('roster_webhook_deliveries_pending'),
    due: seen.get('roster_webhook_deliveries_due'),
  };
}

async function ask(method: string, path: string, body?: unknown): Promise<void> {
  await (await service.request(method, path, body)).text();
}

describe('requests', () => {
  it('are counted and timed by operation, interface and status; of a batch each call', async () => {
    await ask('POST', '/offices', { name: 'Porto' });
    await ask('GET', '/offices');
    await ask('GET', `/offices/${crypto.randomUUID()}`);
    const input = encodeURIComponent(JSON.stringify({ 0: {}, 1: { id: crypto.randomUUID() } }));
    await ask('GET', `/trpc/agents.list,agents.get?batch=1&input=${input}`);
    await ask('GET', '/reso/Member');
    await ask('GET', '/healthz');
    const name = 'roster_requests_total{operation';
    await expect
      .poll(() => samples())
      .toSatisfy((seen: Map<string, number>) =>
        seen.has(`${name}="/healthz",interface="other",status="200"}`),
      );
    const seen = await samples();
    expect(seen.get(`${name}="offices.create",interface="rest",status="201"}`)).toBe(1);
    expect(seen.get(`${name}="offices.list",interface="rest",status="200"}`)).toBe(1);
    expect(seen.get(`${name}="offices.get",interface="rest",status="404"}`)).toBe(1);
    expect(seen.get(`${name}="agents.list",interface="rpc",status="200"}`)).toBe(1);
    expect(seen.get(`${name}="agents.get",interface="rpc",status="404"}`)).toBe(1);
    expect(seen.get(`${name}="/reso/*",interface="reso",status="200"}`)).toBe(1);
    expect(seen.get('roster_errors_total{code="not_found"}')).toBe(2);
    expect(
      seen.get('roster_request_duration_seconds_count{operation="offices.create",interface="rest"}'),
    ).toBe(1);
    expect(seen.get('roster_requests_in_flight')).toBe(0);
  });

  it('with unknown paths, methods and procedures add no series but `unknown`', async () => {
    for (const path of ['/x', '/trpc/x', '/trpc/x,y?batch=1', '/agents/x/y', '/%zz']) await ask('GET', path);
    const named = async () => [...(await samples()).keys()].filter((name) => name.startsWith('roster_'));
    const before = await named();
    for (let index = 0; index < 10; index += 1) {
      for (const path of [
        `/x${index}`,
        `/trpc/x${index}`,
        `/trpc/x${index},y?batch=1`,
        `/agents/x/y${index}`,
      ]) {
        await ask('GET', path);
      }
    }
    expect(await named()).toEqual(before);
    expect(before.join()).not.toContain('"x');
  });
});

it('the metrics show statements, errors, connections, the event log and webhooks', async () => {
  await ask('POST', '/offices', { name: 'Lisboa' });
  await ask('POST', '/webhooks', { url: 'http://127.0.0.1:9/' });
  await sql`alter table office add constraint nobody_knows_it check (name <> 'Faro')`.execute(database.db);
  await ask('POST', '/offices', { name: 'Faro' });
  await ask('POST', '/offices', { name: 'Braga' });
  await expect
    .poll(async () => (await samples()).get('roster_webhook_attempts_total{outcome="no_response"}') ?? 0)
    .toBeGreaterThan(0);
  // The attempt is counted before its end is in the database.
  await expect
    .poll(async () => queueOf(await samples()))
    .toEqual({ waiting: 0, failing: 1, pending: 1, due: 0 });
  const seen = await samples();
  expect(seen.get('roster_webhook_lag_seconds')).toBe(0);
  expect(seen.get('roster_webhook_failing_lag_seconds')).toBeGreaterThan(0);
  expect(seen.get('roster_database_up')).toBe(1);
  expect(seen.get('roster_database_errors_total{use="requests",class="23"}')).toBe(1);
  expect(seen.get('roster_database_statement_duration_seconds_count{use="requests"}')).toBeGreaterThan(3);
  expect(
    seen.get('roster_database_connections{use="requests",kind="dedicated",state="idle"}'),
  ).toBeGreaterThan(0);
  expect(seen.get('roster_events_last_position')).toBeGreaterThan(1);
});

it('the metrics show open streams', async () => {
  const leaving = new AbortController();
  const headers = { Authorization: `Bearer ${service.key}` };
  await fetch(`${service.url}/events/stream`, { headers, signal: leaving.signal });
  expect((await samples()).get('roster_streams_open')).toBe(1);
  leaving.abort();
  await expect.poll(async () => (await samples()).get('roster_streams_open')).toBe(0);
});

it('a scrape is answered if the database is unavailable, with roster_database_up 0', async () => {
  await using proxy = await startProxy(database);
  const { host, port, user } = proxy.connection;
  const url = `postgres://${user}@${host}:${port}/${database.connection.database}`;
  await using lonely = await startWatchedService({ url }, SETTINGS);
  expect((await samples(lonely)).get('roster_database_up')).toBe(1);
  await proxy[Symbol.asyncDispose]();
  const seen = await samples(lonely);
  expect(seen.get('roster_database_up')).toBe(0);
  expect(seen.has('roster_events_last_position')).toBe(false);
  expect(seen.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
  await expect
    .poll(async () => {
      const now = await samples(lonely);
      const lost = (kind: string) =>
        now.get(`roster_database_connection_losses_total{use="background",kind="${kind}"}`) ?? 0;
      return lost('dedicated') + lost('pipelined');
    })
    .toBeGreaterThan(0);
});

it('the metrics have a port of their own, which serves nothing else', async () => {
  expect((await service.request('GET', '/metrics')).status).toBe(404);
  const text = await service.scrape();
  expect(text).toMatch(/^roster_build_info\{version="[\d.]+",node="v[\d.]+"\} 1$/m);
});

it('every metric is explained in docs/operations/observe.md', async () => {
  const names = Array.from(
    (await service.scrape()).matchAll(/^# TYPE (roster_\w+) (\w+)$/gm),
    ([, name]) => name,
  );
  const readme = await readFile(new URL('../../../../docs/operations/observe.md', import.meta.url), 'utf8');
  const [, table = ''] = /<!-- metrics[^>]*-->\n([\s\S]*?)<!-- \/metrics -->/.exec(readme) ?? [];
  const explained = Array.from(table.matchAll(/^\| `(roster_\w+)/gm), ([, name]) => name);
  expect(explained.sort()).toEqual(names.sort());
});
