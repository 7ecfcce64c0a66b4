import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHaproxy } from '@roster/harness/haproxy';
import { KEY, Server } from '@roster/harness/server';
import { missingPackages, type PatroniCluster, startPatroni } from './failover/patroni.ts';

/**
 * Loses the leader of a cluster under load, and counts what is lost with it. Two servers behind HAProxy (`deploy/haproxy.cfg`) write
 * over PgBouncer to two nodes of PostgreSQL that Patroni holds (`deploy/patroni`), one of them the synchronous standby of the
 * other. All processes of the leader are killed; Patroni promotes the standby.
 *
 * Fails if a program is not installed, if an acknowledged write is missing, has happened twice or has not one event, if a reader of
 * the log missed an event, if an answer was a 5xx other than 503 with Retry-After, or if writing did not go on within the time to
 * live of the leader and half a minute.
 */

const WRITERS = 6;
const LOAD_MS = 5_000;
const RECOVERY_MAX_MS = 30_000;
const PAUSE_MS = 20;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

type Request = (method: string, path: string, body?: object, headers?: object) => Promise<Response>;

/** What callers have seen. */
interface History {
  /** The name of every office whose creation was acknowledged. */
  acknowledged: Set<string>;
  /** When each was, by `performance.now()`. */
  times: number[];
  /** The names in the log, once for each event. */
  followed: string[];
  faults: Set<string>;
}

/** Sends a request; undefined if there was no answer, or 503. */
async function ask(request: () => Promise<Response>, { faults }: History): Promise<Response | undefined> {
  const answer = await request().catch(() => undefined);
  if (answer === undefined || answer.ok) return answer;
  await answer.arrayBuffer();
  if (answer.status !== 503 || !answer.headers.has('retry-after'))
    faults.add(`an answer was ${answer.status}${answer.status === 503 ? ' without Retry-After' : ''}`);
  return undefined;
}

/** Creates offices one after the other, each until it is acknowledged: an Idempotency-Key makes that safe. */
async function write(request: Request, history: History, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const name = randomUUID();
    const create = () => request('POST', '/offices', { name }, { 'Idempotency-Key': name });
    let answer: Response | undefined;
    while (answer === undefined && !stopped.aborted) {
      answer = await ask(create, history);
      if (answer === undefined) await sleep(PAUSE_MS);
    }
    if (answer === undefined) return;
    await answer.arrayBuffer();
    history.acknowledged.add(name);
    history.times.push(performance.now());
  }
}

interface EventPage {
  items: { position: string; record: { name: string } | null }[];
  nextAfter: string;
}

/** Reads the log until it has everything that was acknowledged when the writers stopped. */
async function follow(request: Request, history: History, stopped: AbortSignal): Promise<void> {
  let deadlineMs = Number.POSITIVE_INFINITY;
  stopped.addEventListener('abort', () => {
    deadlineMs = performance.now() + RECOVERY_MAX_MS;
  });
  for (let after = '0'; performance.now() < deadlineMs; ) {
    const answer = await ask(() => request('GET', `/events?after=${after}&limit=200`), history);
    const { items, nextAfter } = answer
      ? ((await answer.json()) as EventPage)
      : { items: [], nextAfter: after };
    for (const { position, record } of items) {
      if (BigInt(position) <= BigInt(after)) history.faults.add(`position ${position} came after ${after}`);
      after = position;
      history.followed.push(record?.name ?? '');
    }
    after = nextAfter;
    if (stopped.aborted && history.followed.length >= history.acknowledged.size && answer?.ok) return;
    if (items.length === 0) await sleep(PAUSE_MS);
  }
}

/** The longest time without an acknowledged write. */
function longestPause(times: readonly number[]): number {
  const pauses = times.map((time, index) => time - (times[index - 1] ?? time));
  return pauses.reduce((longest, pause) => Math.max(longest, pause), 0);
}

