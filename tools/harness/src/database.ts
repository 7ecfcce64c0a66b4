import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalPostgres } from '@roster/db';

/** Starts a local PostgreSQL in a directory of its own, with these settings beside its defaults; it is gone at the end of the run. */
export async function startDatabase(settings: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'roster-tools-'));
  // If root runs this, PostgreSQL runs as the user nobody, who needs access.
  await chmod(dataDir, 0o755);
  const server = await startLocalPostgres({ dataDir, settings });
  const { host, port, user, database } = server.connection;
  const url = new URL('postgres://localhost');
  url.username = user;
  url.pathname = database;
  url.searchParams.set('host', host);
  url.searchParams.set('port', String(port));
  return {
    /** For DATABASE_URL of the processes. */
    url: url.href,
    /** The process id of the postmaster. */
    get pid() {
      return Number(readFileSync(join(server.directory, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await rm(server.directory, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
