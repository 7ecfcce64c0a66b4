import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { isatty } from 'node:tty';
import { usageError } from '../errors.ts';
import { printableLines } from './io-streams.ts';

const isRegularFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => true,
  );

export interface PrivateFile {
  write: (written: string | Uint8Array) => Promise<void>;
  end: () => Promise<void>;
}

const OWNER_ONLY = 0o600;

/** Excel reads a file as UTF-8 only if it begins with this. */
export const BYTE_ORDER_MARK = '\uFEFF';

interface PrivateFileOptions {
  /** The option that names the file, for errors. */
  option?: string;
  /** Whether an existing file is replaced. Devices and pipes always exist. */
  replaces?: boolean;
}

/**
 * Creates or truncates a file for personal data, with mode 0600 even if it existed with another mode. Text for a terminal
 * device is made printable, as on stdout. Throws a usage error if the file cannot be written, or exists.
 */
export async function createPrivateFile(
  file: string,
  cwd: string,
  { option = '', replaces = true }: PrivateFileOptions = {},
): Promise<PrivateFile> {
  const path = resolve(cwd, file);
  const isReplaced = replaces || !(await isRegularFile(path));
  const handle = await open(path, isReplaced ? 'w' : 'wx', OWNER_ONLY).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw usageError(`${file} exists already`, 'Add --force to replace it.');
      throw usageError(`${option}cannot write ${file} (${error.code})`);
    },
  );
  // The mode of a device or pipe is left unchanged.
  if ((await handle.stat()).isFile()) await handle.chmod(OWNER_ONLY);
  const isTerminal = isatty(handle.fd);
  const out = handle.createWriteStream();
  return {
    write: async (written) => {
      const isText = typeof written === 'string';
      if (!out.write(isTerminal && isText ? printableLines(written) : written)) await once(out, 'drain');
    },
    end: async () => {
      out.end();
      await finished(out);
    },
  };
}
