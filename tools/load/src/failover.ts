import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { startPrimary, startStandby, type TestPostgres } from '@roster/local-postgres/testing/standby';
import {
  type ServiceProcess,
  startServiceProcess,
} from '../../../apps/server/test/support/service-process.ts';

/**
 * Loses the primary under load and counts what is lost with it: two servers write to a primary that replicates in step
 * to a standby; kill -9 of the primary; the standby is promoted; the servers find it by themselves. So many rounds as
 * the first argument says, each with the standby of the round before as the primary and a new standby.
 *
 * Fails where an acknowledged write is missing or has happened twice, where a reader of the log missed an event or saw
 * its positions go back, where any answer was a 5xx other than 503, or where writing did not go on within five seconds of
 * the promotion.
 */

const ROUNDS = Number(process.argv[2] ?? 3);
const WRITERS = 8;
const LOAD_MS = 2_000;
const RECOVERY_MAX_MS = 5_000;

const say = (text: string) => void process.stdout.write(`${text}\n`);

interface History {
  /** The name of every office whose creation was acknowledged. */
  acknowledged: Set<string>;
  /** When each was, by `performance.now()`. */
  times: number[];
  faults: string[];
}

/** Creates offices one after the other, each until it is acknowledged: an Idempotency-Key makes that safe. */
async function write({ request }: ServiceProcess, history: History, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const name = randomUUID();
    while (!stopped.aborted) {
      const answer = await request('POST', '/offices', { name }, { 'Idempotency-Key': name });
      await answer.arrayBuffer();
      if (answer.status === 201) {
        history.acknowledged.add(name);
        history.times.push(performance.now());
        break;
      }
      if (answer.status !== 503) history.faults.push(`a write was answered ${answer.status}`);
      await setTimeout(20);
    }
  }
}

interface EventPage {
  items: { position: string; record: { name: string } | null }[];
  nextAfter: string;
}

/** Where the log ends, so that each round reads its own events. */
async function endOfLog({ request }: ServiceProcess): Promise<string> {
  for (let after = '0'; ; ) {
    const { items, nextAfter } = (await (
      await request('GET', `/events?after=${after}&limit=200`)
    ).json()) as EventPage;
    if (items.length === 0) return nextAfter;
    after = nextAfter;
  }
}

/**
 * Reads the log to its end, over and over, until it has read everything acknowledged, or the time is over; returns
 * every name it has read, once for each time.
 */
async function follow(
  { server, from }: { server: ServiceProcess; from: string },
  history: History,
  stopped: AbortSignal,
): Promise<string[]> {
  const names: string[] = [];
  let after = from;
  let deadlineMs = Number.POSITIVE_INFINITY;
  stopped.addEventListener('abort', () => {
    deadlineMs = performance.now() + RECOVERY_MAX_MS;
  });
  for (;;) {
    const isWhole = stopped.aborted && names.length >= history.acknowledged.size;
    if (isWhole || performance.now() > deadlineMs) return names;
    const answer = await server.request('GET', `/events?after=${after}&limit=200`);
    if (answer.status !== 200) {
      if (answer.status !== 503) history.faults.push(`the log was answered ${answer.status}`);
      await answer.arrayBuffer();
      await setTimeout(20);
      continue;
    }
    const { items, nextAfter } = (await answer.json()) as EventPage;
    for (const { position, record } of items) {
      if (BigInt(position) <= BigInt(after)) history.faults.push(`position ${position} came after ${after}`);
      after = position;
      names.push(record?.name ?? '');
    }
    after = nextAfter;
    if (items.length === 0) await setTimeout(20);
  }
}

function urlOf(...servers: TestPostgres[]): string {
  const hosts = servers.map(({ connection }) => `${connection.host}:${connection.port}`);
  return `postgres://test@${hosts.join(',')}/test?target_session_attrs=read-write`;
}

interface Outcome {
  lost: number;
  outageMs: number;
}

/** One loss of the primary; answers what it cost. */
async function lose(primary: TestPostgres, standby: TestPostgres): Promise<Outcome> {
  const databaseUrl = urlOf(primary, standby);
  const settings = { DATABASE_REPLICA_URLS: standby.url, ROSTER_LOG_LEVEL: 'silent' };
  await using one = await startServiceProcess({ databaseUrl, settings });
  await using other = await startServiceProcess({ databaseUrl, settings });
  await primary.waitFor(standby);
  const history: History = { acknowledged: new Set(), times: [], faults: [] };
  const from = await endOfLog(other);
  const stop = new AbortController();
  const done = new AbortController();
  const writers = Array.from({ length: WRITERS }, (_, index) =>
    write(index % 2 === 0 ? one : other, history, stop.signal),
  );
  const told = follow({ server: other, from }, history, done.signal);
  await setTimeout(LOAD_MS);
  const killedMs = performance.now();
  await primary.kill('SIGKILL');
  await standby.promote();
  const promotedMs = performance.now();
  await setTimeout(LOAD_MS);
  stop.abort();
  await Promise.all(writers);
  done.abort();
  return judge(standby, { history, told: await told, killedMs, promotedMs });
}

async function judge(
  survivor: TestPostgres,
  seen: { history: History; told: string[]; killedMs: number; promotedMs: number },
): Promise<Outcome> {
  const { history, told, killedMs, promotedMs } = seen;
  const { acknowledged, times, faults } = history;
  const rows = await survivor.query<{ name: string; times: string }>(
    'select name, count(*) as times from office group by name',
  );
  const stored = new Map(rows.map((row) => [row.name, Number(row.times)]));
  const lost = [...acknowledged].filter((name) => !stored.has(name)).length;
  const doubled = [...stored.values()].filter((count) => count > 1).length;
  const heard = new Set(told);
  const missed = [...acknowledged].filter((name) => !heard.has(name)).length;
  if (lost > 0) faults.push(`${lost} acknowledged writes are lost`);
  if (doubled > 0) faults.push(`${doubled} writes happened twice`);
  if (missed > 0 || heard.size !== told.length)
    faults.push(`the log: ${missed} missed, ${told.length - heard.size} twice`);
  const before = Math.max(...times.filter((time) => time < killedMs));
  const after = Math.min(...times.filter((time) => time > promotedMs));
  if (!(after - promotedMs < RECOVERY_MAX_MS)) faults.push('writing did not go on in time');
  say(
    `  ${acknowledged.size} writes acknowledged, ${lost} lost, ${doubled} doubled; ${told.length} events, ${missed} missed; ` +
      `promoted ${seconds(promotedMs - killedMs)} after the kill, written again ${seconds(after - promotedMs)} after that`,
  );
  for (const fault of new Set(faults)) say(`  FAULT: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  return { lost, outageMs: after - before };
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

await using stack = new AsyncDisposableStack();
let primary = stack.use(await startPrimary({ name: 'server_0' }));
const outcomes: Outcome[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const standby = stack.use(await startStandby(primary, { name: `server_${round}` }));
  say(`Round ${round} of ${ROUNDS}`);
  outcomes.push(await lose(primary, standby));
  primary = standby;
}
const longest = Math.max(...outcomes.map(({ outageMs }) => outageMs));
const lost = outcomes.reduce((sum, outcome) => sum + outcome.lost, 0);
say(
  `${lost} acknowledged writes lost in ${ROUNDS} failovers; the longest outage of writing was ${seconds(longest)}.`,
);
