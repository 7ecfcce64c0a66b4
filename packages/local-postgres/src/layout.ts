import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, copyBinaries } from './binaries.ts';
import { ensureDirectory, resolvePath } from './directories.ts';
import { codeOf, LocalPostgresUnavailable } from './errors.ts';
import { currentUser, isRoot, mayEnter, type Owner, unprivilegedUser } from './users.ts';

interface Home {
  /** Data, log, lock and, if its path is short enough, the socket. */
  home: string;
  /** Runs PostgreSQL and owns the data; never root. */
  owner: Owner;
}

export interface DataLayout extends Home {
  name: string;
  /** PostgreSQL's data directory (the cluster), in `home`. */
  data: string;
  binaries: Binaries;
}

interface LayoutOptions extends Pick<DataLayout, 'name' | 'binaries'> {
  dataDir: string;
  fallbackDir: string;
  onProgress: (message: string) => void;
}

/** Part of the socket's name. No TCP port is opened. */
export const PORT = 5432;

/** sun_path of sockaddr_un, without its terminating zero. */
const SOCKET_BYTES_MAX = process.platform === 'linux' ? 107 : 103;

/**
 * Chooses paths and creates the home directory `postgres` in the data directory. As root, PostgreSQL runs as
 * an unprivileged user; what that user can't reach is in the fallback directory. Existing data stays where it
 * is, even if permissions changed.
 *
 * @throws LocalPostgresUnavailable if neither directory can be used, or another user owns the data
 */
export async function resolveLayout(options: LayoutOptions): Promise<DataLayout> {
  const { name, fallbackDir, binaries, onProgress } = options;
  await mkdir(options.dataDir, { recursive: true, mode: 0o755 }).catch((error) => {
    if (!['EEXIST', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error;
    throw new LocalPostgresUnavailable(`${options.dataDir} is not a directory: name a different one.`);
  });
  const dataDir = await realpath(options.dataDir);
  const { home, owner } = await findHome(dataDir, fallbackDir);
  const layout = { name, home, data: join(home, 'data'), owner, binaries };
  if (!isRoot()) {
    await ensureDirectory(home, owner, 0o700);
    return layout;
  }
  const isPlain = home === join(dataDir, 'postgres');
  const needed = [binaries.initdb, binaries.postgres, join(binaries.directory, 'lib')];
  const isRunnable = await mayEnter(owner, ...needed);
  if (!isPlain || !isRunnable) await ensureDirectory(fallbackDir, currentUser(), 0o755);
  if (isPlain && !(await mayEnter(owner, dataDir)))
    throw new LocalPostgresUnavailable(
      `PostgreSQL runs as user id ${owner.uid}, who has no access to ${dataDir}: give it access, or move the data.`,
    );
  // The owner of the data has to pass through it.
  await ensureDirectory(home, currentUser(), 0o711);
  if (isRunnable) return layout;
  onProgress(`copying the programs of PostgreSQL to ${fallbackDir}, where user id ${owner.uid} can run them`);
  return { ...layout, binaries: await copyBinaries(binaries, fallbackDir) };
}

/** The existing or future home directory, and PostgreSQL's user. Creates nothing. */
export async function findHome(dataDir: string, fallbackDir: string): Promise<Home> {
  const { existing, real } = await resolvePath(dataDir);
  const plain = join(real, 'postgres');
  if (!isRoot()) return { home: plain, owner: currentUser() };
  const owner = await unprivilegedUser();
  const elsewhere = join((await resolvePath(fallbackDir)).real, hashOf(real));
  const [isPlain, isElsewhere] = [plain, elsewhere].map((home) => existsSync(join(home, 'data')));
  const home = isPlain || (!isElsewhere && (await mayEnter(owner, existing))) ? plain : elsewhere;
  return { home, owner };
}

/** The home directory or, if its path is too long for a socket, a fixed one in /tmp. */
export function socketDirectoryOf({ name, home, owner }: Home & { name: string }): string {
  const inside = join(home, 'socket');
  const bytes = Buffer.byteLength(join(inside, `.s.PGSQL.${PORT}`));
  return bytes <= SOCKET_BYTES_MAX ? inside : `/tmp/${name}-${owner.uid}-${hashOf(home)}`;
}

const hashOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);
