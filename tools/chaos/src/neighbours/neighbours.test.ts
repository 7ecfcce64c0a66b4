import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createRosterClient } from '@roster/client';
import { openCaller } from '@roster/harness/caller';
import { startDatabase } from '@roster/harness/database';
import { drawTargets, fill } from '@roster/harness/directory/data';
import { KEY, Server } from '@roster/harness/server';
import { quantileOf } from '@roster/harness/statistics';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dropList, LIST, type NeighbourName, neighbours, type Scene } from './neighbours.ts';
import type { NeighbourData } from './thread.ts';

/** The p99 of a good caller beside a neighbour, relative to its p99 before and after. */
const SLOWER_MAX = 5;
/** A p99 below this is good beside anything: on a busy machine that of a calm server is no smaller now and then. */
const GOOD_MS = 200;
const CALM_MS = 1_500;
const BESIDE_MS = 4_000;
const CONNECTIONS = 3;
const PACE_MS = 20;

const stack = new AsyncDisposableStack();
let scene: Scene;
let good: { key: string; agentIds: readonly string[] };
let client: Client;

beforeAll(async () => {
  const database = stack.use(await startDatabase());
  const directory = stack.use(await mkdtempDisposable(join(tmpdir(), 'roster-neighbours-')));
  const settings = { ROSTER_RATE_LIMIT: '100000' };
  const log = join(directory.path, 'server.log');
  const server = stack.use(new Server({ name: 'server', databaseUrl: database.url, log, settings }));
  await server.start();
  client = new Client({ connectionString: database.url });
  await client.connect();
  stack.defer(() => client.end());
  await fill(client, { offices: 300, agents: 20_000 });
  const { ids } = await drawTargets(client);
  const { rows } = await client.query<{ id: string; agents: string[] }>(
    'select office_id as id, array_agg(id) as agents from agent where office_id is not null group by 1 order by count(*) desc limit 1',
  );
  const [office] = rows;
  if (office === undefined) throw new Error('no office has agents');
  const taken = await client.query<{ email: string }>(
    "select email from agent where office_id <> $1 and email is not null and status = 'active' limit 1",
    [office.id],
  );
  const api = createRosterClient({ url: `http://127.0.0.1:${server.port}`, key: KEY });
  const scopes = ['agents:read' as const, 'agents:write' as const, 'offices:read' as const];
  const goodKey = await api.keys.create.mutate({ name: 'good', scopes });
  const limited = await api.keys.create.mutate({ name: 'neighbour', scopes, officeIds: [office.id] });
  const theirs = new Set(office.agents);
  good = { key: goodKey.secret, agentIds: ids.filter((id) => !theirs.has(id)) };
  scene = {
    port: server.port,
    databaseUrl: database.url,
    key: limited.secret,
    officeId: office.id,
    takenEmail: taken.rows[0]?.email ?? '',
    agentIds: office.agents.slice(0, 20),
  };
  await callWell(2_000);
}, 120_000);
afterAll(() => stack.disposeAsync());

function requestOf(n: number) {
  const path = `/agents/${good.agentIds[(n * 7) % good.agentIds.length]}`;
  if (n % 4 === 0) return { method: 'PATCH', path, body: { title: `Title ${n}` } };
  if (n % 4 === 1) return { method: 'GET', path: '/agents?limit=50&sort=lastName' };
  if (n % 4 === 2) return { method: 'GET', path: '/agents?limit=1&includeTotal=true' };
  return { method: 'GET', path };
}

/** Reads, lists, counts and changes on a few connections; returns the milliseconds of each request. */
async function callWell(timeMs: number): Promise<number[]> {
  const tookMs: number[] = [];
  const endMs = performance.now() + timeMs;
  const call = async () => {
    const caller = openCaller({ port: scene.port, key: good.key });
    for (; performance.now() < endMs; await sleep(PACE_MS)) {
      const startMs = performance.now();
      const { status } = await caller.send(requestOf(tookMs.length));
      tookMs.push(performance.now() - startMs);
      expect(status).toBe(200);
    }
    caller.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, call));
  return tookMs;
}

const names = Object.keys(neighbours) as NeighbourName[];

it.each(names)('a caller is served as before beside one that %s', { timeout: 60_000 }, async (name) => {
  const calm = await callWell(CALM_MS);
  const workerData: NeighbourData = { name, scene };
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData });
  const exit = once(worker, 'exit');
  const beside = await callWell(BESIDE_MS);
  worker.postMessage('stop');
  await exit;
  calm.push(...(await callWell(CALM_MS)));
  const [calmMs, besideMs] = [quantileOf(calm, 0.99), quantileOf(beside, 0.99)];
  process.stdout.write(
    `beside one that ${name}: p50 ${quantileOf(calm, 0.5).toFixed(1)} → ${quantileOf(beside, 0.5).toFixed(1)}, ` +
      `p99 ${calmMs.toFixed(1)} → ${besideMs.toFixed(1)} ms, ${calm.length} and ${beside.length} requests\n`,
  );
  expect(besideMs).toBeLessThan(Math.max(GOOD_MS, SLOWER_MAX * calmMs));
});

it('the list of these cases is one that takes long', async () => {
  const { status, body } = await openCaller({ port: scene.port, key: scene.key }).send({
    method: 'GET',
    path: LIST,
  });
  expect(status).toBe(200);
  expect(body.length).toBeGreaterThan(100_000);
});

it('soon after the clients of many lists have gone, PostgreSQL is at rest, and few connections were ended', {
  timeout: 60_000,
}, async () => {
  // Counted by PostgreSQL at the end of a transaction, and shown a second later.
  const counts = async () => {
    await sleep(1_500);
    const { rows } = await client.query<{ statements: number; killed: number }>(
      'select (xact_commit + xact_rollback)::int as statements, sessions_killed::int as killed from pg_stat_database where datname = current_database()',
    );
    return rows[0] ?? { statements: 0, killed: 0 };
  };
  const busy = async () => {
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()",
    );
    return rowCount;
  };
  const before = await counts();
  const drops: Promise<void>[] = [];
  for (let n = 0; n < 200; n += 1) {
    drops.push(dropList(scene));
    await sleep(2);
  }
  await Promise.all(drops);
  const startMs = performance.now();
  await expect.poll(busy, { interval: 20 }).toBe(0);
  const restMs = performance.now() - startMs;
  const { statements, killed } = await counts();
  process.stdout.write(
    `200 lists dropped: ${statements - before.statements} statements, ${killed - before.killed} sessions ended, at rest after ${restMs.toFixed(0)} ms\n`,
  );
  expect(killed - before.killed).toBeLessThan(20);
  expect(restMs).toBeLessThan(1_500);
});
