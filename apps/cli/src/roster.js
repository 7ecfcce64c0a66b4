#!/usr/bin/env node
// JavaScript, because the first file is read before compiled code can be kept: in TypeScript it would load, at every
// start, the compiler that all the others have been through already.
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';

// Compiled code is kept between runs, in the user's own cache: without it a start costs three times as much.
// biome-ignore lint/style/noProcessEnv: this is the beginning of main.ts, before it can be loaded
enableCompileCache(join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'roster'));
await import('./main.ts');
