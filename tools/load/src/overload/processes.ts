import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { startLocalPostgres } from '@roster/db';
import { MALLOC_SETTINGS, NODE_FLAGS } from '../../../../apps/server/scripts/memory-flags.ts';

/** For the requests of a load; of all scopes. */
export const KEY = 'a-key-for-the-load-and-nothing-else-00';

/** A local PostgreSQL of its own, as a URL, gone at the end. */
export async function startDatabase() {
  const dataDir = await mkdtemp(join(tmpdir(), 'roster-overload-'));
  // If root runs this, PostgreSQL runs as the user nobody, who needs access.
  await chmod(dataDir, 0o755);
  const { connection, directory, close } = await startLocalPostgres({ dataDir });
  const url = new URL(`postgres://${connection.user}@localhost/${connection.database}`);
  url.searchParams.set('host', connection.host);
  url.searchParams.set('port', String(connection.port));
  const [pid] = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
  return {
    url: url.href,
    pid: Number(pid),
    [Symbol.asyncDispose]: async () => {
      await close();
      await rm(directory, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

interface ServerOptions {
  /** Settings beside those of a load, which they overrule. */
  settings?: Record<string, string>;
  /** Flags of Node.js beside those of the launcher. */
  flags?: readonly string[];
}

/** A real server in a process of its own, with the flags of its launcher. */
export async function startServer(databaseUrl: string, { settings = {}, flags = [] }: ServerOptions = {}) {
  const file = fileURLToPath(new URL('../../../../apps/server/bundle/main.js', import.meta.url));
  const env = { PORT: '0', DATABASE_URL: databaseUrl, ROSTER_ADMIN_KEY: KEY, ROSTER_RATE_LIMIT: '0' };
  const child = spawn(process.execPath, [...NODE_FLAGS, ...flags, file], {
    // What is set outside wins, to try other settings.
    env: { ...MALLOC_SETTINGS, ROSTER_LOG_LEVEL: 'warn', ...process.env, ...env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const hear = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', hear);
  while (!/data are in/.test(output)) await once(child.stdout, 'data');
  child.stdout.off('data', hear).resume();
  return {
    child,
    port: Number(/listens at\s+http:\/\/[^:]+:(\d+)/.exec(output)?.[1]),
    pid: child.pid as number,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
