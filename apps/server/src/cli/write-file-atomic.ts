import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** A file that is there already, and is not to be written over. */
export class FileExists extends Error {}

/**
 * Writes a file that is there whole or not at all: under another name beside its place, which only its owner may read,
 * renamed when all of it is on the disk. Where `write` fails nothing is left behind.
 * @throws FileExists unless it may be replaced; whatever `write` or the file system throws
 */
export async function writeWholeFile<Answer>(
  path: string,
  mayReplace: boolean,
  write: (target: Writable) => Promise<Answer>,
): Promise<Answer> {
  if (!mayReplace && existsSync(path)) throw new FileExists(path);
  const draft = `${path}.${randomBytes(4).toString('hex')}.partial`;
  const target = (await open(draft, 'wx', 0o600)).createWriteStream({ flush: true });
  try {
    const answer = await write(target);
    await finished(target);
    await rename(draft, path);
    await syncDirectory(dirname(path));
    return answer;
  } catch (error) {
    target.destroy();
    await rm(draft, { force: true });
    throw error;
  }
}

/** Syncs a directory to disk, so that a file renamed in it keeps its name after a power failure. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}
