import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { isatty } from 'node:tty';
import { usageError } from '../errors.ts';
import { printableLines } from './io-streams.ts';

export interface PrivateFile {
  write: (text: string) => Promise<void>;
  end: () => Promise<void>;
}

const OWNER_ONLY = 0o600;

/**
 * Creates or truncates a file for personal data, with mode 0600 even if it existed with another mode. Text for a terminal
 * device is made printable, as on stdout. Throws a usage error if the file cannot be written.
 */
export async function createPrivateFile(file: string, cwd: string, option = ''): Promise<PrivateFile> {
  const handle = await open(resolve(cwd, file), 'w', OWNER_ONLY).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${option}cannot write ${file} (${error.code})`);
  });
  // The mode of a device or pipe is left unchanged.
  if ((await handle.stat()).isFile()) await handle.chmod(OWNER_ONLY);
  const isTerminal = isatty(handle.fd);
  const out = handle.createWriteStream();
  return {
    write: async (text) => {
      if (!out.write(isTerminal ? printableLines(text) : text)) await once(out, 'drain');
    },
    end: async () => {
      out.end();
      await finished(out);
    },
  };
}
