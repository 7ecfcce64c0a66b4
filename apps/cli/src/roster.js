#!/usr/bin/env node
// JavaScript, because this file runs before the compile cache is enabled: in TypeScript it would load the compiler at every
// start.
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';

// Caches compiled code between runs in the user's cache directory, because compilation dominates the start.
// biome-ignore lint/style/noProcessEnv: this runs before main.ts, which passes the environment on
enableCompileCache(join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'roster'));
await import('./main.ts');
