import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { UsageError } from '@roster/harness/options';
import { missingPackages } from './cluster/patroni.ts';
import { readChaosOptions } from './options.ts';
import { reportOf } from './report.ts';
import { run } from './run.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(args: readonly string[]): Promise<number> {
  const { reportFile, ...options } = readChaosOptions(args);
  const missing = options.isPatroni ? await missingPackages() : [];
  if (missing.length > 0)
    throw new UsageError(`This needs Debian's packages: apt-get install ${missing.join(' ')}`);
  const directory = await mkdtemp(join(tmpdir(), 'roster-chaos-'));
  say(`seed ${options.seed}, kept in ${directory}`);
  const stopping = new AbortController();
  // Once ends it early and checks what there is; twice ends it at once, and leaves what runs.
  process.once('SIGINT', () => stopping.abort());
  const finished = await run({ ...options, directory, signal: stopping.signal, onProgress: say });
  const report = reportOf(finished);
  process.stdout.write(report);
  await writeFile(reportFile, report);
  if (finished.isBroken) {
    say(`History, logs and data are kept in ${directory}`);
    return 1;
  }
  await rm(directory, { recursive: true, force: true });
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  say(error.message);
  process.exitCode = 2;
}
