import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { TestDatabase } from '@roster/db/testing';
import { freePort } from '@roster/local-postgres/testing/proxy';

const PATH = [process.env.PATH, '/usr/sbin'].join(delimiter);

/** Whether PgBouncer is installed: `apt-get install pgbouncer`. */
export const hasPgBouncer = spawnSync('pgbouncer', ['--version'], { env: { PATH } }).status === 0;
if (!hasPgBouncer) process.stderr.write('SKIPPED: the tests of poolers. PgBouncer is not installed.\n');

export interface PgBouncer extends AsyncDisposable {
  /** The URL of the database through the pooler. */
  url: string;
}

/** Starts a PgBouncer in front of a database, with lines of `pgbouncer.ini` below those of its addresses. */
export async function startPgBouncer(
  { connection: { host, port, user, database } }: TestDatabase,
  settings: string,
): Promise<PgBouncer> {
  const directory = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const listenPort = await freePort();
  const file = join(directory, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `${database} = host=${host} port=${port} user=${user}`,
    '[pgbouncer]',
    'auth_type = any',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    settings,
  ];
  await writeFile(file, lines.join('\n'));
  await chmod(directory, 0o755);
  // It rejects root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', [...asUser, file], { env: { PATH }, stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      said.push(line);
      if (line.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PgBouncer ended: ${said.join('\n')}`)));
  });
  return {
    url: `postgres://${user}@127.0.0.1:${listenPort}/${database}`,
    async [Symbol.asyncDispose]() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(directory, { recursive: true });
    },
  };
}
