import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect, migrate } from '@roster/db';
import { peakOf } from '@roster/harness/cpu';
import {
  startPostgresVersion,
  type VersionedPostgres,
} from '@roster/local-postgres/testing/postgres-versions';
import { computeDigest, type DatabaseDigest } from '../../../packages/db/src/testing/database-digest.ts';
import { insertSampleData } from '../../../packages/db/src/testing/sample-data.ts';

/**
 * Fills a database of one PostgreSQL, backs it up with `roster-server backup`, restores it into another cluster with
 * `roster-server restore`, and compares every row of every table, every sequence and every rule. Says how long each took
 * and how much memory. Fails where anything differs or a command takes 300 MiB or more. It needs Linux, whose /proc says
 * what a process took. `--from 15` needs `node scripts/install.mjs tools/load/postgres-15` first.
 */

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '10000' },
    from: { type: 'string', default: '18' },
    to: { type: 'string', default: '18' },
  },
});
const MEBIBYTES_MAX = 300;
const main = join(import.meta.dirname, '../../../apps/server/src/main.ts');
const directory = mkdtempSync(join(tmpdir(), 'roster-trial-'));
// If root runs this, PostgreSQL runs as the user nobody, who needs access.
chmodSync(directory, 0o755);
const file = join(directory, 'roster.tar.zst');

const say = (text: string) => void process.stdout.write(`${text}\n`);
const secondsSince = (start: number) => `${((performance.now() - start) / 1_000).toFixed(1)} s`;

function start(name: string, major: string): Promise<VersionedPostgres> {
  const beside =
    major === '18' ? undefined : join(import.meta.dirname, `../postgres-${major}`, 'package.json');
  return startPostgresVersion(join(directory, name), beside);
}

async function digestIn({ connection }: VersionedPostgres): Promise<DatabaseDigest> {
  await using db = connect({ connection, timeouts: { statementMs: 0 } });
  return computeDigest(db);
}

/** Runs a command to its end and says what it took. */
async function run(argv: string[], database: VersionedPostgres): Promise<void> {
  const started = performance.now();
  const env = { ...process.env, DATABASE_URL: database.url('postgres') };
  const child: ChildProcess = spawn(process.execPath, [main, ...argv], { env, stdio: 'inherit' });
  const exit = once(child, 'exit');
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, peakOf(child.pid ?? 0) ?? 0);
    await Promise.race([exit, setTimeout(100)]);
  }
  if (child.exitCode !== 0) throw new Error(`${argv[0]} ended with ${child.exitCode ?? child.signalCode}`);
  say(`${argv[0]}: ${secondsSince(started)}, at most ${Math.round(peak)} MiB`);
  if (peak >= MEBIBYTES_MAX) throw new Error(`${Math.round(peak)} MiB are more than ${MEBIBYTES_MAX}`);
}

function compare(before: DatabaseDigest, after: DatabaseDigest): void {
  for (const part of ['tables', 'sequences'] as const) {
    for (const name of Object.keys({ ...before[part], ...after[part] })) {
      const [was, is] = [before[part][name], after[part][name]];
      if (was !== is) throw new Error(`${name} held ${was}, and holds ${is} now`);
      say(`  ${name}: ${is}`);
    }
  }
  const lost = before.rules.filter((rule) => !after.rules.includes(rule));
  const added = after.rules.filter((rule) => !before.rules.includes(rule));
  if (lost.length + added.length > 0) throw new Error(`rules differ: ${[...lost, ...added].join('\n')}`);
  say(`  ${after.rules.length} constraints, indexes and triggers, all in force`);
}

async function trial(): Promise<void> {
  await using source = await start('source', values.from);
  await using target = await start('target', values.to);
  say(`PostgreSQL ${source.version} to ${target.version}, ${values.agents} agents`);
  const started = performance.now();
  {
    await using db = connect({ connection: source.connection, timeouts: { statementMs: 0 } });
    await migrate(db);
    await insertSampleData(db, Number(values.agents));
  }
  say(`fill: ${secondsSince(started)}`);
  await run(['backup', file], source);
  say(`${(statSync(file).size / 1e6).toFixed(1)} MB`);
  await run(['restore', file], target);
  compare(await digestIn(source), await digestIn(target));
}

try {
  await trial();
  say('all is the same');
} finally {
  rmSync(directory, { recursive: true, force: true });
}
