import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';
import { isatty } from 'node:tty';
import { codeOf, usageError } from '../errors.ts';
import { printableLines } from './io-streams.ts';

type Write = (written: string | Uint8Array) => Promise<void>;

const OWNER_ONLY = 0o600;

/** Excel reads a file as UTF-8 only if it begins with this. */
export const BYTE_ORDER_MARK = '\uFEFF';

interface PrivateFileOptions {
  /** The option that names the file, for errors. */
  option?: string;
  /** Whether an existing file is replaced. Devices and pipes always exist. */
  replaces?: boolean;
}

/** The place to write first, and the one it gets in the end: the same for a device or pipe. */
async function placesOf(path: string): Promise<{ draft: string; path: string; exists: boolean }> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && !found.isFile()) return { draft: path, path, exists: false };
  const exists = found !== undefined;
  const target = exists ? await realpath(path) : path;
  return { draft: `${target}.${process.pid}`, path: target, exists };
}

/**
 * Writes a file for personal data, with mode 0600. It takes its name once `content` has written all of it: what fails or is
 * interrupted leaves no file, and an existing one as it was. Text for a terminal device is made printable, as on stdout.
 * Resolves to what `content` does. Throws a usage error if the file cannot be written, or exists.
 */
export async function writePrivateFile<T>(
  file: string,
  cwd: string,
  { option = '', replaces = true }: PrivateFileOptions,
  content: (write: Write) => Promise<T>,
): Promise<T> {
  const unwritable = (error: unknown) => usageError(`${option}cannot write ${file} (${codeOf(error)})`);
  const { draft, path, exists } = await placesOf(resolve(cwd, file));
  if (exists && !replaces) throw usageError(`${file} exists already`, 'Add --force to replace it.');
  const isDraft = draft !== path;
  const handle = await open(draft, isDraft ? 'wx' : 'w', OWNER_ONLY).catch((error: unknown) => {
    throw unwritable(error);
  });
  const isTerminal = isatty(handle.fd);
  try {
    const result = await content(async (written) => {
      const text = isTerminal && typeof written === 'string' ? printableLines(written) : written;
      await handle.writeFile(text).catch((error: unknown) => {
        throw unwritable(error);
      });
    });
    await handle.close();
    if (isDraft) await rename(draft, path);
    return result;
  } catch (error) {
    await handle.close();
    if (isDraft) await rm(draft, { force: true });
    throw error;
  }
}
