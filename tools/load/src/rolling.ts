import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startBalancer } from '@roster/harness/balancer';
import { startDatabase } from '@roster/harness/database';
import { hasHaproxy, startHaproxy } from '@roster/harness/haproxy';
import { KEY, Server } from '@roster/harness/server';
import { freePort } from '@roster/local-postgres/testing/proxy';
import { missing, startLoad } from './callers.ts';

/**
 * Replaces three servers behind a balancer by those of a next release, one after the other and under load, while the first
 * of the new ones migrates the database; a server of the old release is started again after that, as it would be when its
 * process ended in the middle of the roll. Fails where a request failed, an event of an acknowledged change did not come,
 * or a server did not end in order. The first argument is how long to wait between two steps, in seconds.
 */

const pauseMs = Number(process.argv[2] ?? 2) * 1_000;
const CALLERS = 8;
const nextRelease = fileURLToPath(
  new URL('../../../packages/db/src/testing/next-release.ts', import.meta.url),
);
/** Flags of Node.js that make a server one of the next release: the same with more migrations. */
const NEW = { flags: ['--import', nextRelease] };

const started = performance.now();
const say = (text: string) =>
  void process.stdout.write(`${((performance.now() - started) / 1_000).toFixed(1).padStart(6)} s  ${text}\n`);

async function replace(server: Server, release: { flags: string[] }): Promise<void> {
  const code = await server.drain();
  if (code !== 0) throw new Error(`${server.name} ended with ${code}: ${await readFile(server.log, 'utf8')}`);
  await server.start(release);
  say(`${server.name} is of the ${release === NEW ? 'new' : 'old'} release`);
  await sleep(pauseMs);
}

await using directory = await mkdtempDisposable(join(tmpdir(), 'roster-rolling-'));
await using database = await startDatabase();
await using begun = new AsyncDisposableStack();
const servers: Server[] = [];
for (const name of ['server 1', 'server 2', 'server 3']) {
  const log = join(directory.path, `${name}.log`);
  // Several times what lies between two looks of the balancer.
  const settings = { ROSTER_DRAIN_DELAY_MS: '1500' };
  const server = new Server({ name, port: await freePort(), databaseUrl: database.url, log, settings });
  servers.push(begun.use(server));
  // The first makes the tables; the next one, which finds them, starts faster.
  await server.start();
}
const [first, second, third] = servers as [Server, Server, Server];
const ports = servers.map(({ port }) => port);
const balancer = begun.use(
  (await hasHaproxy()) ? await startHaproxy(ports, directory.path) : await startBalancer(ports),
);
say(`three servers of the old release are ready behind ${balancer.name}`);
const load = startLoad({ url: `http://127.0.0.1:${balancer.port}`, key: KEY, callers: CALLERS });
const { seen } = load;
try {
  await sleep(pauseMs);
  await replace(first, NEW);
  if (!(await readFile(first.log, 'utf8')).includes('migrated: 9999-example-index'))
    throw new Error('nothing was migrated');
  say('it has migrated the database, which the two others go on with');
  await replace(second, { flags: [] });
  await replace(second, NEW);
  await replace(third, NEW);
} finally {
  await load.stop();
}
say(
  `${seen.requests} requests, ${seen.failures.length} failed, ${Math.round(seen.slowestMs)} ms the slowest; ` +
    `${seen.acknowledged.size} changes acknowledged, ${missing(seen).length} of their events lost; ` +
    `the stream moved ${seen.interruptions} times`,
);
for (const failure of seen.failures.slice(0, 10)) say(failure);
if (seen.failures.length > 0 || missing(seen).length > 0) process.exitCode = 1;
