#!/usr/bin/env node
import { enableCompileCache, findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';

// Compiled code is kept between starts, beside what it was compiled from: without it a start takes half as long again.
// Where the package may not be written to, as in an image, there is no cache.
const home = dirname(findPackageJSON(import.meta.url) ?? import.meta.filename);
enableCompileCache(join(home, 'node_modules/.cache/compiled'));

// Schemas made from here on compile themselves at first use: a record is checked in a third of the time.
await import('zod/compile');
// Imported only now, so that it comes out of the cache.
const { run } = await import('./cli/index.ts');
const code = await run(process.argv.slice(2), {
  environment: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  say: (line) => process.stderr.write(`${line}\n`),
});
// Whatever still has a timer is not waited for, but all that was written has left.
process.stdout.write('', () => process.exit(code));
