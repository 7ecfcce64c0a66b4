import { readFileSync, statSync } from 'node:fs';
import process from 'node:process';
import { CliError, codeOf, exitCodes } from '../errors/errors.ts';

/** The error of a file with keys or addresses that cannot be used. */
export function unusable(message: string, hint: string): CliError {
  return new CliError(message, { exitCode: exitCodes.notAllowed, hint });
}

/**
 * Reads a file that only its owner may read or write; undefined if it does not exist. Throws `CliError` if other users can, or if it is
 * unreadable.
 *
 * @param what its content in a word: `key`
 */
export function readPrivate(file: string, what: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    // Windows has no such mode: every file there looks readable by everyone.
    const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
    if (isOpen)
      throw unusable(`the ${what} in ${file} can be read by other users`, `Restrict it: chmod 600 ${file}`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw unusable(
      `the ${what} in ${file} cannot be read (${codeOf(error)})`,
      'Pass --url and --key instead.',
    );
  }
}
