import { chmod, constants, cp, lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createWhole, pathExists, removeUnfinished } from '../directories.ts';
import { findDenied } from '../permissions.ts';
import type { Owner } from '../users.ts';
import { type Binaries, binariesIn } from './binaries.ts';

const PARTIAL_COPY_MAX_AGE_MS = 600_000;

/** Whether `owner` has permission to execute the programs and to read the files they need. */
export async function canExecute(binaries: Binaries, owner: Owner): Promise<boolean> {
  const root = await realpath(binaries.directory);
  const bootstrap = join(root, 'share', 'postgresql', 'postgres.bki');
  return (
    (await findDenied(join(root, 'bin', 'postgres'), owner, 'execute')) === undefined &&
    (await findDenied(join(root, 'bin', 'initdb'), owner, 'execute')) === undefined &&
    (await findDenied(join(root, 'lib'), owner, 'search')) === undefined &&
    (await findDenied(bootstrap, owner, 'read')) === undefined
  );
}

/**
 * Copies the programs to a directory where every user can run them, unless a copy of this version exists. Two processes
 * can do so at the same time: each copies under a temporary name, and the first to rename its copy wins.
 *
 * @param binaries as installed; this process is root and can read them
 * @param directory contains one copy for each version; writable by root alone
 * @returns the programs in the copy
 */
export async function copyBinaries(binaries: Binaries, directory: string): Promise<Binaries> {
  const name = `postgresql-${binaries.version}-${process.platform}-${process.arch}`;
  const copy = join(directory, name);
  if (await pathExists(copy)) return binariesIn(copy, binaries.version);
  await removeUnfinished(directory, PARTIAL_COPY_MAX_AGE_MS);
  await createWhole(copy, async (unfinished) => {
    const mode = constants.COPYFILE_FICLONE;
    await cp(binaries.directory, unfinished, { recursive: true, verbatimSymlinks: true, mode });
    await makeReadable(unfinished);
  });
  return binariesIn(copy, binaries.version);
}

/** Lets every user read the files and search the directories, whatever umask they were installed with. */
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
