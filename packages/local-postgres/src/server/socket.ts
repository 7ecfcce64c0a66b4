import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpath, rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDirectory } from '../directories.ts';
import { LocalPostgresUnavailable } from '../errors.ts';
import type { DataLayout } from '../layout.ts';
import { findDenied } from '../permissions.ts';
import type { Owner } from '../users.ts';

/** Part of the name of the socket. No TCP port is opened. */
export const PORT = 5432;

const SOCKET = `.s.PGSQL.${PORT}`;

/** The maximum length of the path of a socket: sun_path of sockaddr_un, less its terminating zero. */
const PATH_BYTES_MAX = process.platform === 'linux' ? 107 : 103;

/**
 * The directory for the socket: in the home directory, or, if that path is too long for a socket, a short one in the
 * directory for temporary files. The same home always has the same socket directory.
 *
 * @throws LocalPostgresUnavailable if every candidate is too long or inaccessible to the owner
 */
export async function chooseSocketDirectory(
  layout: Pick<DataLayout, 'name' | 'home' | 'owner'>,
): Promise<string> {
  const { name, home, owner } = layout;
  const inside = join(home, 'socket');
  if (isShortEnough(inside)) return inside;
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 16);
  for (const candidate of [tmpdir(), '/tmp']) {
    const base = await realpath(candidate).catch(() => undefined);
    if (base === undefined || (await findDenied(base, owner, 'search')) !== undefined) continue;
    const directory = join(base, `${name}-${owner.uid}-${hash}`);
    if (isShortEnough(directory)) return directory;
  }
  throw new LocalPostgresUnavailable(
    `The path of a socket in ${inside} is longer than the ${PATH_BYTES_MAX} bytes that a socket may have, and so is ` +
      'a path in the directory for temporary files: choose a data directory with a shorter path, or set TMPDIR.',
  );
}

/**
 * Creates the directory, private to the owner, and removes the socket of a server that was killed. The caller holds the
 * lock and knows that no server listens there.
 *
 * @throws LocalPostgresUnavailable if another user created it
 */
export async function prepareSocketDirectory(directory: string, owner: Owner): Promise<void> {
  await ensureDirectory(directory, owner, 0o700);
  await rm(join(directory, SOCKET), { force: true });
  await rm(join(directory, `${SOCKET}.lock`), { force: true });
}

/** Removes the directory if it is among the temporary files. The one in the home directory stays. */
export async function removeSocketDirectory(directory: string, home: string): Promise<void> {
  // It may be missing, or contain files of others.
  if (directory !== join(home, 'socket')) await rmdir(directory).catch(() => undefined);
}

/** Whether a server listens in the directory. */
export async function isListening(directory: string): Promise<boolean> {
  const socket = connect(join(directory, SOCKET));
  try {
    return await once(socket, 'connect').then(
      () => true,
      () => false,
    );
  } finally {
    socket.destroy();
  }
}

function isShortEnough(directory: string): boolean {
  return Buffer.byteLength(join(directory, SOCKET)) <= PATH_BYTES_MAX;
}
