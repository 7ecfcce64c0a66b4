import { createHash } from 'node:crypto';
import { lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { canRun, copyBinaries } from './binaries-copy.ts';
import { EmbeddedUnavailable } from './errors.ts';
import { obstacle } from './permissions.ts';
import { ensureDirectory } from './private-directory.ts';
import { currentUser, isRoot, type Owner, unprivilegedUser } from './users.ts';

/** Where one database lives and as whom it runs. */
export interface Place {
  /** Holds everything of it: data, log, locks and, where its path is short enough, the socket. */
  home: string;
  /** The cluster itself (PostgreSQL's data directory), in the home. */
  data: string;
  /** Who keeps the home: the locks and the log are theirs. */
  keeper: Owner;
  /** The user PostgreSQL runs as, whose the data are; never root. */
  owner: Owner;
  binaries: Binaries;
}

export interface PlaceOptions {
  dataDir: string;
  fallbackDir: string;
  binaries: Binaries;
  onProgress: (message: string) => void;
}

/**
 * Decides where the database lives, and makes the directory for it. Not as root that is `postgres` in the data
 * directory, run as ourselves. As root PostgreSQL runs as the user without rights, and where that user cannot
 * come, the data and the programs live under the fallback directory. What was decided once stays: data are used
 * where they are, whatever has become of the permissions since.
 *
 * @throws EmbeddedUnavailable when neither place will do
 */
export async function choosePlace(options: PlaceOptions): Promise<Place> {
  const dataDir = await makeDirectory(options.dataDir);
  const plain = join(dataDir, 'postgres');
  if (!isRoot()) return settle(plain, currentUser(), options.binaries);
  const { home, owner } = await chooseForRoot(dataDir, plain, options.fallbackDir);
  const place = await settle(home, owner, options.binaries);
  if (await canRun(options.binaries, owner)) return place;
  const copies = await fallback(options.fallbackDir, owner);
  options.onProgress(
    `PostgreSQL's programs are copied to ${copies}, where user id ${owner.uid} can run them`,
  );
  return { ...place, binaries: await copyBinaries(options.binaries, copies) };
}

async function chooseForRoot(dataDir: string, plain: string, fallbackDir: string) {
  const nobody = await unprivilegedUser();
  const keeper = (await ownerOf(join(plain, 'data'))) ?? (await ownerOf(plain));
  // What a user without our rights began stays that user's, or they could never open it again.
  if (keeper !== undefined && keeper.uid !== 0) return { home: plain, owner: await passing(dataDir, keeper) };

  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const elsewhere = join(await realpath(fallbackDir).catch(() => fallbackDir), hash);
  const settled = await ownerOf(join(elsewhere, 'data'));
  if (settled === undefined && (await obstacle(dataDir, nobody, 'pass')) === undefined) {
    return { home: plain, owner: nobody };
  }
  const base = await fallback(fallbackDir, settled ?? nobody);
  return { home: join(base, hash), owner: settled ?? nobody };
}

async function passing(dataDir: string, keeper: Owner): Promise<Owner> {
  const denied = await obstacle(dataDir, keeper, 'pass');
  if (denied === undefined) return keeper;
  throw new EmbeddedUnavailable(
    `The data in ${dataDir} belong to user id ${keeper.uid}, who cannot pass ${denied}: ` +
      'let that user through, or move the data away.',
  );
}

async function settle(home: string, owner: Owner, binaries: Binaries): Promise<Place> {
  const keeper = (isRoot() ? await ownerOf(home) : undefined) ?? currentUser();
  // Root keeps the home of another user's data, through which that user has to pass.
  await ensureDirectory(home, keeper, keeper.uid === owner.uid ? 0o700 : 0o711);
  return { home, data: join(home, 'data'), keeper, owner, binaries };
}

async function fallback(directory: string, owner: Owner): Promise<string> {
  const path = await makeDirectory(directory);
  const stats = await stat(path);
  if (stats.uid !== 0 || (stats.mode & 0o022) !== 0) {
    throw new EmbeddedUnavailable(`${path} has to belong to root and be writable by nobody else.`);
  }
  const denied = await obstacle(path, owner, 'pass');
  if (denied === undefined) return path;
  throw new EmbeddedUnavailable(`User id ${owner.uid}, as whom it is to run, cannot pass ${denied}.`);
}

async function makeDirectory(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o755 });
    return await realpath(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddedUnavailable(`The directory ${path} cannot be made: ${reason}.`, { cause: error });
  }
}

async function ownerOf(path: string): Promise<Owner | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats && { uid: stats.uid, gid: stats.gid };
}
