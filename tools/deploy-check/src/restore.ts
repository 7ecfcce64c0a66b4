import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { connect, migrate } from '@roster/db';
import { peakOf } from '@roster/harness/cpu';
import { readOptions } from '@roster/harness/options';
import { startPrimary, type TestPostgres } from '@roster/local-postgres/testing/standby';
import { computeDigest } from '../../../packages/db/src/testing/database-digest.ts';
import { insertSampleData } from '../../../packages/db/src/testing/sample-data.ts';

/**
 * Fills a database of one PostgreSQL, backs it up with `roster-server backup`, restores it into another cluster with
 * `roster-server restore`, and compares every row of every table, every sequence and every rule. Fails where anything differs or a command
 * takes 300 MiB or more. `--from 15` needs `node scripts/install.mjs tools/deploy-check/postgres-15` first.
 */

const { agents, from, to } = readOptions({ agents: 10_000, from: 18, to: 18 });
const MEBIBYTES_MAX = 300;
const MAIN = join(import.meta.dirname, '../../../apps/server/src/main.ts');

const say = (text: string) => void process.stdout.write(`${text}\n`);

async function digestIn({ connection }: TestPostgres): Promise<string[]> {
  await using db = connect({ connection, timeouts: { statementMs: 0 } });
  const { tables, sequences, rules } = await computeDigest(db);
  const named = Object.entries({ ...tables, ...sequences }).map(([name, digest]) => `${name}: ${digest}`);
  return [...named, ...rules].sort();
}

/** Runs a command to its end and says what it took. */
async function run(argv: string[], database: TestPostgres): Promise<void> {
  const started = performance.now();
  const env = { ...process.env, DATABASE_URL: database.url };
  const child = spawn(process.execPath, [MAIN, ...argv], { env, stdio: 'inherit' });
  const exit = once(child, 'exit');
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, peakOf(child.pid ?? 0) ?? 0);
    await Promise.race([exit, setTimeout(100)]);
  }
  if (child.exitCode !== 0) throw new Error(`${argv[0]} ended with ${child.exitCode ?? child.signalCode}`);
  const tookS = ((performance.now() - started) / 1_000).toFixed(1);
  say(`${argv[0]}: ${tookS} s, at most ${Math.round(peak)} MiB`);
  if (peak >= MEBIBYTES_MAX) throw new Error(`${Math.round(peak)} MiB are more than ${MEBIBYTES_MAX}`);
}

await using directory = await mkdtempDisposable(join(tmpdir(), 'roster-trial-'));
const start = (major: number) => {
  const beside = join(import.meta.dirname, `../postgres-${major}/package.json`);
  return startPrimary({ resolvedFrom: major === 18 ? undefined : beside });
};
await using source = await start(from);
await using target = await start(to);
const versionOf = async (database: TestPostgres) =>
  (await database.query<{ server_version: string }>('show server_version'))[0]?.server_version;
say(`PostgreSQL ${await versionOf(source)} to ${await versionOf(target)}, ${agents} agents`);
{
  await using db = connect({ connection: source.connection, timeouts: { statementMs: 0 } });
  await migrate(db);
  await insertSampleData(db, agents);
}
const file = join(directory.path, 'roster.backup');
await run(['backup', file], source);
await run(['restore', file], target);
const [before, after] = [await digestIn(source), await digestIn(target)];
const differing = [
  ...before.filter((line) => !after.includes(line)),
  ...after.filter((line) => !before.includes(line)),
];
if (differing.length > 0) throw new Error(`these differ:\n${differing.join('\n')}`);
say(`all ${before.length} tables, sequences and rules are the same`);
