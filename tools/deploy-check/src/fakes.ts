import { chmod, copyFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { locateBinaries } from '../../../packages/local-postgres/src/binaries.ts';
import { type Bind, layRoot } from './namespace.ts';

export const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A fake of a foreign image, if no registry can be reached. */
export interface StandIn {
  user: string | undefined;
  /** What is put before the command of the service. */
  entrypoint: string[];
  binds: Bind[];
}

/** The system's accounts that the images know, and how a root finds names in the network. */
async function systemFiles(): Promise<Record<string, string>> {
  return {
    'etc/passwd': 'root:x:0:0::/root:/bin/sh\nhaproxy:x:99:99::/:/bin/false\npostgres:x:999:999::/:/bin/sh\n',
    'etc/group': 'root:x:0:\nhaproxy:x:99:\npostgres:x:999:\n',
    'etc/nsswitch.conf': 'hosts: files dns\n',
    'etc/resolv.conf': await readFile('/etc/resolv.conf', 'utf8'),
  };
}

/** Fills a directory with what an image holds: `node:24.21.0-slim` is this machine's /usr with the Node that runs us. */
export async function layBase(image: string, root: string): Promise<StandIn> {
  await layRoot(root, await systemFiles());
  // As in Debian, programs and libraries have their places in /usr.
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) await symlink(`usr/${name}`, join(root, name));
  const [name = '', tag = ''] = image.replace(/@.*$/, '').split(':');
  if (name === 'node') return layNode(root, tag);
  if (name === 'postgres') return layPostgres(root, tag);
  if (name === 'haproxy') return { user: '99:99', entrypoint: [], binds: [] };
  throw new Error(`Nothing here stands for the image ${image}.`);
}

async function layNode(root: string, tag: string): Promise<StandIn> {
  const version = tag.split('-')[0];
  if (process.version !== `v${version}`) {
    throw new Error(`The image is of Node ${version}, while package.json installs ${process.version}.`);
  }
  await copyFile(process.execPath, join(root, '.local/bin/node'));
  await chmod(join(root, '.local/bin/node'), 0o755);
  return { user: undefined, entrypoint: [], binds: [] };
}

/** What the image's own start does: makes a cluster with the password of the file, and a database. */
const POSTGRES_ENTRY = `#!/bin/sh
set -eu
data=/var/lib/postgresql/18/docker
if [ ! -s "$data/PG_VERSION" ]; then
  mkdir -p "$data"
  export POSTGRES_USER=postgres
  /opt/postgres/bin/initdb -D "$data" -U "$POSTGRES_USER" -A scram-sha-256 --pwfile="$POSTGRES_PASSWORD_FILE" \\
    --locale=C.UTF-8 --encoding=UTF8
  for script in /docker-entrypoint-initdb.d/*.sh; do "$script"; done
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
fi
exec /opt/postgres/bin/postgres -D "$data" -c listen_addresses='*' -c unix_socket_directories=/run/postgresql
`;

/** npm's binaries hold no psql: each line that is piped into it is a statement to a PostgreSQL of one user. */
const PSQL = `#!/bin/sh
exec /opt/postgres/bin/postgres --single -D /var/lib/postgresql/18/docker postgres
`;

/** npm's binaries hold no pg_isready; that the port is open is most of what it asks. */
const PG_ISREADY = `#!/bin/bash
exec 3<>"/dev/tcp/$2/5432"
`;

async function layPostgres(root: string, tag: string): Promise<StandIn> {
  const { directory, major } = await locateBinaries();
  if (!tag.startsWith(major)) throw new Error(`The image is PostgreSQL ${tag}, the binaries are ${major}.`);
  for (const [name, text] of [
    ['postgres-entry', POSTGRES_ENTRY],
    ['pg_isready', PG_ISREADY],
    ['psql', PSQL],
  ] as const) {
    await writeFile(join(root, '.local/bin', name), text, { mode: 0o755 });
  }
  const binds = [{ from: directory, to: '/opt/postgres', isReadOnly: true }];
  return { user: undefined, entrypoint: ['postgres-entry'], binds };
}
