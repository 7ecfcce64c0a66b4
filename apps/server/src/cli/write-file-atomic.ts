import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { CommandError, INVALID_ARGUMENTS } from './command.ts';

/**
 * Writes a file atomically, with mode 0600: under another name in the same directory, and renamed when it is on the disk. If
 * `write` fails, nothing is left behind.
 *
 * @param mayReplace whether an existing file is replaced
 * @param write writes the content to the stream, and does not end before it is written
 * @returns what `write` returns
 * @throws CommandError if the file exists and may not be replaced; whatever `write` or the file system throws
 */
export async function writeFileAtomic<Answer>(
  path: string,
  mayReplace: boolean,
  write: (target: Writable) => Promise<Answer>,
): Promise<Answer> {
  if (!mayReplace && existsSync(path))
    throw new CommandError(`${path} exists: name another file, or pass --replace.`, INVALID_ARGUMENTS);
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