async function judge(cluster: PatroniCluster, { acknowledged, times, followed, faults }: History) {
  const rows = await cluster.query<{ name: string; times: number; events: number }>(`
    select name, count(*)::int as times,
      (select count(*)::int from event where subject_id = any(array_agg(office.id))) as events
    from office group by name`);
  const stored = new Map(rows.map((row) => [row.name, row]));
  const kept = [...acknowledged].filter((name) => stored.get(name)?.times === 1);
  const once = kept.filter((name) => stored.get(name)?.events === 1);
  const heard = new Set(followed);
  const missed = [...acknowledged].filter((name) => !heard.has(name)).length;
  if (kept.length < acknowledged.size) faults.add('acknowledged writes are lost, or happened twice');
  if (once.length < kept.length) faults.add('writes have no event, or two');
  if (missed > 0 || heard.size < followed.length)
    faults.add(`the log: ${missed} missed, ${followed.length - heard.size} twice`);
  const pause = longestPause(times);
  if (pause > cluster.ttlSeconds * 1_000 + RECOVERY_MAX_MS) faults.add('writing did not go on in time');
  say(
    `${kept.length} of ${acknowledged.size} acknowledged writes kept, ${once.length} of them with one event, ` +
      `${missed} missed by a reader of the log; ${seconds(pause)} without writes at a time to live of ${cluster.ttlSeconds} s.`,
  );
}

/** Writes through HAProxy, loses the leader, and writes on until it goes on. */
async function loseLeader(cluster: PatroniCluster, directory: string): Promise<History> {
  await using begun = new AsyncDisposableStack();
  const servers = ['server-1', 'server-2'].map((name) =>
    begun.use(new Server({ name, databaseUrl: cluster.url, log: join(directory, `${name}.log`) })),
  );
  for (const server of servers) await server.start();
  const balancer = begun.use(
    await startHaproxy(
      servers.map(({ port }) => port),
      directory,
    ),
  );
  const request: Request = (method, path, body, headers = {}) =>
    fetch(`http://127.0.0.1:${balancer.port}${path}`, {
      method,
      headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const history: History = { acknowledged: new Set(), times: [], followed: [], faults: new Set() };
  const [stopWriting, stopReading] = [new AbortController(), new AbortController()];
  const writing = Array.from({ length: WRITERS }, () => write(request, history, stopWriting.signal));
  const reading = follow(request, history, stopReading.signal);
  await sleep(LOAD_MS);
  const leader = await cluster.leader();
  const killedMs = performance.now();
  await leader.lose();
  say(`${leader.name} was the leader; all its processes are killed.`);
  const deadlineMs = killedMs + cluster.ttlSeconds * 1_000 + RECOVERY_MAX_MS;
  const goesOn = () => (history.times.at(-1) ?? 0) > killedMs + LOAD_MS;
  while (!goesOn() && performance.now() < deadlineMs) await sleep(PAUSE_MS);
  await sleep(LOAD_MS);
  stopWriting.abort();
  await Promise.all(writing);
  stopReading.abort();
  await reading;
  return history;
}

const missing = await missingPackages();
if (missing.length > 0) {
  process.stderr.write(
    `This runs against Patroni, etcd, PostgreSQL, PgBouncer and HAProxy. On Debian:\n\n  apt-get install ${missing.join(' ')}\n`,
  );
  process.exit(1);
}
const directory = await mkdtemp(join(tmpdir(), 'roster-failover-'));
await chmod(directory, 0o755);
try {
  await using cluster = await startPatroni(join(directory, 'cluster'));
  const history = await loseLeader(cluster, directory);
  await judge(cluster, history);
  for (const fault of history.faults) say(`FAULT: ${fault}`);
  if (history.faults.size > 0) process.exitCode = 1;
} catch (error) {
  say(`FAULT: ${error}`);
  process.exitCode = 1;
}
if (process.exitCode === 1) say(`The logs of all are in ${directory}.`);
else await rm(directory, { recursive: true, force: true });
