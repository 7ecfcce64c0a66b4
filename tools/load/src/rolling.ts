import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { startBalancer } from './rolling/balancer.ts';
import { missing, startLoad } from './rolling/load.ts';
import { type Place, placeFor, type Release } from './rolling/servers.ts';

/**
 * Replaces three servers behind a balancer by those of a next release, one after the other and under load, while the first
 * of the new ones migrates the database; a server of the old release is started again after that, as it would be when its
 * process ended in the middle of the roll. Fails where a request failed, an event of an acknowledged change did not come,
 * or a server did not end in order. The first argument is how long to wait between two steps, in seconds.
 */

const pauseMs = Number(process.argv[2] ?? 2) * 1_000;
const CALLERS = 8;
const key = 'rolling-restart-rolling-restart-rolling';
const directory = mkdtempSync(join(tmpdir(), 'roster-rolling-'));
// If root runs this, PostgreSQL runs as the user nobody, who needs access.
chmodSync(directory, 0o755);

const started = performance.now();
const seconds = () => ((performance.now() - started) / 1_000).toFixed(1);
const say = (text: string) => void process.stdout.write(`${seconds().padStart(6)} s  ${text}\n`);

const settings = {
  HOST: '127.0.0.1',
  DATABASE_URL: '',
  ROSTER_DATA_DIR: directory,
  ROSTER_ADMIN_KEY: key,
  ROSTER_RATE_LIMIT: '0',
  ROSTER_LOG_LEVEL: 'warn',
  // Several times what lies between two looks of the balancer.
  ROSTER_DRAIN_DELAY_MS: '500',
};

async function replace(place: Place, name: string, release: Release): Promise<void> {
  const code = await place.stop();
  if (code !== 0) throw new Error(`server ${name} ended with ${code}: ${place.output()}`);
  await place.start(release);
  say(`server ${name} is of the ${release} release`);
  await setTimeout(pauseMs);
}

async function roll(places: Place[]): Promise<void> {
  const [first, second, third] = places as [Place, Place, Place];
  await setTimeout(pauseMs);
  await replace(first, '1', 'new');
  if (!first.output().includes('migrated: 9999-example-index')) throw new Error('nothing was migrated');
  say('it has migrated the database, which the two others go on with');
  await replace(second, '2', 'old');
  await replace(second, '2', 'new');
  await replace(third, '3', 'new');
}

const places = await Promise.all([1, 2, 3].map(() => placeFor(settings)));
try {
  // The first makes the database; the next one, which finds it, starts faster.
  for (const place of places) await place.start('old');
  await using balancer = await startBalancer(places.map(({ url }) => url));
  while (balancer.ready().length < places.length) await setTimeout(50);
  say('three servers of the old release are ready');
  const loadStarted = performance.now();
  const load = startLoad({ url: balancer.url, key, callers: CALLERS });
  const { seen } = load;
  try {
    await roll(places);
  } finally {
    await load.stop();
  }
  const tookS = ((performance.now() - loadStarted) / 1_000).toFixed(1);
  say(
    `${seen.requests} requests in ${tookS} s, ${seen.failures.length} failed, ${Math.round(seen.slowestMs)} ms the slowest`,
  );
  say(
    `${seen.acknowledged.size} changes acknowledged, ${missing(seen).length} of their events lost; the stream moved ${seen.interruptions} times`,
  );
  for (const failure of seen.failures.slice(0, 10)) say(failure);
  if (seen.failures.length > 0 || missing(seen).length > 0) process.exitCode = 1;
} finally {
  for (const place of places) await place.stop();
  rmSync(directory, { recursive: true, force: true });
}
