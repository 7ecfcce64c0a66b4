import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpath, rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedUnavailable } from './errors.ts';
import { obstacle } from './permissions.ts';
import { ensureDirectory } from './private-directory.ts';
import type { Owner } from './users.ts';

/** The number in the name of the socket; no port is opened. */
export const PORT = 5432;

const SOCKET = `.s.PGSQL.${PORT}`;

/** The bytes a socket's path may have: sun_path of the kernel's sockaddr_un, less the zero at its end. */
const PATH_BYTES_MAX = process.platform === 'linux' ? 107 : 103;

/**
 * The directory for the socket of a database: in its home, or, where the path would be too long for a socket, a
 * short one of its own among the temporary files. The same home gives the same directory.
 *
 * @throws EmbeddedUnavailable when every candidate is too long or closed to the owner
 */
export async function socketDirectory(home: string, owner: Owner): Promise<string> {
  const inside = join(home, 'socket');
  if (fits(inside)) return inside;
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 16);
  for (const candidate of [tmpdir(), '/tmp']) {
    const base = await realpath(candidate).catch(() => undefined);
    if (base === undefined || (await obstacle(base, owner, 'pass')) !== undefined) continue;
    const directory = join(base, `roster-${owner.uid}-${hash}`);
    if (fits(directory)) return directory;
  }
  throw new EmbeddedUnavailable(
    `The path of a socket in ${inside} is longer than the ${PATH_BYTES_MAX} bytes a socket may have, and so is ` +
      'that of one among the temporary files: choose a shorter ROSTER_DATA_DIR or TMPDIR.',
  );
}

/**
 * Makes the directory, private to the owner, and clears it of what a server that was killed left in it. Only for
 * the holder of the start lock, who knows that no server listens there.
 *
 * @throws EmbeddedUnavailable when somebody else made it
 */
export async function prepareSocketDirectory(directory: string, owner: Owner): Promise<void> {
  await ensureDirectory(directory, owner, 0o700);
  await rm(join(directory, SOCKET), { force: true });
  await rm(join(directory, `${SOCKET}.lock`), { force: true });
}

/** Removes the directory when it is a short one elsewhere, which nobody else would ever tidy away. */
export async function removeSocketDirectory(directory: string, home: string): Promise<void> {
  // A directory that is not empty, or gone already, is none of our business any more.
  if (directory !== join(home, 'socket')) await rmdir(directory).catch(() => undefined);
}

/** Whether some server listens in the directory. */
export async function answers(directory: string): Promise<boolean> {
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

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, SOCKET)) <= PATH_BYTES_MAX;
}
