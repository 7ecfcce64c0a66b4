import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { isatty } from 'node:tty';
import { usageError } from '../errors/errors.ts';
import { printableLines } from './sanitize.ts';

/** A file that is being written. */
export interface OwnFile {
  /** Writes a text, and waits while the other end is slower. */
  write: (text: string) => Promise<void>;
  end: () => Promise<void>;
}

const OWNER_ONLY = 0o600;

/**
 * Creates or empties a file that holds personal data: only its owner may read it, whatever its mode was before. A
 * terminal device gets printable text, as stdout does. Throws a usage error for what cannot be written.
 */
export async function createOwnFile(file: string, cwd: string, option = ''): Promise<OwnFile> {
  const handle = await open(resolve(cwd, file), 'w', OWNER_ONLY).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${option}cannot write ${file} (${error.code})`);
  });
  // A device or pipe is not ours to close to others.
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
