#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

// Compiled code is kept between starts, beside what it was compiled from: without it a start takes half as long again.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
// The REST adapter makes and discards the whole document at every start unless told that this is no experiment.
process.env.NODE_ENV ??= 'production';

// Imported only now, so that it comes out of the cache.
const { start } = await import('./start.ts');
await start(process.env);
