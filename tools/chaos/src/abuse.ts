// Attacks a server that has 512 MB in many ways at once, and says what becomes of good callers. `npm exec -- pnpm --filter @roster/chaos run abuse`.
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { createRosterClient } from '@roster/client';
import { openCaller } from '@roster/harness/caller';
import { peakOf } from '@roster/harness/cpu';
import { startDatabase } from '@roster/harness/database';
import { drawTargets, fill } from '@roster/harness/directory/data';
import { chooseNames, readOptions } from '@roster/harness/options';
import { KEY, Server } from '@roster/harness/server';
import { quantileOf } from '@roster/harness/statistics';
import { pause } from '@roster/harness/until';
import { Client } from 'pg';
import type { AttackersData } from './attacks/attackers.ts';
import { type AttackName, attackNames } from './attacks/attacks.ts';
import type { Outcomes } from './attacks/connections.ts';
import { callWell, type Seen } from './attacks/good-callers.ts';
import { prepareAttacks } from './attacks/preparation.ts';

const { seconds, agents, ...options } = readOptions({
  seconds: 60,
  agents: 50_000,
  /** The p99 of the good callers, in milliseconds, above which the exit code is 1. */
  p99: 1_000,
  /** Checks of /readyz that may fail in a row, as at a balancer; at two it sends the server nothing more. */
  readiness: 1,
  /** The seconds over which the attackers start, each by itself; 0 for all at the same moment. */
  spread: 6,
  /** These attacks, separated by commas. */
  attacks: attackNames.filter((name) => name !== 'bursts').join(','),
});
const names = chooseNames('attacks', attackNames, options.attacks);

/** Of the container that the server would run in. */
const MEMORY_MIB = 512;
const CALM_MS = 5_000;
const WARM_UP_REQUESTS = 480;
const GOOD_CALLERS = 4;
/** The attackers come from another address than the good callers. */
const ATTACKER = '127.0.0.66';
const OFFICES = 1_000;

const say = (line: string) => process.stdout.write(`${line}\n`);
const inWords = (outcomes: ReadonlyMap<string, number>) =>
  [...outcomes].map(([what, times]) => `${what} × ${times}`).join(', ') || 'nothing';

function sayGood(when: string, { tookMs, failures, checks, failedInRow }: Seen): void {
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => quantileOf(tookMs, part).toFixed(0));
  say(
    `good callers ${when}: ${tookMs.length} requests, p50 ${p50}, p99 ${p99}, most ${most} ms; failed: ${inWords(failures)}; ` +
      `/readyz: ${checks} checks, ${failedInRow} failed in a row at most`,
  );
}

/** What a server has done before that is in use: the code of every kind of request is compiled, its documents are made. */
async function warmUp(port: number): Promise<void> {
  const caller = openCaller({ port });
  for (const path of ['/openapi.json', '/docs/', '/docs/errors', '/docs/js/scalar.js'])
    for (const coding of ['gzip', 'br'])
      await caller.send({ method: 'GET', path, headers: { 'Accept-Encoding': coding } });
  const lists = ['/agents?limit=200', '/agents?q=costa+ana', '/agents?limit=0'];
  const paths = [...lists, '/offices', '/nowhere', '/webhooks'];
  for (let n = 0; n < WARM_UP_REQUESTS; n += 1)
    await caller.send({ method: 'GET', path: paths[n % paths.length] ?? '/' });
  caller.close();
}

/** Attacks from a thread of its own, until the time is over or the server has ended. */
async function attack(data: AttackersData, server: Server): Promise<Map<AttackName, Outcomes>> {
  const worker = new Worker(new URL('./attacks/attackers.ts', import.meta.url), { workerData: data });
  const early = new AbortController();
  server.child.once('exit', () => early.abort());
  await pause(seconds * 1_000, early.signal);
  const ended = Promise.all([once(worker, 'message'), once(worker, 'exit')]);
  worker.postMessage('stop');
  const [[outcomes]] = await ended;
  return outcomes;
}

await using database = await startDatabase();
await using directory = await mkdtempDisposable(join(tmpdir(), 'roster-abuse-'));
await using server = new Server({
  name: 'server',
  databaseUrl: database.url,
  log: join(directory.path, 'server.log'),
  isBundle: true,
  // As Node.js sizes the heap of a process that has 512 MB.
  flags: ['--max-old-space-size=256'],
  settings: {
    ROSTER_RATE_LIMIT: '600',
    ROSTER_LOG_LEVEL: 'info',
    ROSTER_WEBHOOK_ALLOW_PRIVATE: 'true',
  },
});
await server.start();
const { port } = server;
const client = new Client({ connectionString: database.url });
await client.connect();
await fill(client, { offices: OFFICES, agents });
const { ids: agentIds } = await drawTargets(client);
await client.end();
const api = createRosterClient({ url: `http://127.0.0.1:${port}`, key: KEY });
await using preparation = await prepareAttacks(api);
await warmUp(port);
const goodKeys = Array.from({ length: GOOD_CALLERS }, async (_, number) => {
  const scopes = ['agents:read' as const, 'agents:write' as const];
  return (await api.keys.create.mutate({ name: `good caller ${number}`, scopes })).secret;
});
const good = { port, agentIds, keys: await Promise.all(goodKeys) };
sayGood('without attacks', await callWell(good, AbortSignal.timeout(CALM_MS)));

const over = new AbortController();
const calling = callWell(good, over.signal);
const { keys, webhookIds } = preparation;
const how = { localAddress: ATTACKER, scale: 1, spreadMs: options.spread * 1_000 };
const outcomes = await attack({ names, port, keys, webhookIds, ...how }, server);
over.abort();
const seen = await calling;

for (const [name, got] of outcomes) say(`${name}: ${inWords(got)}`);
sayGood(`under attack for ${seconds} s`, seen);
const peak = peakOf(server.pid);
say(`memory: ${peak === undefined ? 'the server has ended' : `${peak.toFixed(0)} MiB at most`}`);
const limits = {
  'the server ended': !server.hasEnded,
  'not every good caller was served': seen.failures.size === 0,
  [`the p99 of the good callers is above ${options.p99} ms`]: quantileOf(seen.tookMs, 0.99) <= options.p99,
  'a balancer would have taken the server out': seen.failedInRow <= options.readiness,
  [`it took more than ${MEMORY_MIB} MiB`]: peak !== undefined && peak <= MEMORY_MIB,
};
for (const [what, isKept] of Object.entries(limits)) {
  if (isKept) continue;
  say(`BROKEN: ${what}`);
  process.exitCode = 1;
}
