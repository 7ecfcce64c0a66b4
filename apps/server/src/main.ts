#!/usr/bin/env node
import { enableCompileCache, findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { processCount } from './config/process-count.ts';

// Compiled code is cached between starts, in the directory of the package if it is writable: without the cache a start takes half
// as long again.
const home = dirname(findPackageJSON(import.meta.url) ?? import.meta.filename);
enableCompileCache(join(home, 'node_modules/.cache/compiled'));

const args = process.argv.slice(2);
const io = {
  environment: process.env,
  print: (line: string) => process.stdout.write(`${line}\n`),
  printError: (line: string) => process.stderr.write(`${line}\n`),
};

/** Runs the command that the arguments name. */
async function runCommand(): Promise<number> {
  // Schemas that are created from here on compile at first use, which makes validation three times as fast.
  await import('zod/compile');
  // Imported only now, so that the cache is used.
  const { run } = await import('./cli/index.ts');
  return run(args, io);
}

/**
 * Serves: by several processes if the settings ask for them. Then this one only starts them, and loads nothing that they need; a
 * process that it has started gets here too.
 */
async function serve(): Promise<number> {
  const processes = processCount(process.env.ROSTER_PROCESSES || '1') ?? 1;
  if (processes === 1) return runCommand();
  const { default: cluster } = await import('node:cluster');
  if (cluster.isWorker) return runCommand();
  const { runProcesses } = await import('./processes/primary.ts');
  return runProcesses(processes, io);
}

// Node ends with 13 if nothing is left that could settle what this file waits for.
process.once('exit', (code) => {
  if (code === 13)
    io.printError('Roster ended before its command did. This is a fault of Roster: please report it.');
});

const [command = 'serve', ...options] = args;
const code = await (command === 'serve' && options.length === 0 ? serve() : runCommand());
// Exits without waiting for timers, when everything written to stdout has been flushed.
process.stdout.write('', () => process.exit(code));
