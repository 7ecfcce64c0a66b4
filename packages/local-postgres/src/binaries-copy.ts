import { randomBytes } from 'node:crypto';
import { chmod, constants, cp, lstat, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, binariesIn } from './binaries.ts';
import { codeOf } from './errors.ts';
import { obstacle } from './permissions.ts';
import type { Owner } from './users.ts';

const UNFINISHED_KEPT_MS = 600_000;

/** Whether `owner` may run the programs and read what they need, where they are. */
export async function canRun(binaries: Binaries, owner: Owner): Promise<boolean> {
  const root = await realpath(binaries.directory);
  const bootstrap = join(root, 'share', 'postgresql', 'postgres.bki');
  return (
    (await obstacle(join(root, 'bin', 'postgres'), owner, 'run')) === undefined &&
    (await obstacle(join(root, 'bin', 'initdb'), owner, 'run')) === undefined &&
    (await obstacle(join(root, 'lib'), owner, 'pass')) === undefined &&
    (await obstacle(bootstrap, owner, 'read')) === undefined
  );
}

/**
 * Copies the programs to where everybody may run them, unless this version is there already. Two processes may do
 * so at once: each copies to a name of its own, and the first to rename its copy is the one that counts.
 *
 * @param binaries as installed, which root can read wherever they are
 * @param directory holds the copies, one for each version; writable by root alone
 * @returns the programs in the copy
 */
export async function copyBinaries(binaries: Binaries, directory: string): Promise<Binaries> {
  const name = `postgresql-${binaries.version}-${process.platform}-${process.arch}`;
  const place = join(directory, name);
  if (await exists(place)) return binariesIn(place, binaries.version);
  await removeUnfinished(directory);
  const draft = `${place}.unfinished-${randomBytes(6).toString('hex')}`;
  try {
    const mode = constants.COPYFILE_FICLONE;
    await cp(binaries.directory, draft, { recursive: true, verbatimSymlinks: true, mode });
    await openForReading(draft);
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
  return binariesIn(place, binaries.version);
}

/** Whatever mask the files were installed under, their copies are for everybody to read and search. */
async function openForReading(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await openForReading(path);
    else if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.includes('.unfinished-')) continue;
    const path = join(directory, name);
    const made = await lstat(path).catch(() => undefined);
    if (made !== undefined && Date.now() - made.mtimeMs > UNFINISHED_KEPT_MS) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
