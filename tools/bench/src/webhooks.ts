import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Asked, openCaller } from '../../harness/src/caller.ts';
import { measureCpu } from '../../harness/src/cpu.ts';
import { fill } from '../../harness/src/directory/data.ts';
import { readOptions } from '../../harness/src/options.ts';
import { Server } from '../../harness/src/server.ts';
import { quantileOf } from '../../harness/src/statistics.ts';
import { until } from '../../harness/src/until.ts';
import { type Bench, waitUntilCompared, withBench } from './database.ts';

/**
 * The rate of webhooks: `npm --prefix tools/bench run webhooks`. How many events a second one server delivers to one receiver that
 * responds after some milliseconds, while it catches up with the log; then the time from a change to its delivery while some records
 * are changed in turn at a steady rate. Server, PostgreSQL, receiver and load share the machine.
 */

const { events, response, rates, records, seconds } = readOptions({
  events: 20_000,
  response: 5,
  rates: '50,250',
  records: 5_000,
  seconds: 30,
});

const TICK_MS = 20;
const WAIT_MS = 10 * 60_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** A receiver that responds with 204 after a time, and keeps when each event arrived first. */
async function startReceiver() {
  const arrivedMs = new Map<string, number>();
  const lagsMs: number[] = [];
  let requests = 0;
  let open = 0;
  let mostOpen = 0;
  const server = createServer(async (request, reply) => {
    mostOpen = Math.max(mostOpen, ++open);
    requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const id = String(request.headers['webhook-id']);
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString());
    if (!arrivedMs.has(id)) {
      arrivedMs.set(id, Date.now());
      lagsMs.push(Date.now() - Date.parse(timestamp));
    }
    await sleep(response);
    open -= 1;
    reply.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** The distinct events that arrived since the last call of `forget`. */
    get count() {
      return arrivedMs.size;
    },
    lagsMs,
    /** In words: repetitions, and how many requests were open at once. */
    get remarks() {
      return `${requests - arrivedMs.size} repeated, at most ${mostOpen} at a time`;
    },
    forget() {
      arrivedMs.clear();
      lagsMs.length = 0;
      requests = 0;
      mostOpen = 0;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** What it responds to one request. Throws if that is an error. */
async function ask<Body>(caller: ReturnType<typeof openCaller>, request: Asked): Promise<Body> {
  const { status, body } = await caller.send(request);
  if (status >= 300) throw new Error(`${status} ${body}`);
  return JSON.parse(body) as Body;
}

/** Changes all agents in a job. Returns the position of the log before. */
async function changeAll(caller: ReturnType<typeof openCaller>): Promise<string> {
  const { nextAfter } = await ask<{ nextAfter: string }>(caller, {
    method: 'GET',
    path: '/events?after=latest',
  });
  const change = { type: 'update', patch: { bio: `Since ${nextAfter}` } };
  const body = { filter: { all: true }, change, expectedCount: events };
  const { id } = await ask<{ id: string }>(caller, { method: 'POST', path: '/agents/bulk', body });
  const isDone = async () => {
    const job = await ask<{ status: string }>(caller, { method: 'GET', path: `/jobs/${id}` });
    return job.status === 'completed';
  };
  await until('the job', isDone, { withinMs: WAIT_MS });
  return nextAfter;
}

/** Waits until the changes are compared with other records, as in the background, which would take a part of the machine. */
async function waitUntilFollowed(client: Bench['client']): Promise<void> {
  const isFollowed = async () =>
    (await client.query('select from comparison, event_log having bool_and(position >= last_position)')).rows
      .length > 0;
  await until('the comparison', isFollowed, { withinMs: WAIT_MS, everyMs: 500 });
}

/** Measures how fast a webhook catches up with events that are in the log already. */
async function catchUp({ client, postmaster }: Bench, server: Server, receiver: Receiver): Promise<void> {
  const caller = openCaller({ port: server.port });
  const after = await changeAll(caller);
  await waitUntilFollowed(client);
  receiver.forget();
  const started = performance.now();
  const cpu = await measureCpu({ server: server.pid, postmaster }, async () => {
    const body = { url: receiver.url, after, types: ['agent.updated'] };
    await ask(caller, { method: 'POST', path: '/webhooks', body });
    await until('every event', async () => receiver.count >= events, { withinMs: WAIT_MS, everyMs: 10 });
  });
  const lastedS = (performance.now() - started) / 1_000;
  const [serverMs, databaseMs] = [cpu.serverUs, cpu.databaseUs].map((us) => (us / 1_000 / events).toFixed(3));
  say(
    `Catching up: ${(events / lastedS).toFixed(0)} deliveries a second (${events} in ${lastedS.toFixed(1)} s), ` +
      `CPU of each: server ${serverMs} ms, PostgreSQL ${databaseMs} ms; ${receiver.remarks}`,
  );
  caller.close();
}

/** Measures the time from a change to its delivery at a rate of changes. */
async function followAt(rate: number, { client }: Bench, server: Server, receiver: Receiver): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select id from agent order by md5(id::text) limit $1',
    [records],
  );
  const callers = Array.from({ length: 16 }, () => openCaller({ port: server.port }));
  const idle = [...callers];
  receiver.forget();
  let sent = 0;
  const asked = new Set<Promise<unknown>>();
  const started = performance.now();
  while (performance.now() - started < seconds * 1_000) {
    const due = Math.floor(((performance.now() - started) / 1_000) * rate);
    while (sent < due) {
      const own = idle.pop();
      if (own === undefined) break;
      const path = `/agents/${rows[sent++ % rows.length]?.id}`;
      const request = ask(own, { method: 'PATCH', path, body: { bio: `${sent} ${started}` } });
      const done = request.finally(() => {
        idle.push(own);
        asked.delete(done);
      });
      asked.add(done);
    }
    await sleep(TICK_MS);
  }
  await Promise.all(asked);
  const lastedS = (performance.now() - started) / 1_000;
  const behind = sent - receiver.count;
  await until('every event', async () => receiver.count >= sent, { withinMs: WAIT_MS, everyMs: 10 });
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantileOf(receiver.lagsMs, share).toFixed(0));
  say(
    `Changes at ${(sent / lastedS).toFixed(0)} a second for ${lastedS.toFixed(0)} s: delivered after p50 ${p50} ms, p99 ${p99} ms, ` +
      `at most ${most} ms; ${behind} were to be delivered at the end; ${receiver.remarks}`,
  );
  for (const caller of callers) caller.close();
}

async function measure(bench: Bench): Promise<void> {
  await fill(bench.client, { offices: 1_000, agents: events });
  await using receiver = await startReceiver();
  await using server = new Server({
    name: 'roster',
    databaseUrl: bench.url,
    log: join(bench.directory, 'roster.log'),
    settings: {
      NODE_ENV: 'production',
      ROSTER_WEBHOOK_ALLOW_PRIVATE: 'true',
      ROSTER_RATE_LIMIT: '1000000000',
    },
    isBundle: true,
  });
  await server.start();
  await waitUntilCompared(bench.client);
  say(
    `${availableParallelism()} cores, load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}; the receiver responds after ${response} ms`,
  );
  await catchUp(bench, server, receiver);
  for (const rate of rates.split(',').map(Number)) await followAt(rate, bench, server, receiver);
}

await withBench(measure);
