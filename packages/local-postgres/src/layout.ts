import { createHash } from 'node:crypto';
import { lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries/binaries.ts';
import { canExecute, copyBinaries } from './binaries/binaries-copy.ts';
import { ensureDirectory, resolvePath } from './directories.ts';
import { LocalPostgresUnavailable, messageOf } from './errors.ts';
import { findDenied } from './permissions.ts';
import { currentUser, isRoot, type Owner, unprivilegedUser } from './users.ts';

/** The directories of one PostgreSQL, and the users that they belong to. */
export interface DataLayout {
  /** The name of the superuser, of the database and of the server; the prefix of directories elsewhere. */
  name: string;
  /** Contains the data, the log, the locks and, if its path is short enough, the socket. */
  home: string;
  /** PostgreSQL's data directory (the cluster), in `home`. */
  data: string;
  /** The owner of `home`, of the locks and of the log. */
  keeper: Owner;
  /** The user that PostgreSQL runs as, who owns the data; never root. */
  owner: Owner;
  binaries: Binaries;
}

export interface LayoutOptions {
  name: string;
  dataDir: string;
  fallbackDir: string;
  binaries: Binaries;
  onProgress: (message: string) => void;
}

/**
 * Decides where the files are, and creates the home directory. For any user but root that is `postgres` in the data
 * directory. If this process is root, PostgreSQL runs as an unprivileged user; if that user has no access to the data
 * directory or to the programs, the data or the programs are in the fallback directory. Existing data are used where
 * they are, even if permissions have changed since.
 *
 * @throws LocalPostgresUnavailable if neither directory can be used
 */
export async function resolveLayout(options: LayoutOptions): Promise<DataLayout> {
  const dataDir = await createDirectory(options.dataDir);
  const { home, owner } = await findHome(dataDir, options.fallbackDir);
  if (!isRoot()) return layoutIn(home, owner, options);
  if (home === join(dataDir, 'postgres')) await requireAccess(dataDir, owner);
  else await ensureFallback(options.fallbackDir, owner);
  const layout = await layoutIn(home, owner, options);
  if (await canExecute(options.binaries, owner)) return layout;
  const copies = await ensureFallback(options.fallbackDir, owner);
  options.onProgress(
    `copying the programs of PostgreSQL to ${copies}, where user id ${owner.uid} can run them`,
  );
  return { ...layout, binaries: await copyBinaries(options.binaries, copies) };
}

/**
 * The home directory for the data of a data directory, where they are or would be put, and the user that PostgreSQL runs as. Creates
 * nothing.
 */
export async function findHome(
  dataDir: string,
  fallbackDir: string,
): Promise<Pick<DataLayout, 'home' | 'owner'>> {
  const { existing, real } = await resolvePath(dataDir);
  const plain = join(real, 'postgres');
  if (!isRoot()) return { home: plain, owner: currentUser() };
  const keeper = (await findOwner(join(plain, 'data'))) ?? (await findOwner(plain));
  // Data that an ordinary user created stay theirs; otherwise they could not open them again.
  if (keeper !== undefined && keeper.uid !== 0) return { home: plain, owner: keeper };
  const nobody = await unprivilegedUser();
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 16);
  const elsewhere = join((await resolvePath(fallbackDir)).real, hash);
  const owner = await findOwner(join(elsewhere, 'data'));
  const isPlain = owner === undefined && (await findDenied(existing, nobody, 'search')) === undefined;
  return { home: isPlain ? plain : elsewhere, owner: owner ?? nobody };
}

async function requireAccess(dataDir: string, keeper: Owner): Promise<void> {
  const denied = await findDenied(dataDir, keeper, 'search');
  if (denied === undefined) return;
  throw new LocalPostgresUnavailable(
    `The data in ${dataDir} belong to user id ${keeper.uid}, who has no access to ${denied}: ` +
      'give that user access, or move the data.',
  );
}

async function layoutIn(home: string, owner: Owner, { name, binaries }: LayoutOptions): Promise<DataLayout> {
  const keeper = (isRoot() ? await findOwner(home) : undefined) ?? currentUser();
  // If root owns the home of another user's data, that user has to pass through it.
  await ensureDirectory(home, keeper, keeper.uid === owner.uid ? 0o700 : 0o711);
  return { name, home, data: join(home, 'data'), keeper, owner, binaries };
}

async function ensureFallback(directory: string, owner: Owner): Promise<string> {
  const path = await createDirectory(directory);
  const stats = await stat(path);
  if (stats.uid !== 0 || (stats.mode & 0o022) !== 0) {
    throw new LocalPostgresUnavailable(`${path} must belong to root and be writable by root alone.`);
  }
  const denied = await findDenied(path, owner, 'search');
  if (denied === undefined) return path;
  throw new LocalPostgresUnavailable(
    `PostgreSQL runs as user id ${owner.uid}, who has no access to ${denied}.`,
  );
}

async function createDirectory(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o755 });
    return await realpath(path);
  } catch (error) {
    throw new LocalPostgresUnavailable(`The directory ${path} cannot be created: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

async function findOwner(path: string): Promise<Owner | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats && { uid: stats.uid, gid: stats.gid };
}
