#!/usr/bin/env node
import { enableCompileCache, findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { supportNode22 } from './node-22.ts';

// Without this cache a start takes half as long again.
const home = dirname(findPackageJSON(import.meta.url) ?? import.meta.filename);
enableCompileCache(join(home, 'node_modules/.cache/compiled'));

supportNode22();

const io = {
  environment: process.env,
  print: (line: string) => process.stdout.write(`${line}\n`),
  printError: (line: string) => process.stderr.write(`${line}\n`),
};

// Node ends with 13 if nothing is left that could settle what this file waits for.
process.once('exit', (code) => {
  if (code === 13)
    io.printError('Roster ended before its command did. This is a fault of Roster: please report it.');
});

// Schemas that are created from here on compile at first use, which makes validation three times as fast.
await import('zod/compile');
const { run } = await import('./cli/index.ts');
const code = await run(process.argv.slice(2), io);
// Exits without waiting for timers, once stdout is flushed.
process.stdout.write('', () => process.exit(code));
