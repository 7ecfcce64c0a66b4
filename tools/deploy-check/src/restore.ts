import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { connect, migrate } from '@roster/db';
import { peakOf } from '@roster/harness/cpu';
import { readOptions } from '@roster/harness/options';
import {
  startPostgresVersion,
  type VersionedPostgres,
} from '@roster/local-postgres/testing/postgres-versions';
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

async function digestIn({ connection }: VersionedPostgres): Promise<string[]> {
  await using db = connect({ connection, timeouts: { statementMs: 0 } });
  const { tables, sequences, rules } = await computeDigest(db);
  const named = Object.entries({ ...tables, ...sequences }).map(([name, digest]) => `${name}: ${digest}`);
  return [...named, ...rules].sort();
}

/** Runs a command to its end and says what it took. */
async function run(argv: string[], database: VersionedPostgres): Promise<void> {
  const started = performance.now();
  const env = { ...process.env, DATABASE_URL: database.url('postgres') };
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
// If root runs this, PostgreSQL runs as the user nobody, who needs access.
await chmod(directory.path, 0o755);
const start = (name: string, major: number) => {
  const beside = major === 18 ? undefined : join(import.meta.dirname, `../postgres-${major}/package.json`);
  return startPostgresVersion(join(directory.path, name), beside);
};
await using source = await start('source', from);
await using target = await start('target', to);
say(`PostgreSQL ${source.version} to ${target.version}, ${agents} agents`);
{
  await using db = connect({ connection: source.connection, timeouts: { statementMs: 0 } });
  await migrate(db);
  await insertSampleData(db, agents);
}
const file = join(directory.path, 'roster.tar.zst');
await run(['backup', file], source);
await run(['restore', file], target);
const [before, after] = [await digestIn(source), await digestIn(target)];
const differing = [
  ...before.filter((line) => !after.includes(line)),
  ...after.filter((line) => !before.includes(line)),
];
if (differing.length > 0) throw new Error(`these differ:\n${differing.join('\n')}`);
say(`all ${before.length} tables, sequences and rules are the same`);
